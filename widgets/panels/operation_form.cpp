#include "widgets/panels/operation_form.h"

#include "widgets/model/words.h"
#include "widgets/panels/code_label.h"
#include "widgets/shared/reading_direction.h"
#include "widgets/shared/scroll_room.h"

#include <QComboBox>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollBar>
#include <QTimer>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace stridescope {

namespace {

constexpr char kExpandAs[] = "expand_as";
constexpr int kMargin = 12, kAbove = 2, kBelow = 4, kSpacing = 6;
constexpr int kLeastRoom = 56;        ///< for one argument
constexpr QSize kCodePadding(18, 10); ///< as QLabel#codeLine of the style sheet

} // namespace

std::vector<OperationForm::Choice> OperationForm::choices() {
    std::vector<Choice> all;
    for (const ViewOp& op : viewOps()) {
        all.push_back({QString::fromUtf8(op.name), QString::fromUtf8(op.doc), !op.params.empty()});
        if (std::string_view(op.name) == "expand")
            all.push_back({QString::fromUtf8(kExpandAs), tr("The sizes of another tensor, with stride 0."), true});
    }
    return all;
}

OperationForm::OperationForm(WorkspaceModel* workspace, QWidget* parent)
    : QWidget(parent), m_workspace(workspace), m_body(new QWidget), m_room(new ScrollRoom(m_body, this)),
      m_receiver(new QLabel(this)), m_operation(new QComboBox(this)), m_doc(new QLabel(m_body)),
      m_bodyColumn(new QVBoxLayout(m_body)), m_fieldsColumn(new QVBoxLayout), m_apart(new QHBoxLayout),
      m_verdict(new QLabel(m_body)), m_codeLabel(new CodeLabel(m_body, kCodePadding)),
      m_run(new QPushButton(tr("Run"), this)), m_why(new QPushButton(tr("Show why"), this)) {
    setObjectName(QStringLiteral("operationForm"));
    m_receiver->setObjectName(QStringLiteral("formTensor"));
    m_receiver->setTextFormat(Qt::PlainText);
    readFromLeft(*m_receiver);
    m_operation->setObjectName(QStringLiteral("formOperation"));
    for (const Choice& choice : choices()) m_operation->addItem(choice.name);
    for (QLabel* label : {m_doc, m_verdict}) {
        label->setTextFormat(Qt::PlainText);
        label->setWordWrap(true);
    }
    m_doc->setProperty("quiet", true);
    m_verdict->setObjectName(QStringLiteral("formVerdict"));
    m_verdict->setAlignment(Qt::AlignTop);
    m_codeLabel->setObjectName(QStringLiteral("codeLine"));
    m_codeLabel->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    m_run->setObjectName(QStringLiteral("formRun"));
    m_run->setProperty("kind", QStringLiteral("primary"));
    m_why->setObjectName(QStringLiteral("formWhy"));
    auto* close = new QPushButton(tr("Close"), this);
    close->setObjectName(QStringLiteral("formClose"));
    m_fieldsColumn->setSpacing(4);
    m_room->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_room->viewport()->installEventFilter(this);
    m_body->installEventFilter(this);
    m_room->setMinimumHeight(kLeastRoom);

    // What is done, and to which tensor, stands above whatever scrolls, written as it is in code.
    auto* head = new QHBoxLayout;
    head->setContentsMargins(kMargin, 6, kMargin, 4);
    head->setSpacing(4);
    head->addWidget(m_receiver);
    head->addWidget(m_operation, 1);
    m_bodyColumn->setContentsMargins(kMargin, kAbove, kMargin, kBelow);
    m_bodyColumn->setSpacing(kSpacing);
    m_bodyColumn->addWidget(m_doc);
    m_bodyColumn->addLayout(m_fieldsColumn);
    m_bodyColumn->addWidget(m_verdict);
    m_bodyColumn->addWidget(m_codeLabel);
    m_bodyColumn->addStretch(1);
    m_apart->setContentsMargins(kMargin, kBelow, kMargin, 0);
    auto* buttons = new QHBoxLayout;
    buttons->setContentsMargins(kMargin, 4, kMargin, 8);
    buttons->setSpacing(6);
    buttons->addWidget(m_run);
    buttons->addWidget(m_why);
    buttons->addStretch(1);
    buttons->addWidget(close);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addLayout(head);
    column->addWidget(m_room, 1);
    column->addLayout(m_apart);
    column->addLayout(buttons);

    connect(m_operation, &QComboBox::currentIndexChanged, this, &OperationForm::rebuildFields);
    connect(m_run, &QPushButton::clicked, this, &OperationForm::run);
    connect(m_why, &QPushButton::clicked, this, [this] { Q_EMIT explainRequested(code()); });
    connect(close, &QPushButton::clicked, this, [this] {
        Q_EMIT previewRequested(QString());
        Q_EMIT closed();
    });
    connect(m_workspace, &WorkspaceModel::selectionChanged, this, &OperationForm::follow);
    connect(m_workspace, &WorkspaceModel::snapshotChanged, this, &OperationForm::follow);
    rebuildFields();
}

