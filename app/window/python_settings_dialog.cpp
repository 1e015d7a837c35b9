#include "app/window/python_settings_dialog.h"

#include "app/python/interpreter.h"
#include "app/settings/settings.h"
#include "widgets/model/words.h"

#include <QComboBox>
#include <QDialogButtonBox>
#include <QDoubleSpinBox>
#include <QFileDialog>
#include <QFormLayout>
#include <QFrame>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QVBoxLayout>

#include <unistd.h>

namespace stridescope {

namespace {

enum MemoryKind : int { HalfOfAll, Own, NoLimit };
constexpr double kGigabyte = 1e9;

double machineMemory() {
    return static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGESIZE));
}

QLabel* plainLabel(const QString& text, QWidget* parent) {
    auto* label = new QLabel(parent);
    label->setTextFormat(Qt::PlainText);
    label->setWordWrap(true);
    label->setText(text);
    return label;
}

} // namespace

KernelClient::Options kernelOptions(const Settings& settings) {
    return {settings.text(QStringLiteral("python")),
            static_cast<qint64>(settings.value(QStringLiteral("pythonMemory")).toDouble(0))};
}

PythonSettingsDialog::PythonSettingsDialog(Settings* settings, const std::optional<KernelHello>& running,
                                           QWidget* parent)
    : QDialog(parent), m_settings(settings), m_python(new QLineEdit(this)), m_memoryKind(new QComboBox(this)),
      m_memory(new QDoubleSpinBox(this)), m_refusal(new QFrame(this)), m_refusalText(plainLabel({}, m_refusal)),
      m_now(plainLabel({}, this)),
      m_buttons(new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel, this)) {
    setObjectName(QStringLiteral("pythonSettings"));
    setWindowTitle(tr("Python settings"));
    const KernelClient::Options now = kernelOptions(*settings);
    m_python->setObjectName(QStringLiteral("pythonPath"));
    m_python->setText(now.python);
    m_python->setPlaceholderText(tr("found by itself"));
    m_python->setMinimumWidth(320);
    auto* browse = new QPushButton(tr("Browse…"), this);
    connect(browse, &QPushButton::clicked, this, [this] {
        const QString path = QFileDialog::getOpenFileName(this, tr("Python interpreter"), QStringLiteral("/usr/bin"));
        if (!path.isEmpty()) m_python->setText(path);
    });
    auto* pythonRow = new QHBoxLayout;
    pythonRow->addWidget(m_python, 1);
    pythonRow->addWidget(browse);
    const auto half = static_cast<quint64>(machineMemory() / 2);
    m_memoryKind->setObjectName(QStringLiteral("memoryKind"));
    m_memoryKind->addItem(tr("half of this machine's memory (%1)").arg(bytesText(half)));
    m_memoryKind->addItem(tr("as many GB as"));
    m_memoryKind->addItem(tr("no limit"));
    m_memory->setObjectName(QStringLiteral("memoryLimit"));
    m_memory->setAccessibleName(tr("Memory limit in GB"));
    m_memory->setSuffix(tr(" GB"));
    m_memory->setDecimals(1);
    m_memory->setRange(0.1, 1e6);
    m_memory->setValue(now.memoryLimit > 0 ? static_cast<double>(now.memoryLimit) / kGigabyte
                                           : static_cast<double>(half) / kGigabyte);
    m_memoryKind->setCurrentIndex(now.memoryLimit < 0 ? NoLimit : now.memoryLimit == 0 ? HalfOfAll : Own);
    m_memory->setEnabled(m_memoryKind->currentIndex() == Own);
    connect(m_memoryKind, &QComboBox::currentIndexChanged, this,
            [this](int kind) { m_memory->setEnabled(kind == Own); });
    auto* memoryRow = new QHBoxLayout;
    memoryRow->addWidget(m_memoryKind, 1);
    memoryRow->addWidget(m_memory);
    auto* form = new QFormLayout;
    form->setVerticalSpacing(12);
    form->setHorizontalSpacing(16);
    form->addRow(tr("Interpreter"), pythonRow);
    form->addRow(tr("Memory"), memoryRow);
    m_python->setAccessibleName(tr("Interpreter"));
    m_memoryKind->setAccessibleName(tr("Memory limit"));

    m_now->setProperty("quiet", true);
    QString words = running ? tr("Running now: Python %1, %2, %3.")
                                  .arg(running->python, plainName(running->program),
                                       running->memoryLimit > 0
                                           ? tr("at most %1").arg(bytesText(static_cast<quint64>(running->memoryLimit)))
                                           : tr("no memory limit"))
                            : tr("No Python is running now.");
    if (running)
        words += tr(" It is started again with what is chosen here: tensors stay, other Python names are lost.");
    m_running = words;
    m_now->setText(words);
    connect(m_python, &QLineEdit::textChanged, m_refusal, &QWidget::hide); // it was about another one
    m_refusal->setObjectName(QStringLiteral("pythonRefusal"));
    m_refusal->setProperty("kind", QStringLiteral("message"));
    auto* inside = new QVBoxLayout(m_refusal);
    inside->addWidget(m_refusalText);
    m_refusal->hide();
    m_buttons->button(QDialogButtonBox::Ok)->setText(running ? tr("Use and start again") : tr("Use"));
    for (QAbstractButton* button : m_buttons->buttons()) button->setIcon(QIcon());
    connect(m_buttons, &QDialogButtonBox::accepted, this, &PythonSettingsDialog::accept);
    connect(m_buttons, &QDialogButtonBox::rejected, this, &PythonSettingsDialog::reject);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(20, 20, 20, 16);
    column->setSpacing(14);
    column->addLayout(form);
    column->addWidget(m_now);
    column->addWidget(m_refusal);
    column->addStretch(1);
    column->addWidget(m_buttons);
    setMinimumWidth(560);
}

