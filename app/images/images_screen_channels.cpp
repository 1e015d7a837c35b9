// The channels of the images' screen: alone, overwritten, swapped, each by a step of the list, and as what they are
// shown.

#include "app/images/image_channels.h"
#include "app/images/images_screen.h"
#include "app/images/screen_parts.h"
#include "widgets/images/image_grid_view.h"
#include "widgets/images/pixel_panel.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QToolButton>

#include <set>

namespace stridescope {

QWidget* ImagesScreen::buildChannels() {
    auto* line = new QWidget(m_page);
    auto* row = new QHBoxLayout(line);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(4);
    const auto segment = [&](QFrame* frame, const QString& text, const QString& name, const QString& what) {
        auto* button = new QPushButton(text, frame);
        button->setCheckable(true);
        button->setAccessibleName(name);
        button->setToolTip(what);
        frame->layout()->addWidget(button);
        return button;
    };
    const auto group = [&] {
        auto* frame = new QFrame(line);
        frame->setProperty("kind", QStringLiteral("segments"));
        frame->setProperty("small", true);
        auto* inside = new QHBoxLayout(frame);
        inside->setContentsMargins(0, 0, 0, 0);
        inside->setSpacing(0);
        row->addWidget(frame);
        return frame;
    };
    for (int c = 0; c < 3; ++c) {
        QFrame* frame = group();
        const QString letter = channelLetter(c, 3);
        auto* name = new QLabel(QStringLiteral(" %1 ").arg(letter), frame);
        name->setProperty("heading", true);
        name->setToolTip(tr("Channel %1 of dim 1").arg(c));
        frame->layout()->addWidget(name);
        ChannelButtons buttons;
        buttons.solo = segment(frame, tr("Solo"), tr("Solo %1").arg(letter),
                               tr("This channel alone, as a step of the list: a view, nothing is written."));
        buttons.kill = segment(frame, tr("Kill"), tr("Kill %1").arg(letter),
                               tr("Writes -1 (0 for integers) into this channel: a step of the list."));
        buttons.kill->setObjectName(QStringLiteral("kill%1").arg(c));
        buttons.solo->setObjectName(QStringLiteral("solo%1").arg(c));
        connect(buttons.solo, &QPushButton::clicked, this, [this, c] { soloChannel(c); });
        connect(buttons.kill, &QPushButton::clicked, this, [this, c](bool on) { killChannel(c, on); });
        m_channels.push_back(buttons);
    }
    m_fill = new QLineEdit(line);
    m_fill->setObjectName(QStringLiteral("fillValue"));
    m_fill->setProperty("kind", QStringLiteral("number"));
    m_fill->setFixedWidth(34);
    m_fill->setPlaceholderText(tr("fill"));
    m_fill->setAccessibleName(tr("Value that Kill writes"));
    m_fill->setToolTip(tr("What Kill writes: -1 for floats and 0 for integers unless a number stands here."));
    connect(m_fill, &QLineEdit::editingFinished, this, &ImagesScreen::fillChannels);
    row->addWidget(m_fill);
    row->addWidget(buildSwaps());
    QFrame* show = group();
    m_colour = segment(show, tr("colour"), tr("Show colours"), tr("Channels 0, 1 and 2 as red, green and blue."));
    m_grey = segment(show, tr("grey"), tr("Show grey"), tr("Their weighted sum (BT.601), to look at only."));
    m_tint = segment(show, tr("tint"), tr("Show tints"), tr("A single channel in its own colour instead of grey."));
    const auto look = [this](ChannelLook channels) {
        ImageLook next = m_look;
        next.show = channels;
        setLook(next);
    };
    connect(m_colour, &QPushButton::clicked, this, [look] { look(ChannelLook::Colour); });
    connect(m_grey, &QPushButton::clicked, this, [look] { look(ChannelLook::Grey); });
    connect(m_tint, &QPushButton::clicked, this, [look] { look(ChannelLook::Tint); });
    row->addStretch();
    auto* save = new QPushButton(tr("Export…"), line);
    save->setToolTip(tr("Saves the grid as save_image does."));
    save->setObjectName(QStringLiteral("exportGrid"));
    save->setProperty("kind", QStringLiteral("primary"));
    connect(save, &QPushButton::clicked, this, &ImagesScreen::askToExport);
    row->addWidget(save);
    return line;
}

QToolButton* ImagesScreen::buildSwaps() {
    m_swaps = menuButton(tr("Swap"), tr("Two channels in each other's place: a step of the list."), m_page);
    m_swaps->setObjectName(QStringLiteral("swapChannels"));
    const QString letters = QStringLiteral("RGB");
    for (const auto& [a, b] : {std::pair(0, 1), std::pair(0, 2), std::pair(1, 2)})
        m_swaps->menu()->addAction(tr("%1 and %2").arg(letters[a]).arg(letters[b]), this, [this, a = a, b = b] {
            if (const auto dim = channelDim(shownTensor())) addStep(swapCode(*dim, a, b));
        });
    return m_swaps;
}

void ImagesScreen::showChannels() {
    const Tensor& shown = shownTensor();
    const Index channels = channelDim(shown) ? shown.size(-3) : 0;
    const auto solo = soloOf(m_result);
    std::set<int> killed;
    for (const KilledChannel& each : killedChannels(m_result)) killed.insert(each.channel);
    for (int c = 0; c < 3; ++c) {
        const ChannelButtons& buttons = m_channels[static_cast<std::size_t>(c)];
        // The one channel that is left keeps its letter.
        const int drawn = !solo ? c : solo->channel == c ? 0 : -1;
        buttons.solo->setEnabled(solo || (channels > 1 && channels <= 3 && c < channels));
        buttons.kill->setEnabled(drawn >= 0 && drawn < channels);
        buttons.solo->setChecked(solo && solo->channel == c);
        buttons.kill->setChecked(killed.count(drawn) > 0);
    }
    m_swaps->setEnabled(channels == 3);
    m_colour->setChecked(m_look.show == ChannelLook::Colour);
    m_grey->setChecked(m_look.show == ChannelLook::Grey);
    m_tint->setChecked(m_look.show == ChannelLook::Tint);
}

void ImagesScreen::soloChannel(int channel) {
    finishRun(); // what the list makes tells which dim is the channels
    setSteps(withSolo(m_result, channel));
    showChannels();
}

void ImagesScreen::killChannel(int channel, bool kill) {
    finishRun();
    setSteps(withKilled(m_result, soloOf(m_result) ? 0 : channel, kill, fillValue()));
    showChannels();
}

QString ImagesScreen::fillValue() const {
    bool isNumber = false;
    m_fill->text().toDouble(&isNumber);
    if (isNumber) return m_fill->text();
    const bool floating = shownTensor().defined() && isFloating(shownTensor().dtype());
    return floating ? QStringLiteral("-1") : QStringLiteral("0");
}

/// Another value for what is overwritten already.
void ImagesScreen::fillChannels() {
    bool isNumber = false;
    m_fill->text().toDouble(&isNumber);
    if (!isNumber) return;
    finishRun();
    setSteps(withFill(m_result, fillValue()));
}

} // namespace stridescope
