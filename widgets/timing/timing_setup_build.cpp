// The parts of the panel "What to time".

#include "core/timing/timed_operation.h"
#include "widgets/shared/elided_label.h"
#include "widgets/timing/check_segments.h"
#include "widgets/timing/size_range.h"
#include "widgets/timing/timing_setup.h"

#include <QButtonGroup>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QProgressBar>
#include <QPushButton>
#include <QRadioButton>
#include <QScrollArea>

#include <thread>

namespace stridescope {

namespace {

QString words(std::string_view text) {
    return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

QLabel* heading(const QString& text, QWidget* parent) {
    auto* label = new QLabel(text, parent);
    label->setProperty("heading", true);
    return label;
}

QFrame* rule(QWidget* parent) {
    auto* line = new QFrame(parent);
    line->setProperty("kind", QStringLiteral("line"));
    return line;
}

/// As many of the course's operations have a row of their own.
constexpr int kRows = 6;

} // namespace

TimingSetup::TimingSetup(QWidget* parent) : QWidget(parent) {
    setProperty("role", QStringLiteral("panel"));
    setAccessibleName(tr("What to time"));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    auto* content = new QWidget(this);
    content->setProperty("role", QStringLiteral("panel"));
    auto* parts = new QVBoxLayout(content);
    parts->setContentsMargins(14, 10, 14, 10);
    parts->setSpacing(10);
    parts->addWidget(buildWhat());
    parts->addWidget(rule(content));
    parts->addWidget(buildHow());
    parts->addWidget(rule(content));
    parts->addWidget(buildRecorded());
    parts->addStretch();
    auto* area = new QScrollArea(this);
    area->setObjectName(QStringLiteral("timingSetupArea"));
    area->setWidget(content);
    area->setWidgetResizable(true);
    area->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    area->setFrameShape(QFrame::NoFrame);
    area->setFocusPolicy(Qt::NoFocus);
    column->addWidget(area, 1);
    column->addWidget(rule(this));
    column->addWidget(buildFoot());
    setDevices({{QStringLiteral("cpu"), {}}});
    showSizes();
    setRunning(false);
}

QWidget* TimingSetup::buildWhat() {
    auto* part = new QWidget(this);
    auto* column = new QVBoxLayout(part);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(3);
    column->addWidget(heading(tr("What to time"), part));
    m_what = new QButtonGroup(part);
    const auto add = [&](const QString& text, QWidget* beside) {
        auto* line = new QHBoxLayout;
        line->setContentsMargins(0, 0, 0, 0);
        auto* button = new QRadioButton(text, part);
        button->setObjectName(QStringLiteral("timed:") + text);
        button->setMinimumHeight(22);
        m_what->addButton(button, static_cast<int>(m_what->buttons().size()));
        line->addWidget(button);
        line->addWidget(beside, 1);
        column->addLayout(line);
        return button;
    };
    for (const std::string_view name : timing::courseOperations()) {
        if (m_course.size() == kRows) break;
        const timing::TimedOperation* operation = timing::findTimedOperation(name);
        if (!operation) continue;
        auto* code = new ElidedLabel(part);
        code->setText(words(operation->statement));
        code->setProperty("mono", true);
        code->setProperty("quiet", true);
        code->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
        m_course << words(name);
        add(m_course.back(), code);
    }
    m_others = new QComboBox(part);
    m_others->setObjectName(QStringLiteral("timedOthers"));
    m_others->setAccessibleName(tr("Another operation"));
    m_others->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_others->setMinimumContentsLength(8);
    for (const timing::TimedOperation& operation : timing::timedOperations()) m_others->addItem(words(operation.name));
    add(tr("Other"), m_others);
    add(tr("Python statement"), new QWidget(part));
    m_what->button(0)->setChecked(true);
    m_statementFields = new QWidget(part);
    auto* fields = new QVBoxLayout(m_statementFields);
    fields->setContentsMargins(22, 0, 0, 0);
    fields->setSpacing(4);
    m_setup = new QLineEdit(m_statementFields);
    m_setup->setObjectName(QStringLiteral("timedSetup"));
    m_setup->setPlaceholderText(tr("setup: a = torch.rand(n, n)"));
    m_setup->setAccessibleName(tr("Setup, run once"));
    m_statement = new QLineEdit(m_statementFields);
    m_statement->setObjectName(QStringLiteral("timedStatement"));
    m_statement->setPlaceholderText(tr("statement: a @ a"));
    m_statement->setAccessibleName(tr("Statement that is timed"));
    fields->addWidget(m_setup);
    fields->addWidget(m_statement);
    column->addWidget(m_statementFields);
    connect(m_what, &QButtonGroup::idClicked, this, &TimingSetup::follow);
    connect(m_others, &QComboBox::activated, this, &TimingSetup::follow);
    for (QLineEdit* field : {m_setup, m_statement}) connect(field, &QLineEdit::textEdited, this, &TimingSetup::follow);
    return part;
}

QWidget* TimingSetup::row(const QString& label, QWidget* field, QWidget* parent) {
    auto* line = new QWidget(parent);
    auto* across = new QHBoxLayout(line);
    across->setContentsMargins(0, 0, 0, 0);
    across->setSpacing(8);
    auto* name = new QLabel(label, line);
    name->setProperty("quiet", true);
    name->setFixedWidth(66);
    across->addWidget(name);
    across->addWidget(field, 1);
    return line;
}

QWidget* TimingSetup::buildHow() {
    auto* part = new QWidget(this);
    auto* column = new QVBoxLayout(part);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(5);
    auto* sizes = new QHBoxLayout;
    auto* sizesName = new QLabel(tr("Sizes n"), part);
    sizesName->setProperty("quiet", true);
    sizes->addWidget(sizesName);
    m_sizesShown = new QLabel(part);
    m_sizesShown->setAlignment(Qt::AlignRight);
    sizes->addWidget(m_sizesShown, 1);
    column->addLayout(sizes);
    m_range = new SizeRange(part);
    m_range->setObjectName(QStringLiteral("timedRange"));
    column->addWidget(m_range);
    m_sizes = new QLineEdit(QStringLiteral("64:1024:x2"), part);
    m_sizes->setObjectName(QStringLiteral("timedSizes"));
    m_sizes->setAccessibleName(tr("Sizes"));
    m_sizes->setToolTip(tr("64:8192:x2 doubles, 64:512:+64 goes in steps, 64,100,500 are these."));
    column->addWidget(m_sizes);
    connect(m_range, &SizeRange::rangeChanged, this, [this](int low, int high) {
        m_sizes->setText(QStringLiteral("%1:%2:x2").arg(Index{1} << low).arg(Index{1} << high));
        showSizes();
        follow();
    });
    connect(m_sizes, &QLineEdit::textEdited, this, [this] {
        showSizes();
        follow();
    });
    const auto segments = [&](const char* name, const QString& label, bool one,
                              const std::vector<CheckSegments::Choice>& choices) {
        auto* made = new CheckSegments(label, one, part);
        made->setObjectName(QLatin1String(name));
        made->setChoices(choices);
        column->addWidget(row(label, made, part));
        connect(made, &CheckSegments::changed, this, &TimingSetup::follow);
        return made;
    };
    const auto choice = [](const char* key, const QString& text, const QString& tip) {
        return CheckSegments::Choice{QLatin1String(key), text, tip};
    };
    m_devices = segments("timedDevices", tr("Devices"), false, {});
    m_dtypes = segments("timedDtypes", tr("dtype"), false,
                        {choice("float32", QStringLiteral("f32"), QStringLiteral("float32")),
                         choice("float64", QStringLiteral("f64"), QStringLiteral("float64")),
                         choice("float16", QStringLiteral("f16"), QStringLiteral("float16")),
                         choice("int64", QStringLiteral("i64"), QStringLiteral("int64"))});
    m_threads = new QLineEdit(part);
    m_threads->setObjectName(QStringLiteral("timedThreads"));
    m_threads->setAccessibleName(tr("Threads"));
    m_threads->setToolTip(tr("Of the CPU: 1,2 measures with one and with two, in turns."));
    m_threads->setText(std::thread::hardware_concurrency() > 1
                           ? QStringLiteral("1,%1").arg(std::thread::hardware_concurrency())
                           : QStringLiteral("1"));
    column->addWidget(row(tr("Threads"), m_threads, part));
    connect(m_threads, &QLineEdit::textEdited, this, &TimingSetup::follow);
    m_rounds = new QSpinBox(part);
    m_rounds->setObjectName(QStringLiteral("timedRounds"));
    m_rounds->setAccessibleName(tr("Blocks for each size, at most"));
    m_rounds->setToolTip(
        tr("Blocks of calls for each size, at most: it ends before when the interval of the median is within 2 %."));
    m_rounds->setRange(7, 100'000);
    m_rounds->setValue(1000);
    column->addWidget(row(tr("Blocks ≤"), m_rounds, part));
    m_seconds = new QDoubleSpinBox(part);
    m_seconds->setObjectName(QStringLiteral("timedSeconds"));
    m_seconds->setAccessibleName(tr("Seconds for each size, at most"));
    m_seconds->setRange(0.05, 600);
    m_seconds->setDecimals(2);
    m_seconds->setValue(3);
    m_seconds->setSuffix(tr(" s"));
    column->addWidget(row(tr("Time ≤"), m_seconds, part));
    m_warmUp = new QDoubleSpinBox(part);
    m_warmUp->setObjectName(QStringLiteral("timedWarmUp"));
    m_warmUp->setAccessibleName(tr("Seconds of warm-up, at most"));
    m_warmUp->setToolTip(tr(
        "Blocks are thrown away until two agree within 5 %, for so long at most. 0: the mistake of leaving it out."));
    m_warmUp->setRange(0, 60);
    m_warmUp->setDecimals(2);
    m_warmUp->setValue(1);
    m_warmUp->setSuffix(tr(" s"));
    m_warmUp->setSpecialValueText(tr("none"));
    column->addWidget(row(tr("Warm-up ≤"), m_warmUp, part));
    connect(m_rounds, &QSpinBox::valueChanged, this, &TimingSetup::follow);
    for (QDoubleSpinBox* box : {m_seconds, m_warmUp})
        connect(box, &QDoubleSpinBox::valueChanged, this, &TimingSetup::follow);
    m_cache =
        segments("timedCache", tr("Cache"), true,
                 {choice("default", tr("usual"), tr("Warm for products and algebra, cold for what moves memory.")),
                  choice("warm", tr("hot"), tr("The same operands again and again.")),
                  choice("cold", tr("cold"), tr("Operands in turn, together larger than the last cache."))});
    m_layouts = segments("timedLayouts", tr("Input"), false,
                         {choice("contiguous", tr("rows"), tr("contiguous")),
                          choice("transposed", QStringLiteral("t()"), tr("The last two dims swapped in memory.")),
                          choice("stepped", QStringLiteral("::2"), tr("Every second element of the last dim.")),
                          choice("expanded", QStringLiteral("expand"), tr("One row, repeated with stride 0."))});
    m_transfers =
        segments("timedTransfers", tr("Transfers"), true,
                 {choice("with", tr("in and out"), tr("Upload, kernel, download, and all three as one call.")),
                  choice("without", tr("none"), tr("The kernel alone."))});
    m_problem = new QLabel(part);
    m_problem->setObjectName(QStringLiteral("timingProblem"));
    m_problem->setTextFormat(Qt::PlainText);
    m_problem->setWordWrap(true);
    column->addWidget(m_problem);
    return part;
}

QWidget* TimingSetup::buildRecorded() {
    auto* part = new QWidget(this);
    auto* column = new QVBoxLayout(part);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(5);
    column->addWidget(heading(tr("Recorded series"), part));
    m_recordedRows = new QVBoxLayout;
    m_recordedRows->setSpacing(2);
    column->addLayout(m_recordedRows);
    auto* buttons = new QHBoxLayout;
    const auto button = [&](const QString& text, const char* name, const QString& tip) {
        auto* made = new QPushButton(text, part);
        made->setObjectName(QLatin1String(name));
        made->setProperty("small", true);
        made->setToolTip(tip);
        buttons->addWidget(made);
        return made;
    };
    auto* open = button(tr("Open…"), "openSeries",
                        tr("A run saved as JSON or CSV, here or on another machine: shown over this one."));
    connect(open, &QPushButton::clicked, this, &TimingSetup::openRequested);
    m_save = button(tr("Save…"), "saveSeries", tr("The run that is shown with every block, as JSON or CSV."));
    connect(m_save, &QPushButton::clicked, this, &TimingSetup::saveRequested);
    auto* copy = button(tr("Copy"), "copyTimes", tr("The table as text, columns separated by tabs."));
    connect(copy, &QPushButton::clicked, this, &TimingSetup::copyRequested);
    column->addLayout(buttons);
    m_fileWords = new QLabel(part);
    m_fileWords->setObjectName(QStringLiteral("seriesWords"));
    m_fileWords->setTextFormat(Qt::PlainText);
    m_fileWords->setWordWrap(true);
    m_fileWords->hide();
    column->addWidget(m_fileWords);
    column->addSpacing(6);
    column->addWidget(heading(tr("Measured peak, this machine"), part));
    m_peakRows = new QVBoxLayout;
    m_peakRows->setSpacing(2);
    column->addLayout(m_peakRows);
    setPeaks({});
    setRecorded({});
    return part;
}

QWidget* TimingSetup::buildFoot() {
    auto* part = new QWidget(this);
    part->setProperty("role", QStringLiteral("panel"));
    auto* column = new QVBoxLayout(part);
    column->setContentsMargins(14, 8, 14, 10);
    column->setSpacing(6);
    m_words = new ElidedLabel(part);
    m_words->setProperty("quiet", true);
    m_words->setObjectName(QStringLiteral("timingProgress"));
    column->addWidget(m_words);
    m_bar = new QProgressBar(part);
    m_bar->setRange(0, 1000);
    m_bar->setTextVisible(false);
    m_bar->setFixedHeight(8);
    m_bar->setAccessibleName(tr("How far the sweep is"));
    column->addWidget(m_bar);
    auto* buttons = new QHBoxLayout;
    m_run = new QPushButton(tr("Run sweep"), part);
    m_run->setObjectName(QStringLiteral("runSweep"));
    m_run->setProperty("kind", QStringLiteral("primary"));
    m_stop = new QPushButton(tr("Stop"), part);
    m_stop->setObjectName(QStringLiteral("stopSweep"));
    buttons->addWidget(m_run, 1);
    buttons->addWidget(m_stop);
    column->addLayout(buttons);
    connect(m_run, &QPushButton::clicked, this, &TimingSetup::runRequested);
    connect(m_stop, &QPushButton::clicked, this, &TimingSetup::stopRequested);
    return part;
}

} // namespace stridescope