void OperationForm::setTheme(const Theme& theme) {
    m_theme = theme;
    m_codeLabel->setFont(theme.font(FontRole::Code));
    // The application's style sheet names a font, which counts more than a widget's own.
    m_receiver->setStyleSheet(
        QStringLiteral("font-family: '%1';").arg(theme.font(FontRole::Code).families().constFirst()));
    nameTensor();
    for (const Field& field : m_fields) field.edit->setFont(theme.font(FontRole::Code));
}

void OperationForm::setOperation(const QString& name) {
    const int index = m_operation->findText(name);
    if (index < 0) return;
    if (index == m_operation->currentIndex()) {
        proposeArguments();
        refresh();
    } else {
        m_operation->setCurrentIndex(index);
    }
}

void OperationForm::focusFirst() {
    if (m_fields.empty()) {
        m_run->setFocus();
    } else {
        m_fields.front().edit->setFocus();
        m_fields.front().edit->selectAll();
    }
}

bool OperationForm::namesTensor() const {
    return m_operation->currentText() == QString::fromUtf8(kExpandAs);
}

const ViewOp* OperationForm::operation() const {
    return findViewOp(namesTensor() ? "expand" : m_operation->currentText().toStdString());
}

void OperationForm::rebuildFields() {
    for (const Field& field : m_fields) delete field.row;
    m_fields.clear();
    const ViewOp* op = operation();
    if (!op) return;
    m_doc->setText(QString::fromUtf8(op->doc));
    m_operation->setToolTip(m_doc->text()); // a low panel has no room for it
    for (const OpParam& param : op->params) {
        auto* row = new QWidget(m_body);
        auto* edit = new QLineEdit(row);
        const QString title = namesTensor() ? QStringLiteral("other") : QString::fromUtf8(param.name);
        edit->setObjectName(QStringLiteral("form_") + title);
        edit->setAccessibleName(title);
        edit->setToolTip(namesTensor() ? tr("The tensor whose size is wanted") : QString::fromUtf8(param.doc));
        edit->setFont(m_theme.font(FontRole::Code));
        auto* note = new QLabel(row);
        note->setObjectName(QStringLiteral("note_") + title);
        note->setTextFormat(Qt::PlainText);
        note->setProperty("quiet", true);
        note->setWordWrap(true);
        note->setAlignment(Qt::AlignRight | Qt::AlignBottom);
        auto* head = new QLabel(title, row);
        head->setTextFormat(Qt::PlainText);
        // Name and legal range stand above: beside them a field of the narrowest dock has room for two digits.
        auto* grid = new QGridLayout(row);
        grid->setContentsMargins(0, 0, 0, 0);
        grid->setVerticalSpacing(4); // the ring round the field that is typed in
        grid->addWidget(head, 0, 0, Qt::AlignLeft | Qt::AlignBottom);
        grid->addWidget(note, 0, 1);
        grid->addWidget(edit, 1, 0, 1, 2);
        grid->setColumnStretch(1, 1);
        m_fieldsColumn->addWidget(row);
        m_fields.push_back({row, edit, note});
        connect(edit, &QLineEdit::textEdited, this, [this] {
            m_typed = true;
            refresh();
        });
        connect(edit, &QLineEdit::returnPressed, this, &OperationForm::run);
    }
    proposeArguments();
    refresh();
}

void OperationForm::follow() {
    if (!isVisible()) return;
    const TensorEntry* entry = m_workspace->selected();
    const ViewOp* op = operation();
    if (entry && op && entry->id != m_target) {
        const std::optional<OpArgs> args = readArguments(nullptr, nullptr);
        const bool fits =
            m_typed && args && applyViewOp(op->name, *args, entry->tensor.view(), entry->tensor.storageNumel()).ok();
        fits ? void(m_target = entry->id) : proposeArguments();
    }
    refresh();
}

QString OperationForm::rangeText(const LegalRange& legal) {
    if (legal.empty()) return tr("none legal");
    if (legal.endless()) return tr("%1 or more").arg(legal.lowest);
    return asWritten(QStringLiteral("%1 … %2").arg(legal.lowest).arg(legal.highest));
}