PythonSettingsDialog::~PythonSettingsDialog() = default;

KernelClient::Options PythonSettingsDialog::asked() const {
    KernelClient::Options options;
    options.python = m_python->text().trimmed();
    const int kind = m_memoryKind->currentIndex();
    options.memoryLimit = kind == HalfOfAll ? 0
                          : kind == NoLimit ? -1
                                            : static_cast<qint64>(m_memory->value() * kGigabyte);
    return options;
}

void PythonSettingsDialog::setTrying(bool trying) {
    for (QWidget* part : {static_cast<QWidget*>(m_python), static_cast<QWidget*>(m_memoryKind)})
        part->setEnabled(!trying);
    m_memory->setEnabled(!trying && m_memoryKind->currentIndex() == Own);
    m_buttons->button(QDialogButtonBox::Ok)->setEnabled(!trying);
}

void PythonSettingsDialog::refuse(const QString& message, const QString& hint) {
    setTrying(false);
    m_now->setText(m_running);
    m_refusalText->setText(tr("Nothing was changed: %1").arg(message) +
                           (hint.isEmpty() ? QString() : QLatin1Char('\n') + hint));
    m_refusalText->setAccessibleName(m_refusalText->text());
    m_refusal->show();
    adjustSize();
    m_python->setFocus(Qt::OtherFocusReason);
}

void PythonSettingsDialog::accept() {
    const double most = machineMemory();
    if (m_memoryKind->currentIndex() == Own && m_memory->value() * kGigabyte > most) {
        refuse(tr("the limit is %1 and this machine has %2.")
                   .arg(bytesText(static_cast<quint64>(m_memory->value() * kGigabyte)),
                        bytesText(static_cast<quint64>(most))),
               tr("Choose less, or no limit."));
        return;
    }
    setTrying(true);
    m_refusal->hide();
    const QString python = m_python->text().trimmed();
    m_now->setText(tr("Starting %1, to see whether it can be used. It has %2 s.")
                       .arg(python.isEmpty() ? tr("a Python") : plainName(python))
                       .arg(PythonSearch::kAnswerMilliseconds / 1000));
    m_trial = std::make_unique<KernelClient>();
    const KernelClient::Options options = asked();
    m_trial->setOptions(options);
    connect(m_trial.get(), &KernelClient::ready, this, [this, options] {
        m_settings->set(QStringLiteral("python"), options.python.isEmpty() ? QJsonValue() : QJsonValue(options.python));
        m_settings->set(QStringLiteral("pythonMemory"),
                        options.memoryLimit == 0 ? QJsonValue() : QJsonValue(static_cast<double>(options.memoryLimit)));
        m_settings->saveLater();
        Q_EMIT chosen(options);
        QDialog::accept();
    });
    connect(m_trial.get(), &KernelClient::ended, this, [this](const KernelEnd& end) {
        // The search's own words are for the command line.
        const QStringList wrongChoice{QStringLiteral("PY-02"), QStringLiteral("PY-03"), QStringLiteral("PY-04")};
        refuse(end.message,
               wrongChoice.contains(end.refusal)
                   ? tr("Name a CPython 3.11, say /usr/bin/python3.11, or leave the field empty to have one "
                        "looked for.")
                   : end.hint);
    });
    m_trial->start();
}

} // namespace stridescope
