// The lists of the panel "What to time": recorded series, and the peaks of this machine.

#include "widgets/shared/elided_label.h"
#include "widgets/timing/timing_setup.h"

#include <QCheckBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QToolButton>

namespace stridescope {

namespace {

void clear(QLayout* layout) {
    while (QLayoutItem* item = layout->takeAt(0)) {
        // Later: it may be the one whose click is being carried out.
        if (QWidget* widget = item->widget()) {
            widget->hide();
            widget->setParent(nullptr);
            widget->deleteLater();
        }
        delete item;
    }
}

} // namespace

void TimingSetup::setRecorded(const std::vector<RecordedEntry>& entries) {
    clear(m_recordedRows);
    for (std::size_t i = 0; i < entries.size(); ++i) {
        auto* line = new QWidget(this);
        auto* across = new QHBoxLayout(line);
        across->setContentsMargins(0, 0, 0, 0);
        auto* check = new QCheckBox(line);
        check->setObjectName(QStringLiteral("series:%1").arg(i));
        check->setChecked(entries[i].shown);
        check->setAccessibleName(entries[i].title + QStringLiteral(", ") + entries[i].detail);
        auto* label = new ElidedLabel(line);
        label->setText(entries[i].title);
        label->setToolTip(entries[i].detail.toHtmlEscaped());
        auto* remove = new QToolButton(line);
        remove->setProperty("kind", QStringLiteral("icon"));
        remove->setIcon(m_theme.icon(QStringLiteral("close")));
        remove->setToolTip(tr("Takes the series off the list; its file stays."));
        remove->setAccessibleName(tr("Remove %1").arg(entries[i].title));
        across->addWidget(check);
        across->addWidget(label, 1);
        across->addWidget(remove);
        m_recordedRows->addWidget(line);
        const int entry = static_cast<int>(i);
        connect(check, &QCheckBox::toggled, this, [this, entry](bool on) { Q_EMIT recordedToggled(entry, on); });
        // Later: the list is built anew for it, this button with it.
        connect(
            remove, &QToolButton::clicked, this, [this, entry] { Q_EMIT recordedRemoved(entry); },
            Qt::QueuedConnection);
    }
    if (!entries.empty()) return;
    auto* none = new QLabel(tr("None yet: open one, or save this one."), this);
    none->setProperty("quiet", true);
    none->setWordWrap(true); // in one line it would make everything above wider than the pane
    m_recordedRows->addWidget(none);
}

void TimingSetup::setPeaks(const std::vector<std::pair<QString, QString>>& peaks) {
    clear(m_peakRows);
    for (const auto& [what, rate] : peaks) {
        auto* line = new QWidget(this);
        auto* across = new QHBoxLayout(line);
        across->setContentsMargins(0, 0, 0, 0);
        auto* name = new ElidedLabel(line);
        name->setText(what);
        name->setProperty("quiet", true);
        auto* value = new QLabel(rate, line);
        value->setTextFormat(Qt::PlainText);
        across->addWidget(name, 1);
        across->addWidget(value);
        m_peakRows->addWidget(line);
    }
    if (!peaks.empty()) return;
    auto* none = new QLabel(tr("Measured with the next sweep."), this);
    none->setProperty("quiet", true);
    none->setWordWrap(true); // in one line it would make everything above wider than the pane
    m_peakRows->addWidget(none);
}

} // namespace stridescope