void OperationForm::refresh() {
    const TensorEntry* entry = m_workspace->selected();
    const ViewOp* op = operation();
    const std::string name = op ? op->name : "";
    for (const Field& field : m_fields) setInvalid(field.edit, false);
    nameTensor();
    m_codeLabel->setCode({});
    m_run->setToolTip({});
    if (!entry || !op) {
        showVerdict(tr("Select a tensor first."));
        offer(false, false);
        return;
    }
    QString problem;
    QLineEdit* where = nullptr;
    const std::optional<OpArgs> args = readArguments(&problem, &where);
    if (!args) {
        if (where) setInvalid(where, true);
        showVerdict(QStringLiteral("✗ ") + problem);
        offer(false, false);
        Q_EMIT previewRequested(QString());
        return;
    }
    if (namesTensor()) m_fields.front().note->setText(tr("size %1").arg(shapeText(std::get<Dims>(args->front()))));
    for (std::size_t i = 0; i < m_fields.size() && !namesTensor(); ++i) {
        const std::optional<LegalRange> legal =
            legalRange(name, i, *args, entry->tensor.view(), entry->tensor.storageNumel());
        QStringList ranges;
        for (const LegalRange& each : legalRangesOfList(name, i, *args, entry->tensor.storageNumel()))
            ranges << rangeText(each);
        m_fields[i].note->setText(legal ? rangeText(*legal) : ranges.join(QStringLiteral(", ")));
        // What can be read but cannot be had is marked where it stands; where nothing can be had, another one is to
        // blame.
        const Index* number = i < args->size() ? std::get_if<Index>(&(*args)[i]) : nullptr;
        setInvalid(m_fields[i].edit, legal && !legal->empty() && number && !legal->contains(*number));
    }
    m_codeLabel->setCode(code());
    m_run->setToolTip(code());
    const Result<ViewOpResult> result = applyViewOp(name, *args, entry->tensor.view(), entry->tensor.storageNumel());
    if (!result) {
        showVerdict(QStringLiteral("✗ ") + QString::fromStdString(result.refusal().message));
        markCulprits(*op, *args, *entry);
    } else {
        QString words =
            result->copies
                ? tr("✓ copies %1 to a new storage").arg(bytesText(static_cast<quint64>(entry->tensor.nbytes())))
                : tr("✓ a view, no element moves");
        if (result->views.size() == 1) {
            words += QStringLiteral(": ") + shapeText(result->views.front().shape);
            if (!result->copies)
                words += QLatin1Char(' ') + tr("stride %1").arg(shapeText(result->views.front().stride));
        } else {
            words += tr(", %1 pieces").arg(result->views.size());
        }
        showVerdict(words);
    }
    offer(result.ok(), !result.ok());
    if (isVisible()) Q_EMIT previewRequested(code());
}

void OperationForm::offer(bool run, bool why) {
    // A button that has the keyboard and goes would hand it to the first widget of the window: it stays in the form.
    const QWidget* typed = window()->focusWidget();
    const bool lost = (typed == m_run && !run) || (typed == m_why && !why);
    if (lost && run)
        m_run->setEnabled(true), m_run->setFocus(Qt::OtherFocusReason);
    else if (lost)
        (m_fields.empty() ? static_cast<QWidget*>(m_operation) : m_fields.front().edit)->setFocus(Qt::OtherFocusReason);
    m_run->setEnabled(run);
    m_why->setVisible(why);
}

void OperationForm::nameTensor() {
    const TensorEntry* entry = m_workspace->selected();
    const QString name = entry ? entry->name : QString();
    m_operation->setAccessibleName(entry ? tr("Operation on %1").arg(name) : tr("Operation"));
    // A long name leaves the operation its half.
    m_receiver->ensurePolished();
    const QString shown =
        m_receiver->fontMetrics().elidedText(name, Qt::ElideMiddle, std::max(80, width() / 2) - kMargin);
    m_receiver->setText(entry ? shown + QLatin1Char('.') : QString());
    m_receiver->setToolTip(shown == name ? QString() : name);
    m_receiver->setVisible(entry != nullptr);
}

void OperationForm::showVerdict(const QString& words) {
    m_verdict->setText(CodeLabel::breakable(words));
    fit();
    // When the layout has followed, which takes several events: stale places are the wrong ones to scroll to.
    QTimer::singleShot(0, this, &OperationForm::keepInSight);
}

void OperationForm::keepInSight() {
    const QWidget* typed = focusWidget();
    if (!typed || !m_body->isAncestorOf(typed)) return;
    const auto show = [this](const QWidget* part) {
        const QRect at(part->mapTo(m_body, QPoint()), part->size());
        m_room->ensureVisible(at.left(), at.center().y(), 0, at.height() / 2 + 2);
    };
    if (m_body->isAncestorOf(m_verdict) && m_verdict->text().startsWith(QStringLiteral("✗"))) show(m_verdict);
    show(typed);
}

