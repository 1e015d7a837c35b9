#include "app/window/code_assistant.h"

#include "app/kernel/kernel_client.h"
#include "widgets/code/code_edit.h"

namespace stridescope {

namespace {

constexpr int kPause = 60; ///< milliseconds without a key

} // namespace

CodeAssistant::CodeAssistant(CodeEdit* edit, KernelClient* kernel, QObject* parent)
    : QObject(parent), m_edit(edit), m_kernel(kernel) {
    m_pause.setSingleShot(true);
    m_pause.setInterval(kPause);
    connect(&m_pause, &QTimer::timeout, this,
            [this] { ask(m_edit->isCompleting() || listIsDue() ? Wanted::List : Wanted::Call); });
    connect(m_edit, &CodeEdit::completionWanted, this, [this] { ask(Wanted::List); });
    connect(m_edit, &QPlainTextEdit::textChanged, this, [this] {
        if (!m_on || !m_edit->hasFocus()) return;
        if (m_edit->isCompleting() || listIsDue() || isInCall())
            m_pause.start();
        else
            m_edit->showCall({});
    });
    connect(m_edit, &QPlainTextEdit::cursorPositionChanged, this, [this] {
        // An arrow may lead to another argument, or out of the call.
        if (m_on && m_edit->callTip() && m_edit->callTip()->isVisible()) m_pause.start();
    });
    connect(m_kernel, &KernelClient::completed, this, [this](quint64 id, const KernelCompletions& found) {
        // An answer to what is there no more would stand beside the wrong word.
        if (id != m_asked || m_text != m_edit->text() || m_cursor != m_edit->textCursor().position()) return;
        m_asked = 0;
        show(found);
    });
}

void CodeAssistant::setOn(bool on) {
    m_on = on;
    m_edit->setCompletes(on);
}

bool CodeAssistant::isInCall() const {
    // Not exact: Python is asked for that. Far back a bracket that is open would cost time to find.
    constexpr int kFar = 2000;
    const QString before = m_edit->text().left(m_edit->textCursor().position()).right(kFar);
    return before.count(QLatin1Char('(')) > before.count(QLatin1Char(')'));
}

void CodeAssistant::ask(Wanted wanted) {
    if (!m_on) return;
    m_pause.stop(); // what waited was less, or the same
    if (m_kernel->state() != KernelClient::State::Idle) {
        m_edit->showCall({});
        if (wanted == Wanted::List) {
            if (m_kernel->state() == KernelClient::State::Off) m_kernel->start(); // the next one is answered
            showKnownNames();
        }
        return;
    }
    m_wanted = wanted;
    m_text = m_edit->text();
    m_cursor = m_edit->textCursor().position();
    m_asked = m_kernel->complete(m_text, m_cursor);
}

void CodeAssistant::show(const KernelCompletions& found) {
    m_edit->showCall({found.call.name, found.call.signatures, found.call.argument, found.call.keyword});
    if (m_wanted != Wanted::List) return;
    std::vector<Completion> items;
    for (const KernelMatch& match : found.matches) items.push_back({match.text, match.kind, match.signature});
    // Who asks gets an answer.
    m_edit->showCompletions(items, items.empty() ? tr("Nothing is known that could stand here") : QString());
}

void CodeAssistant::showKnownNames() {
    const QString before = m_edit->lineBefore();
    const QString head = before.left(before.size() - m_edit->wordBefore().size());
    std::vector<Completion> items;
    if (!head.endsWith(QLatin1Char('.'))) {
        for (const KernelVariable& variable : m_kernel->variables().names)
            items.push_back({variable.name, variable.isTensor ? QStringLiteral("tensor") : variable.type, {}});
    }
    const bool busy = m_kernel->state() == KernelClient::State::Busy;
    m_edit->showCompletions(items, busy ? tr("Python is busy: more is known at its end")
                                        : tr("Python is starting: more is known in a moment"));
}

} // namespace stridescope
