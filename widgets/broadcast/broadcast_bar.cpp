#include "widgets/broadcast/broadcast_bar.h"

#include "widgets/model/words.h"

#include <QAbstractItemView>
#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QRegularExpression>
#include <QSignalBlocker>
#include <QToolButton>

#include <algorithm>

namespace stridescope {

namespace {

struct Example {
    const char *text, *line;
};
constexpr Example kExamples[] = {
    {QT_TRANSLATE_NOOP("stridescope::BroadcastBar", "A column and a row"),
     "torch.arange(4).view(4, 1) + torch.tensor([[10, 20, 30, 40, 50]])"},
    {QT_TRANSLATE_NOOP("stridescope::BroadcastBar", "A row to every row"),
     "torch.arange(12).view(3, 4) + torch.tensor([10, 20, 30, 40])"},
    {QT_TRANSLATE_NOOP("stridescope::BroadcastBar", "Sizes that do not fit"),
     "torch.arange(12).view(3, 4) + torch.tensor([10, 20, 30])"},
    {QT_TRANSLATE_NOOP("stridescope::BroadcastBar", "The silent bug: (3,) - (3, 1)"),
     "torch.tensor([1., 2, 3]) - torch.tensor([[1.], [2], [3]])"},
    {QT_TRANSLATE_NOOP("stridescope::BroadcastBar", "Rows that add up to 1"),
     "x = torch.arange(1, 7).view(2, 3); x / x.sum(1, keepdim=True)"},
    {QT_TRANSLATE_NOOP("stridescope::BroadcastBar", "A chain: a * b + a"),
     "a = torch.arange(3).view(3, 1); b = torch.tensor([1, 10]); a * b + a"},
    {QT_TRANSLATE_NOOP("stridescope::BroadcastBar", "Mixed dtypes"),
     "torch.arange(3).view(3, 1) * torch.tensor([0.5, 1.5])"},
    {QT_TRANSLATE_NOOP("stridescope::BroadcastBar", "Three dims"),
     "torch.arange(6).view(2, 1, 3) + torch.arange(4).view(4, 1)"},
    {QT_TRANSLATE_NOOP("stridescope::BroadcastBar", "Powers: a column ** a row"),
     "torch.arange(1, 5).view(4, 1) ** torch.arange(4)"},
    {QT_TRANSLATE_NOOP("stridescope::BroadcastBar", "Both true: masks with &"),
     "(torch.arange(4).view(4, 1) > 1) & (torch.arange(5) < 3)"},
    {QT_TRANSLATE_NOOP("stridescope::BroadcastBar", "A function of two: maximum"),
     "torch.maximum(torch.arange(4).view(4, 1), torch.tensor([2, 1, 3]))"},
    {QT_TRANSLATE_NOOP("stridescope::BroadcastBar", "Three tensors: where"),
     "x = torch.arange(12).view(3, 4); torch.where(x > 5, x, torch.tensor([[10], [20], [30]]))"},
    {QT_TRANSLATE_NOOP("stridescope::BroadcastBar", "Between limits of each row: clamp"),
     "torch.arange(12).view(3, 4).clamp(torch.tensor([[1], [5], [6]]), torch.tensor([[2], [6], [10]]))"},
    {QT_TRANSLATE_NOOP("stridescope::BroadcastBar", "In place, with room"),
     "a = torch.zeros(3, 4); a += torch.arange(4)"},
    {QT_TRANSLATE_NOOP("stridescope::BroadcastBar", "In place, without room"),
     "b = torch.zeros(4); b += torch.ones(3, 4)"},
};
/// Those of arithmetic and bits come first: they can write in place, comparisons cannot.
constexpr const char* kSigns[] = {"+", "-",  "*",  "/", "//", "%", "**", "&",  "|",
                                  "^", "<<", ">>", "<", "<=", ">", ">=", "==", "!="};
constexpr int kSignsInPlace = 12;
/// Of the field of an operand, two of them and more.
constexpr int kLeastLetters = 7, kFewLetters = 12, kMostLetters = 18;
constexpr int kListEdge = 12; ///< beside the items of a list

void clear(QHBoxLayout* row) {
    while (QLayoutItem* item = row->takeAt(0)) {
        if (QWidget* widget = item->widget()) {
            // A field that loses the focus by this would ask for a line, and with it for another model, half-way.
            widget->blockSignals(true);
            for (QObject* part : widget->findChildren<QObject*>()) part->blockSignals(true);
            widget->hide();
            widget->deleteLater();
        }
        delete item;
    }
}

} // namespace

BroadcastBar::BroadcastBar(QWidget* parent)
    : QWidget(parent), m_choices(new QHBoxLayout), m_field(new QLineEdit(this)), m_outcome(new QLabel(this)),
      m_run(new QPushButton(tr("Run"), this)), m_predict(new QToolButton(this)), m_examples(new QToolButton(this)) {
    setObjectName(QStringLiteral("broadcastBar"));
    setProperty("role", QStringLiteral("header"));
    setAttribute(Qt::WA_StyledBackground);
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(20, 6, 20, 6);
    row->setSpacing(8);
    m_choices->setSpacing(5);
    row->addLayout(m_choices);
    m_field->setObjectName(QStringLiteral("broadcastLine"));
    m_field->setAccessibleName(tr("Line that is drawn"));
    m_field->setPlaceholderText(tr("A + B"));
    m_field->setMinimumWidth(120);
    m_field->setToolTip(tr("Any pointwise line of two to four tensors, typed or from the workspace"));
    row->addWidget(m_field, 1);
    m_outcome->setTextFormat(Qt::PlainText);
    m_outcome->setObjectName(QStringLiteral("broadcastOutcome"));
    row->addWidget(m_outcome);
    m_run->setObjectName(QStringLiteral("broadcastRun"));
    m_run->setProperty("kind", QStringLiteral("primary"));
    row->addWidget(m_run);
    m_predict->setText(tr("Predict first"));
    m_predict->setToolTip(tr("Say what comes out before it is shown"));
    m_predict->setObjectName(QStringLiteral("broadcastPredict"));
    m_predict->setProperty("kind", QStringLiteral("button"));
    m_predict->setCheckable(true);
    m_predict->setFocusPolicy(Qt::TabFocus);
    row->addWidget(m_predict);
    connect(m_predict, &QToolButton::toggled, this, &BroadcastBar::predictingChanged);
    m_examples->setText(tr("Examples"));
    m_examples->setObjectName(QStringLiteral("broadcastExamples"));
    m_examples->setProperty("kind", QStringLiteral("button"));
    m_examples->setPopupMode(QToolButton::InstantPopup);
    m_examples->setFocusPolicy(Qt::TabFocus);
    auto* menu = new QMenu(m_examples);
    for (const Example& example : kExamples) {
        const QString line = QString::fromLatin1(example.line);
        QAction* action = menu->addAction(tr(example.text));
        action->setToolTip(line);
        connect(action, &QAction::triggered, this, [this, line] { m_field->setText(line); });
    }
    m_examples->setMenu(menu);
    row->addWidget(m_examples);
    connect(m_field, &QLineEdit::textChanged, this, &BroadcastBar::lineChanged);
    connect(m_field, &QLineEdit::returnPressed, this, &BroadcastBar::runRequested);
    connect(m_run, &QPushButton::clicked, this, &BroadcastBar::runRequested);
}

QString BroadcastBar::line() const {
    return m_field->text();
}

void BroadcastBar::setLine(const QString& line) {
    m_field->setText(line);
}

QString BroadcastBar::operandCode(const QString& typed) {
    const QString text = typed.trimmed();
    static const QRegularExpression shape(QStringLiteral(R"(^\(?\s*(\d+(?:\s*,\s*\d+)*)\s*,?\s*\)?$)"));
    if (text.startsWith(QLatin1Char('['))) return QStringLiteral("torch.tensor(%1)").arg(text);
    const QRegularExpressionMatch match = shape.match(text);
    // "3" alone is a number, "(3)" and "3," are shapes.
    if (!match.hasMatch() || match.captured(0) == match.captured(1).trimmed()) {
        if (!match.hasMatch() || !text.contains(QLatin1Char(','))) return text;
    }
    qint64 numel = 1;
    const QStringList sizes = match.captured(1).split(QLatin1Char(','));
    for (const QString& size : sizes) {
        if (__builtin_mul_overflow(numel, size.trimmed().toLongLong(), &numel)) return text;
    }
    if (sizes.size() == 1) return QStringLiteral("torch.arange(%1)").arg(numel);
    return QStringLiteral("torch.arange(%1).view(%2)").arg(numel).arg(match.captured(1).simplified());
}

QString BroadcastBar::withOperand(const BroadcastModel& model, std::size_t operand, const QString& code) {
    QByteArray line = QByteArray::fromStdString(model.program.code);
    // Wherever it stands, from the back, so that the places in front stay right.
    for (std::size_t i = model.program.nodes.size(); i-- > 0;) {
        const expr::PointwiseNode& node = model.program.nodes[i];
        if (node.kind != expr::PointwiseNode::Kind::Operand || node.operand != operand) continue;
        QByteArray chosen = code.toUtf8();
        // "x[0] = y": with a bare name in front it would give a name, and write nothing.
        const expr::PointwiseNode& root = model.program.root();
        const bool assigned =
            model.program.written == i && line.mid(static_cast<qsizetype>(node.end)).trimmed().startsWith('=');
        if (assigned && root.begin == node.begin) chosen += "[...]";
        line.replace(static_cast<qsizetype>(node.begin), static_cast<qsizetype>(node.end - node.begin), chosen);
    }
    return QString::fromUtf8(line);
}

QString BroadcastBar::withOperator(const BroadcastModel& model, const QString& symbol) {
    const expr::PointwiseNode& root = model.program.root();
    QByteArray line = QByteArray::fromStdString(model.program.code);
    if (root.symbol.empty() || root.children.size() != 2) return QString::fromUtf8(line);
    const auto from = static_cast<qsizetype>(model.program.nodes[root.children[0]].end);
    const qsizetype at = line.indexOf(root.symbol.c_str(), from);
    if (at >= 0) line.replace(at, static_cast<qsizetype>(root.symbol.size()), symbol.toUtf8());
    return QString::fromUtf8(line);
}

QComboBox* BroadcastBar::operandBox(const BroadcastModel& model, std::size_t operand,
                                    const std::vector<std::pair<QString, QString>>& names) {
    auto* box = new QComboBox(this);
    box->setObjectName(QStringLiteral("operand%1").arg(operand));
    box->setAccessibleName(tr("Operand %1").arg(operand + 1));
    box->setToolTip(tr("A tensor of the workspace, a shape such as (3, 1), elements such as [1, 2], or code"));
    box->setEditable(true);
    box->lineEdit()->setAccessibleName(box->accessibleName());
    box->setInsertPolicy(QComboBox::NoInsert);
    box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    for (const auto& [name, shape] : names) box->addItem(name + QStringLiteral("  ") + shape, name);
    box->insertSeparator(box->count());
    for (const char* shape : {"(4, 1)", "(1, 5)", "(3,)", "(3, 4)", "(2, 3, 4)"})
        box->addItem(tr("new %1").arg(QString::fromLatin1(shape)), operandCode(QString::fromLatin1(shape)));
    const QString code = model.operands[operand].code, shape = shapeText(model.operands[operand].tensor.shape());
    box->setMinimumContentsLength(static_cast<int>(std::clamp<qsizetype>(
        code.size() + 2 + shape.size(), kLeastLetters, model.operands.size() > 2 ? kFewLetters : kMostLetters)));
    // Code that is longer has its beginning there; all of it stands in the line.
    const qsizetype room = box->minimumContentsLength() - 2 - shape.size();
    const QString shown = code.size() <= room ? code : code.left(std::max<qsizetype>(room - 1, 1)) + QChar(0x2026);
    box->setEditText(shown + QStringLiteral("  ") + shape);
    box->lineEdit()->setCursorPosition(0);
    // The list is as wide as what it holds.
    box->view()->setMinimumWidth(box->view()->sizeHintForColumn(0) + 2 * kListEdge);
    // The model as it is now: later ones have boxes of their own.
    const auto shared = std::make_shared<BroadcastModel>(model);
    const auto use = [this, shared, operand](const QString& chosen) {
        if (!chosen.isEmpty()) m_field->setText(withOperand(*shared, operand, chosen));
    };
    connect(box, &QComboBox::activated, this, [box, use](int index) { use(box->itemData(index).toString()); });
    connect(box->lineEdit(), &QLineEdit::editingFinished, this, [box, use, code, before = box->currentText()] {
        if (!box->lineEdit()->isModified() || box->currentText() == before) return;
        const int item = box->findText(box->currentText());
        if (item < 0) use(operandCode(box->currentText()));
    });
    return box;
}

void BroadcastBar::rebuild(const BroadcastModel& model, const std::vector<std::pair<QString, QString>>& names) {
    clear(m_choices);
    const expr::PointwiseNode& root = model.program.root();
    const bool simple = model.program.nodes.size() == 3 && root.children.size() == 2 && !root.symbol.empty();
    for (std::size_t i = 0; i < model.operands.size(); ++i) {
        m_choices->addWidget(operandBox(model, i, names));
        if (i > 0 || !simple || model.operands.size() != 2) continue;
        auto* sign = new QComboBox(this);
        sign->setObjectName(QStringLiteral("operatorBox"));
        sign->setAccessibleName(tr("Operator"));
        for (const char* each : kSigns) sign->addItem(QString::fromLatin1(each));
        if (model.inPlace)
            while (sign->count() > kSignsInPlace) sign->removeItem(kSignsInPlace);
        sign->setCurrentText(QString::fromStdString(root.symbol));
        const auto shared = std::make_shared<BroadcastModel>(model);
        connect(sign, &QComboBox::activated, this,
                [this, shared, sign] { m_field->setText(withOperator(*shared, sign->currentText())); });
        m_choices->addWidget(sign);
    }
}

void BroadcastBar::showModel(const BroadcastModel& model, const std::vector<std::pair<QString, QString>>& names) {
    rebuild(model, names);
    m_canRun = model.ok();
    m_field->setStatusTip({});
    if (!model.ok()) {
        m_outcomeText = tr("✗ refused");
        m_outcomeTip = model.refusalText();
    } else {
        const QString expanded = model.expandedCode();
        m_outcomeText = QStringLiteral("= %1  %2  %3")
                            .arg(model.resultName, shapeText(model.shape), dtypeText(model.result.tensor.dtype()));
        m_outcomeTip = expanded.isEmpty() ? tr("Nothing stretches") : tr("Same as %1").arg(expanded);
    }
    showOutcome();
}

void BroadcastBar::showOutcome() {
    m_run->setEnabled(m_canRun && !m_veiled);
    // A long reason must not push the buttons out of the window; it is whole in the tool tip.
    constexpr int kLeast = 160;
    const QString text = m_veiled ? QStringLiteral("= ?") : m_outcomeText;
    m_outcome->setText(m_outcome->fontMetrics().elidedText(text, Qt::ElideRight, std::max(kLeast, width() / 4)));
    m_outcome->setToolTip(m_veiled ? QString() : m_outcomeTip);
}

void BroadcastBar::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    showOutcome();
}

void BroadcastBar::setVeiled(bool veiled) {
    m_veiled = veiled;
    showOutcome();
}

bool BroadcastBar::isPredicting() const {
    return m_predict->isChecked();
}

void BroadcastBar::showRefusal(const Refusal& refusal) {
    m_canRun = m_veiled = false;
    const QString text = QString::fromStdString(refusal.message).section(QLatin1Char('\n'), 0, 0);
    m_outcomeText = QStringLiteral("✗ ") + text;
    m_outcomeTip = textOf(refusal);
    showOutcome();
}

void BroadcastBar::clearOperands() {
    clear(m_choices);
}

QString BroadcastBar::textOf(const Refusal& refusal) {
    QString text = QString::fromStdString(refusal.message).section(QLatin1Char('\n'), 0, 0);
    if (!text.endsWith(QLatin1Char('.'))) text += QLatin1Char('.');
    return refusal.hint.empty() ? text : text + QLatin1Char(' ') + QString::fromStdString(refusal.hint);
}

} // namespace stridescope
