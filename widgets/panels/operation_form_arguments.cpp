// The arguments of the form: proposed, read, and marked where they make a call impossible.

#include "core/view/parse.h"
#include "widgets/panels/operation_form.h"
#include "widgets/panels/operation_suggestions.h"

#include <QComboBox>
#include <QLineEdit>
#include <QStyle>

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

} // namespace

void OperationForm::setInvalid(QLineEdit* edit, bool invalid) {
    if (edit->property("wrong").toBool() == invalid) return;
    edit->setProperty("wrong", invalid);
    edit->style()->unpolish(edit);
    edit->style()->polish(edit);
}

void OperationForm::proposeArguments() {
    const TensorEntry* entry = m_workspace->selected();
    const ViewOp* op = operation();
    if (!entry || !op) return;
    m_target = entry->id;
    m_typed = false;
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

} // namespace stridescope
