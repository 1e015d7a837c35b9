#include "widgets/panels/operation_form.h"

#include "core/view/parse.h"
#include "widgets/model/words.h"
#include "widgets/panels/code_label.h"
#include "widgets/panels/operation_suggestions.h"
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
#include <QStyle>
#include <QTimer>
#include <QVBoxLayout>

#include <algorithm>

namespace stridescope {

namespace {

bool isList(ParamKind kind) {
    return kind == ParamKind::IntList || kind == ParamKind::DimList;
}

QString argumentText(const OpArg& arg) {
    if (const Index* number = std::get_if<Index>(&arg)) return QString::number(*number);
    if (const Dims* list = std::get_if<Dims>(&arg)) {
        QStringList parts;
        for (const Index value : *list) parts << QString::number(value);
        return parts.join(QStringLiteral(", "));
    }
    return {};
}

constexpr char kExpandAs[] = "expand_as";
constexpr int kMargin = 12;

void setInvalid(QLineEdit* edit, bool invalid) {
    if (edit->property("wrong").toBool() == invalid) return;
    edit->setProperty("wrong", invalid);
    edit->style()->unpolish(edit);
    edit->style()->polish(edit);
}

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
      m_operation(new QComboBox(m_body)), m_doc(new QLabel(m_body)), m_fieldsColumn(new QVBoxLayout),
      m_verdict(new QLabel(m_body)), m_codeLabel(new CodeLabel(m_body, QSize(18, 10))),
      m_run(new QPushButton(tr("Run"), this)), m_why(new QPushButton(tr("Show why"), this)) {
    setObjectName(QStringLiteral("operationForm"));
    m_operation->setObjectName(QStringLiteral("formOperation"));
    m_operation->setAccessibleName(tr("Operation"));
    for (const Choice& choice : choices()) m_operation->addItem(choice.name);
    for (QLabel* label : {m_doc, m_verdict}) {
        label->setTextFormat(Qt::PlainText);
        label->setWordWrap(true);
    }
    m_doc->setProperty("quiet", true);
    m_verdict->setObjectName(QStringLiteral("formVerdict"));
    // What is typed must not move the fields: most verdicts take up to three lines.
    m_verdict->setMinimumHeight(3 * m_verdict->fontMetrics().lineSpacing());
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

    auto* body = new QVBoxLayout(m_body);
    body->setContentsMargins(kMargin, 8, kMargin, 4);
    body->setSpacing(6);
    body->addWidget(m_operation);
    body->addWidget(m_doc);
    body->addLayout(m_fieldsColumn);
    body->addWidget(m_verdict);
    body->addWidget(m_codeLabel);
    body->addStretch(1);
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
    column->addWidget(m_room, 1);
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
    for (const OpParam& param : op->params) {
        auto* row = new QWidget(m_body);
        auto* edit = new QLineEdit(row);
        const QString title = namesTensor() ? QStringLiteral("other") : QString::fromUtf8(param.name);
        edit->setObjectName(QStringLiteral("form_") + title);
        edit->setAccessibleName(title);
        edit->setToolTip(namesTensor() ? tr("The tensor whose size is wanted") : QString::fromUtf8(param.doc));
        edit->setFont(m_theme.font(FontRole::Code));
        auto* note = new QLabel(row);
        note->setTextFormat(Qt::PlainText);
        note->setProperty("quiet", true);
        note->setWordWrap(true);
        note->setAlignment(Qt::AlignRight | Qt::AlignBottom);
        auto* head = new QLabel(title, row);
        head->setTextFormat(Qt::PlainText);
        // Name and legal range stand above: beside them a field of the narrowest dock has room for two digits.
        auto* grid = new QGridLayout(row);
        grid->setContentsMargins(0, 0, 0, 0);
        grid->setVerticalSpacing(2);
        grid->addWidget(head, 0, 0, Qt::AlignLeft | Qt::AlignBottom);
        grid->addWidget(note, 0, 1);
        grid->addWidget(edit, 1, 0, 1, 2);
        grid->setColumnStretch(1, 1);
        m_fieldsColumn->addWidget(row);
        m_fields.push_back({row, edit, note});
        connect(edit, &QLineEdit::textEdited, this, &OperationForm::refresh);
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
        const bool fits = args && applyViewOp(op->name, *args, entry->tensor.view(), entry->tensor.storageNumel()).ok();
        fits ? void(m_target = entry->id) : proposeArguments();
    }
    refresh();
}

void OperationForm::proposeArguments() {
    const TensorEntry* entry = m_workspace->selected();
    const ViewOp* op = operation();
    if (!entry || !op) return;
    m_target = entry->id;
    if (namesTensor()) {
        // The first tensor that it can be expanded to, else any other one.
        const auto& tensors = m_workspace->snapshot()->tensors;
        QString proposal;
        for (const TensorEntry& other : tensors) {
            if (other.id == entry->id) continue;
            const bool fits =
                applyViewOp("expand", OpArgs{other.tensor.shape()}, entry->tensor.view(), entry->tensor.storageNumel())
                    .ok();
            if (proposal.isEmpty() || fits) proposal = other.name;
            if (fits) break;
        }
        m_fields.front().edit->setText(proposal.isEmpty() ? entry->name : proposal);
        return;
    }
    const OpArgs proposed = proposal(*op, *entry);
    for (std::size_t i = 0; i < m_fields.size(); ++i) m_fields[i].edit->setText(argumentText(proposed[i]));
}

OpArgs OperationForm::proposal(const ViewOp& op, const TensorEntry& entry) {
    // The suggestion list already knows a sensible call of most operations; as_strided starts from what there is.
    OpArgs known;
    for (const OperationSuggestion& suggestion : operationSuggestions(entry)) {
        if (suggestion.operation == op.name) {
            known = suggestion.arguments;
            break;
        }
    }
    if (std::string_view(op.name) == "as_strided") {
        known = {entry.tensor.shape(), entry.tensor.stride(), entry.tensor.storageOffset()};
    }
    OpArgs all;
    for (std::size_t i = 0; i < op.params.size(); ++i) {
        const bool given = i < known.size() && !std::holds_alternative<std::monostate>(known[i]);
        OpArg value = given ? known[i] : op.params[i].standIn;
        if (!given && op.params[i].required) {
            if (isList(op.params[i].kind)) {
                value = op.params[i].kind == ParamKind::DimList ? Dims{0} : entry.tensor.shape();
            } else {
                value = Index{0};
            }
        }
        all.push_back(std::move(value));
    }
    return all;
}

std::optional<OpArgs> OperationForm::readArguments(QString* problem, QLineEdit** where) const {
    const ViewOp* op = operation();
    if (!op) return std::nullopt;
    if (namesTensor()) {
        const QString name = m_fields.front().edit->text().trimmed();
        for (const TensorEntry& other : m_workspace->snapshot()->tensors) {
            if (other.name == name) return OpArgs{other.tensor.shape()};
        }
        if (problem)
            *problem = name.isEmpty() ? tr("other is the name of a tensor") : tr("no tensor is called %1").arg(name);
        if (where) *where = m_fields.front().edit;
        return std::nullopt;
    }
    OpArgs args;
    for (std::size_t i = 0; i < m_fields.size(); ++i) {
        const OpParam& param = op->params[i];
        const std::string text = m_fields[i].edit->text().trimmed().toStdString();
        if (text.empty() && !param.required && !isList(param.kind)) {
            args.emplace_back(std::monostate{});
            continue;
        }
        Result<Dims> numbers = parseIntegers(text);
        QString wrong;
        if (!numbers) {
            wrong = QString::fromStdString(numbers.refusal().message);
        } else if (param.kind != ParamKind::IntOrIntList && !isList(param.kind) && numbers->size() != 1) {
            wrong = tr("%1 is one number, found %2").arg(QString::fromUtf8(param.name)).arg(numbers->size());
        }
        if (!wrong.isEmpty()) {
            if (problem) *problem = wrong;
            if (where) *where = m_fields[i].edit;
            return std::nullopt;
        }
        const bool single = param.kind == ParamKind::IntOrIntList ? numbers->size() == 1 : !isList(param.kind);
        if (single) {
            args.emplace_back((*numbers)[0]);
        } else {
            args.emplace_back(*numbers);
        }
    }
    while (!args.empty() && std::holds_alternative<std::monostate>(args.back())) args.pop_back();
    return args;
}

QString OperationForm::code() const {
    const TensorEntry* entry = m_workspace->selected();
    const std::optional<OpArgs> args = readArguments(nullptr, nullptr);
    if (!entry || !args) return {};
    if (namesTensor())
        return QStringLiteral("%1.expand_as(%2)").arg(entry->name, m_fields.front().edit->text().trimmed());
    return QString::fromStdString(toCode(entry->name.toStdString(), m_operation->currentText().toStdString(), *args));
}

void OperationForm::refresh() {
    const TensorEntry* entry = m_workspace->selected();
    const ViewOp* op = operation();
    const std::string name = op ? op->name : "";
    for (const Field& field : m_fields) setInvalid(field.edit, false);
    m_why->hide();
    m_run->setEnabled(false);
    m_codeLabel->setCode({});
    if (!entry || !op) {
        showVerdict(tr("Select a tensor first."));
        return;
    }
    QString problem;
    QLineEdit* where = nullptr;
    const std::optional<OpArgs> args = readArguments(&problem, &where);
    if (!args) {
        if (where) setInvalid(where, true);
        showVerdict(QStringLiteral("✗ ") + problem);
        Q_EMIT previewRequested(QString());
        return;
    }
    if (namesTensor()) m_fields.front().note->setText(tr("size ") + shapeText(std::get<Dims>(args->front())));
    for (std::size_t i = 0; i < m_fields.size() && !namesTensor(); ++i) {
        const std::optional<LegalRange> legal = legalRange(name, i, *args, entry->tensor.view());
        const bool endless = legal && legal->highest > INT64_MAX / 4;
        m_fields[i].note->setText(!legal           ? QString()
                                  : legal->empty() ? tr("none legal")
                                  : endless
                                      ? tr("%1 or more").arg(legal->lowest)
                                      : asWritten(QStringLiteral("%1 … %2").arg(legal->lowest).arg(legal->highest)));
        // What can be read but cannot be had is marked where it stands.
        const Index* number = i < args->size() ? std::get_if<Index>(&(*args)[i]) : nullptr;
        setInvalid(m_fields[i].edit, legal && number && !legal->contains(*number));
    }
    m_codeLabel->setCode(code());
    const Result<ViewOpResult> result = applyViewOp(name, *args, entry->tensor.view(), entry->tensor.storageNumel());
    if (!result) {
        showVerdict(QStringLiteral("✗ ") + QString::fromStdString(result.refusal().message));
        m_why->show();
        markCulprits(*op, *args, *entry);
    } else {
        QString words =
            result->copies
                ? tr("✓ copies %1 to a new storage").arg(bytesText(static_cast<quint64>(entry->tensor.nbytes())))
                : tr("✓ a view, no element moves");
        if (result->views.size() == 1) {
            words += QStringLiteral(": ") + shapeText(result->views.front().shape);
            if (!result->copies) words += tr(" stride ") + shapeText(result->views.front().stride);
        } else {
            words += tr(", %1 pieces").arg(result->views.size());
        }
        showVerdict(words);
        m_run->setEnabled(true);
    }
    if (isVisible()) Q_EMIT previewRequested(code());
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
    if (m_verdict->text().startsWith(QStringLiteral("✗"))) show(m_verdict);
    show(typed);
}

int OperationForm::wholeHeight(int width) const {
    return m_body->heightForWidth(width) + layout()->itemAt(1)->sizeHint().height();
}

void OperationForm::fit() {
    m_body->setMinimumHeight(m_body->heightForWidth(m_room->viewport()->width()));
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

void OperationForm::markCulprits(const ViewOp& op, const OpArgs& args, const TensorEntry& entry) {
    const auto marked = [](const Field& field) { return field.edit->property("wrong").toBool(); };
    if (std::any_of(m_fields.begin(), m_fields.end(), marked)) return; // out of its own range
    // Each is legal by itself. A field is at fault when another value in it alone would make the call possible; where
    // no single one would, all of them are.
    const OpArgs possible = proposal(op, entry);
    std::vector<QLineEdit*> culprits;
    for (std::size_t i = 0; i < m_fields.size() && m_fields.size() > 1 && !namesTensor(); ++i) {
        OpArgs changed = args;
        changed.resize(std::max(changed.size(), i + 1));
        changed[i] = i < possible.size() ? possible[i] : OpArg(std::monostate{});
        if (applyViewOp(op.name, changed, entry.tensor.view(), entry.tensor.storageNumel()).ok())
            culprits.push_back(m_fields[i].edit);
    }
    if (culprits.empty()) {
        for (const Field& field : m_fields) culprits.push_back(field.edit);
    }
    for (QLineEdit* edit : culprits) setInvalid(edit, true);
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
    QWidget::keyPressEvent(event);
}

} // namespace stridescope
