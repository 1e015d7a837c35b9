#include "widgets/images/step_list.h"

#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QStyle>
#include <QToolButton>
#include <QVBoxLayout>

namespace stridescope {

class StepList::Row : public QFrame {
public:
    Row(StepList* list, int number) : QFrame(list) {
        setObjectName(QStringLiteral("step%1").arg(number));
        auto* across = new QHBoxLayout(this);
        across->setContentsMargins(8, 4, 4, 4);
        across->setSpacing(8);
        m_number = new QLabel(QString::number(number + 1), this);
        m_number->setAlignment(Qt::AlignTop | Qt::AlignHCenter);
        m_number->setFixedWidth(16);
        m_picture = new QLabel(this);
        m_picture->setFixedSize(44, 44);
        across->addWidget(m_number);
        across->addWidget(m_picture, 0, Qt::AlignTop);
        auto* words = new QVBoxLayout;
        words->setSpacing(1);
        m_code = new QLineEdit(this);
        m_code->setProperty("mono", true);
        m_code->setAccessibleName(StepList::tr("Step %1").arg(number + 1));
        m_facts = new QLabel(this);
        m_facts->setProperty("quiet", true);
        m_facts->setTextFormat(Qt::PlainText);
        m_facts->setWordWrap(true);
        words->addWidget(m_code);
        auto* buttons = new QGridLayout;
        buttons->setSpacing(0);
        const auto button = [&](const char* icon, const QString& what, auto act) {
            auto* made = new QToolButton(this);
            made->setProperty("kind", QStringLiteral("icon"));
            made->setObjectName(QString::fromLatin1(icon));
            made->setAccessibleName(what);
            made->setToolTip(what);
            made->setIconSize({14, 14});
            QObject::connect(made, &QToolButton::clicked, list, act);
            const int place = static_cast<int>(m_buttons.size());
            buttons->addWidget(made, place / 2, place % 2);
            m_buttons.push_back(made);
        };
        button("eye", StepList::tr("Switch on or off"), [this, list, number] { Q_EMIT list->switched(number, !m_on); });
        button("chevron-up", StepList::tr("Earlier"), [list, number] { Q_EMIT list->moved(number, -1); });
        button("chevron-down", StepList::tr("Later"), [list, number] { Q_EMIT list->moved(number, 1); });
        button("delete", StepList::tr("Remove"), [list, number] { Q_EMIT list->removed(number); });
        auto* below = new QHBoxLayout;
        below->setSpacing(0);
        below->addWidget(m_facts, 1, Qt::AlignTop);
        below->addLayout(buttons);
        words->addLayout(below);
        across->addLayout(words, 1);
        QObject::connect(m_code, &QLineEdit::editingFinished, list, [this, list, number] {
            if (m_code->text() != m_step.code) Q_EMIT list->codeEdited(number, m_code->text());
        });
    }

    void show(const ShownStep& step, const Theme& theme) {
        m_step = step;
        m_on = step.on;
        if (!m_code->hasFocus() || !m_code->isModified()) m_code->setText(step.code);
        m_code->setModified(false);
        m_code->setCursorPosition(0);
        m_code->setEnabled(step.on);
        m_code->setToolTip(step.code);
        m_code->setProperty("wrong", !step.why.isEmpty());
        m_code->style()->unpolish(m_code);
        m_code->style()->polish(m_code);
        QStringList words;
        if (!step.on) words << StepList::tr("off");
        if (step.on && !step.why.isEmpty()) words << QStringLiteral("✗ ") + step.why;
        if (step.on && step.why.isEmpty()) words << step.facts << step.cost;
        m_facts->setText(words.join(QLatin1Char('\n')));
        m_picture->setPixmap(step.picture.isNull() || !step.on
                                 ? QPixmap()
                                 : QPixmap::fromImage(step.picture.scaled(44, 44, Qt::KeepAspectRatio)));
        for (QToolButton* each : m_buttons)
            each->setIcon(theme.icon(each->objectName() == QStringLiteral("eye") && !step.on ? QStringLiteral("eye-off")
                                                                                             : each->objectName()));
    }

private:
    ShownStep m_step;
    bool m_on = true;
    QLabel *m_number, *m_picture, *m_facts;
    QLineEdit* m_code;
    std::vector<QToolButton*> m_buttons;
};

StepList::StepList(QWidget* parent) : QWidget(parent), m_rows(new QVBoxLayout(this)) {
    setObjectName(QStringLiteral("stepList"));
    setAccessibleName(tr("Operations"));
    m_rows->setContentsMargins(0, 0, 0, 0);
    m_rows->setSpacing(2);
    m_rows->addStretch();
}

void StepList::setTheme(const Theme& theme) {
    m_theme = theme;
}

void StepList::setSteps(const std::vector<ShownStep>& steps) {
    while (m_shown.size() > steps.size()) {
        m_shown.back()->hide();
        m_shown.back()->deleteLater();
        m_shown.pop_back();
    }
    while (m_shown.size() < steps.size()) {
        auto* row = new Row(this, static_cast<int>(m_shown.size()));
        m_rows->insertWidget(static_cast<int>(m_shown.size()), row);
        m_shown.push_back(row);
    }
    for (std::size_t i = 0; i < steps.size(); ++i) m_shown[i]->show(steps[i], m_theme);
}

} // namespace stridescope