int OperationForm::reserve() const {
    // What is typed must not move the fields: most verdicts take up to three lines.
    return 3 * m_verdict->fontMetrics().lineSpacing();
}

int OperationForm::edgesHeight() const {
    return layout()->itemAt(0)->sizeHint().height() + layout()->itemAt(3)->sizeHint().height();
}

int OperationForm::wholeHeight(int width) const {
    // Wherever the verdict stands now, and whether or not the explanation is shown.
    const int inner = width - 2 * kMargin;
    // Without a legal range to be wrapped a row of arguments has one height for all widths.
    const int rows = m_fieldsColumn->hasHeightForWidth() ? m_fieldsColumn->heightForWidth(inner)
                                                         : m_fieldsColumn->sizeHint().height();
    const int fields = m_fields.empty() ? 0 : rows + kSpacing;
    return edgesHeight() + kAbove + m_doc->heightForWidth(inner) + kSpacing + fields +
           std::max(m_keptWords, wordsHeight(inner)) + kBelow;
}

int OperationForm::wordsHeight(int inner) const {
    // No code stands there while the arguments cannot be read; most take two lines.
    const QString twoLines = QStringLiteral("M\nM");
    const int code = m_codeLabel->fontMetrics().size(0, twoLines).height() + kCodePadding.height();
    return std::max(reserve(), m_verdict->heightForWidth(inner)) + kSpacing +
           std::max(code, m_codeLabel->heightForWidth(inner));
}

bool OperationForm::isTypedIn() const {
    const auto* field = qobject_cast<const QLineEdit*>(window()->focusWidget());
    return m_typed && field && isAncestorOf(field);
}

QSize OperationForm::sizeHint() const {
    return {QWidget::sizeHint().width(), wholeHeight(width())};
}

void OperationForm::setRoom(int height) {
    if (height == std::exchange(m_most, height)) return;
    fit();
}

void OperationForm::fit() {
    // Arguments and verdict come first: in a low panel the explanation is the tool tip of the operation, the code that
    // of Run, and the verdict stands below what scrolls.
    const int inner = width() - 2 * kMargin;
    m_keptWords = isTypedIn() ? std::max(m_keptWords, wordsHeight(inner)) : 0;
    const int high = m_most >= 0 ? m_most : height();
    const bool dense = high < wholeHeight(width());
    const int words = m_verdict->heightForWidth(inner);
    const bool apart = dense && high >= edgesHeight() + kLeastRoom + std::max(reserve(), words) + kBelow;
    m_doc->setVisible(!dense);
    m_codeLabel->setVisible(!dense);
    if (apart != (m_apart->count() > 0)) {
        // Where it stood it is taken out by the layout that it comes into.
        if (apart)
            m_apart->addWidget(m_verdict);
        else
            m_bodyColumn->insertWidget(2, m_verdict);
    }
    const int lines = m_verdict->fontMetrics().lineSpacing();
    m_verdict->setMinimumHeight(apart ? std::max(2 * lines, words) : dense ? 0 : reserve());
    // Nothing in it may be of the kind that wraps.
    const int body = m_body->heightForWidth(m_room->viewport()->width());
    m_body->setMinimumHeight(body >= 0 ? body : m_body->sizeHint().height());
    // The scroll bar that may come must not cover the ends of the fields.
    m_room->setMinimumWidth(m_body->minimumSizeHint().width() + m_room->verticalScrollBar()->sizeHint().width());
    m_room->updateGeometry();
}

bool OperationForm::eventFilter(QObject* watched, QEvent* event) {
    // Another width, new fields, longer words, another font.
    if ((watched == m_room->viewport() && event->type() == QEvent::Resize) ||
        (watched == m_body && event->type() == QEvent::LayoutRequest))
        fit();
    return QWidget::eventFilter(watched, event);
}

void OperationForm::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    nameTensor();
    fit();
}

void OperationForm::run() {
    const QString line = code();
    if (line.isEmpty()) return;
    if (m_run->isEnabled()) {
        Q_EMIT runRequested(line);
    } else {
        Q_EMIT explainRequested(line);
    }
}

void OperationForm::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Escape) {
        Q_EMIT previewRequested(QString());
        Q_EMIT closed();
        return;
    }
    // Outside of dialogs a button knows the space bar alone; in the fields Enter runs, and so it does on Run.
    auto* button = qobject_cast<QPushButton*>(focusWidget());
    if (button && (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter)) {
        button->click();
        return;
    }
    QWidget::keyPressEvent(event);
}

} // namespace stridescope
