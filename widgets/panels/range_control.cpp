#include "widgets/panels/range_control.h"

#include "widgets/shared/reading_direction.h"

#include <QAccessibleWidget>
#include <QKeyEvent>
#include <QLineEdit>
#include <QMouseEvent>
#include <QPainter>
#include <QResizeEvent>
#include <QStyle>
#include <QToolButton>

#include <algorithm>
#include <cmath>

namespace stridescope {

namespace {
constexpr qreal kKnob = 7.5;
constexpr int kTitleLeft = 11;
constexpr int kLeastField = 44;
constexpr int kFieldPadding = 16; ///< the frame and padding of a field, and room for the cursor
constexpr int kStepper = 24;
constexpr int kLine = 38;   ///< height of one line
constexpr int kSecond = 26; ///< of the line below it, when one does not hold everything
constexpr int kLeastSlider = 56;

Index saturatingAdd(Index a, Index b) {
    Index sum = 0;
    if (__builtin_add_overflow(a, b, &sum)) return b > 0 ? INT64_MAX : INT64_MIN;
    return sum;
}

/// A slider with its value and its legal range.
class RangeSliderAccessible : public QAccessibleWidget, public QAccessibleValueInterface {
public:
    explicit RangeSliderAccessible(RangeSlider* slider) : QAccessibleWidget(slider, QAccessible::Slider) {}

    void* interface_cast(QAccessible::InterfaceType type) override {
        if (type == QAccessible::ValueInterface) return static_cast<QAccessibleValueInterface*>(this);
        return QAccessibleWidget::interface_cast(type);
    }
    QString text(QAccessible::Text kind) const override {
        return kind == QAccessible::Value ? QString::number(slider()->value()) : QAccessibleWidget::text(kind);
    }
    QVariant currentValue() const override { return static_cast<qlonglong>(slider()->value()); }
    QVariant minimumValue() const override { return static_cast<qlonglong>(slider()->low()); }
    QVariant maximumValue() const override { return static_cast<qlonglong>(slider()->shownHigh()); }
    QVariant minimumStepSize() const override { return 1; }
    void setCurrentValue(const QVariant& value) override {
        bool ok = false;
        const Index wanted = value.toLongLong(&ok);
        if (ok) slider()->choose(wanted);
    }

private:
    RangeSlider* slider() const { return static_cast<RangeSlider*>(widget()); }
};

QAccessibleInterface* makeInterface(const QString&, QObject* object) {
    if (auto* slider = qobject_cast<RangeSlider*>(object)) return new RangeSliderAccessible(slider);
    return nullptr;
}

} // namespace

RangeSlider::RangeSlider(QWidget* parent) : QWidget(parent) {
    // Before anything names the widget: Qt keeps the first interface that it makes.
    static const bool installed = (QAccessible::installFactory(makeInterface), true);
    Q_UNUSED(installed)
    setFocusPolicy(Qt::StrongFocus);
    setCursor(Qt::PointingHandCursor);
}

void RangeSlider::setTheme(const Theme& theme) {
    m_theme = theme;
    update();
}

void RangeSlider::setTone(Tone tone) {
    m_tone = tone;
    update();
}

void RangeSlider::setRange(Index low, Index high, Index shownHigh) {
    m_low = low;
    m_high = high;
    m_shownHigh = std::max(shownHigh, saturatingAdd(low, 1));
    update();
}

void RangeSlider::settle(Index value) {
    m_settled = value;
    m_refused = false;
    setValue(value);
    update();
}

void RangeSlider::setRefused() {
    m_refused = true;
    update();
}

void RangeSlider::setValue(Index value) {
    if (value == m_value) return;
    m_value = value;
    m_refused = false;
    if (QAccessible::isActive()) {
        QAccessibleValueChangeEvent event(this, static_cast<qlonglong>(value));
        QAccessible::updateAccessibility(&event);
    }
    update();
}

void RangeSlider::choose(Index value) {
    value = std::clamp(value, m_low, m_shownHigh);
    if (value == m_value) return;
    setValue(value);
    Q_EMIT released(value);
}

qreal RangeSlider::xOf(Index value) const {
    const qreal span = static_cast<qreal>(m_shownHigh) - static_cast<qreal>(m_low);
    const qreal part = (static_cast<qreal>(std::clamp(value, m_low, m_shownHigh)) - static_cast<qreal>(m_low)) / span;
    return kKnob + 1 + part * (width() - 2 * kKnob - 2);
}

Index RangeSlider::valueAt(qreal x) const {
    const qreal part = std::clamp((x - kKnob - 1) / (width() - 2 * kKnob - 2), 0.0, 1.0);
    const qreal span = static_cast<qreal>(m_shownHigh) - static_cast<qreal>(m_low);
    if (part >= 1) return m_shownHigh; // the last value exactly, also where a double cannot hold it
    return m_low + static_cast<Index>(std::llround(part * span));
}

void RangeSlider::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const qreal middle = height() / 2.0 - 3;
    const qreal legalEnd = xOf(m_high);
    const QRectF beyond(legalEnd, middle - 4, width() - kKnob - 1 - legalEnd, 8);
    if (m_high < m_shownHigh) {
        painter.setPen(QPen(m_theme.color(Tone::Error), 1));
        painter.drawRect(beyond);
        painter.save();
        painter.setClipRect(beyond);
        for (qreal x = beyond.left() - 8; x < beyond.right(); x += 5) {
            painter.drawLine(QPointF(x, beyond.bottom()), QPointF(x + 8, beyond.top()));
        }
        painter.restore();
    }
    painter.setPen(QPen(m_theme.color(Tone::Ink), 3, Qt::SolidLine, Qt::FlatCap));
    painter.drawLine(QPointF(kKnob + 1, middle), QPointF(std::min(xOf(m_value), legalEnd), middle));
    painter.setPen(QPen(m_theme.color(Tone::Control), 3, Qt::SolidLine, Qt::FlatCap));
    if (xOf(m_value) < legalEnd) painter.drawLine(QPointF(xOf(m_value), middle), QPointF(legalEnd, middle));
    const Index steps = m_shownHigh - m_low;
    if (steps > 0 && (width() - 2 * kKnob) / static_cast<qreal>(steps) >= 6) {
        painter.setPen(QPen(m_theme.color(Tone::Control), 1));
        for (Index v = m_low; v <= m_shownHigh; ++v) {
            painter.drawLine(QPointF(xOf(v), middle + 9), QPointF(xOf(v), middle + 12));
        }
    }
    painter.setPen(QPen(m_theme.color(isRefused() ? Tone::Error : Tone::Ink), hasFocus() ? 3 : 2));
    painter.setBrush(m_theme.color(Tone::Stage));
    painter.drawEllipse(QPointF(xOf(m_value), middle), kKnob - 0.5, kKnob - 0.5);
}

void RangeSlider::mousePressEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton) return;
    m_dragging = true;
    setValue(valueAt(event->position().x()));
    Q_EMIT dragged(m_value);
}

void RangeSlider::mouseMoveEvent(QMouseEvent* event) {
    if (!m_dragging) return;
    const Index value = valueAt(event->position().x());
    if (value == m_value) return;
    setValue(value);
    Q_EMIT dragged(value);
}

void RangeSlider::mouseReleaseEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton || !m_dragging) return;
    m_dragging = false;
    Q_EMIT released(m_value);
}

void RangeSlider::keyPressEvent(QKeyEvent* event) {
    Index next = m_value;
    switch (event->key()) {
    case Qt::Key_Left:
    case Qt::Key_Down:
        next = saturatingAdd(m_value, -1);
        break;
    case Qt::Key_Right:
    case Qt::Key_Up:
        next = saturatingAdd(m_value, 1);
        break;
    case Qt::Key_Home:
        next = m_low;
        break;
    case Qt::Key_End:
        next = std::min(m_high, m_shownHigh);
        break;
    default:
        QWidget::keyPressEvent(event);
        return;
    }
    next = std::max(next, m_low);
    if (next == m_value) return;
    setValue(next);
    Q_EMIT released(next);
}

RangeControl::RangeControl(const QString& title, const QString& subtitle, Tone tone, QWidget* parent)
    : QWidget(parent), m_tone(tone), m_title(title), m_subtitle(subtitle), m_less(new QToolButton(this)),
      m_field(new QLineEdit(this)), m_more(new QToolButton(this)), m_slider(new RangeSlider(this)) {
    const QString what = subtitle.isEmpty() ? title : title + QLatin1Char(' ') + subtitle;
    setAccessibleName(what);
    m_less->setText(QStringLiteral("−"));
    m_less->setAccessibleName(what + tr(" less"));
    m_more->setText(QStringLiteral("+"));
    m_more->setAccessibleName(what + tr(" more"));
    m_field->setAccessibleName(what);
    m_field->setAlignment(Qt::AlignCenter);
    m_field->setProperty("kind", QStringLiteral("number"));
    m_slider->setAccessibleName(what + tr(" slider"));
    m_slider->setTone(tone);
    for (QToolButton* button : {m_less, m_more}) {
        button->setAutoRepeat(true);
        button->setFixedSize(24, 26);
        button->setProperty("kind", QStringLiteral("stepper"));
    }
    // Not Fixed: a layout would then cut the second line, which depends on the width, to the height of the size hint.
    QSizePolicy policy(QSizePolicy::Expanding, QSizePolicy::Minimum);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);

    connect(m_less, &QToolButton::clicked, this, [this] { step(-1); });
    connect(m_more, &QToolButton::clicked, this, [this] { step(1); });
    connect(m_slider, &RangeSlider::dragged, this, [this](Index value) {
        m_field->setText(QString::number(value));
        Q_EMIT previewed(value);
    });
    connect(m_slider, &RangeSlider::released, this, &RangeControl::choose);
    m_field->installEventFilter(this);
    connect(m_field, &QLineEdit::textEdited, this, [this] { readField(false); });
    connect(m_field, &QLineEdit::returnPressed, this, [this] { readField(true); });
}

void RangeControl::setTheme(const Theme& theme) {
    m_theme = theme;
    m_slider->setTheme(theme);
    m_field->setFont(theme.font(FontRole::Code));
    place();
}

// --- Geometry -------------------------------------------------------------------------------------------------------

QString RangeControl::words(bool brief) const {
    return m_irrelevant ? tr("any: size 1") : brief ? m_briefSentence : m_sentence;
}

RangeControl::Places RangeControl::placesIn(int width) const {
    const auto advance = [this](FontRole role, const QString& text) {
        return static_cast<int>(std::ceil(QFontMetricsF(m_theme.font(role)).horizontalAdvance(text)));
    };
    // The longest subtitle counts for every control: their steppers stand in one column.
    const int own = std::max(advance(FontRole::Label, m_title), advance(FontRole::Index, m_subtitle));
    const int column = kTitleLeft + 8 + std::max(own, advance(FontRole::Index, tr("elements")));
    // Never narrower than the number: its end alone would be another number. A long one leaves the column.
    const int number = m_field->fontMetrics().horizontalAdvance(QString::number(m_value));
    const int field = std::max(kLeastField, number + kFieldPadding);
    Places places;
    // Numbers of 19 digits would leave no slider: the tooltip has them whole.
    places.brief = advance(FontRole::Label, words(false)) + 2 + 8 + kLeastSlider + kTitleLeft > width;
    const int range = advance(FontRole::Label, words(places.brief)) + 2;
    const int stepper = 2 * kStepper + field;
    const int title = column + stepper <= width ? column : kTitleLeft + 8 + own;
    places.less = QRect(title, 6, kStepper, 26);
    places.twoLines = title + stepper + 8 + kLeastSlider + 8 + range > width;
    if (!places.twoLines) {
        places.field = QRect(title + kStepper, 5, field, 28);
        places.slider = QRect(title + stepper + 8, 6, width - title - stepper - 16 - range, 26);
        places.words = QRect(width - range, 0, range, kLine);
    } else {
        places.field =
            QRect(title + kStepper, 5, std::min(field, std::max(kLeastField, width - title - 2 * kStepper)), 28);
        const int left = std::min(title, std::max(kTitleLeft, width - kLeastSlider - 8 - range));
        places.words = QRect(std::max(left, width - range), kLine - 4, std::min(range, width - left), kSecond);
        places.slider = QRect(left, kLine - 2, std::max(0, places.words.left() - 8 - left), 24);
    }
    places.more = QRect(places.field.right() + 1, 6, kStepper, 26);
    return places;
}

void RangeControl::place() {
    const Places places = placesIn(width());
    const auto put = [this](QWidget* widget, const QRect& at) {
        widget->setGeometry(QStyle::visualRect(layoutDirection(), rect(), at));
    };
    put(m_less, places.less);
    put(m_field, places.field);
    put(m_more, places.more);
    put(m_slider, places.slider);
    m_slider->setVisible(places.slider.width() >= kLeastSlider / 2);
    if (places.twoLines != m_twoLines) {
        m_twoLines = places.twoLines;
        updateGeometry();
    }
    update();
}

int RangeControl::heightForWidth(int width) const {
    return placesIn(width).twoLines ? kLine + kSecond : kLine;
}

QSize RangeControl::sizeHint() const {
    return {284, heightForWidth(284)};
}

QSize RangeControl::minimumSizeHint() const {
    return {200, kLine};
}

void RangeControl::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    place();
}

// --- Numbers --------------------------------------------------------------------------------------------------------

void RangeControl::setRange(const LegalRange& legal) {
    m_low = legal.empty() ? 0 : legal.lowest;
    m_endless = legal.endless();
    if (legal.empty()) {
        m_sentence = m_briefSentence = tr("none");
        setToolTip(tr("No value of this number alone brings the view inside its storage."));
        m_slider->setRange(m_low, m_low - 1, saturatingAdd(m_low, 8));
    } else if (m_endless) {
        m_sentence = m_briefSentence = tr("any");
        setToolTip(tr("The storage sets no end to this number while all else stays."));
        stretchTrack();
    } else {
        // A little beyond the end, so that "one too many" can be tried and seen.
        const Index extra = std::max<Index>(1, (legal.highest - legal.lowest) / 2);
        m_slider->setRange(m_low, legal.highest, saturatingAdd(legal.highest, extra));
        m_sentence = QStringLiteral("%1 … %2").arg(legal.lowest).arg(legal.highest);
        const auto brief = [](Index number) {
            const QString whole = QString::number(number);
            return whole.size() <= 8 ? whole : QString::number(static_cast<double>(number), 'g', 3);
        };
        m_briefSentence = QStringLiteral("%1 … %2").arg(brief(legal.lowest), brief(legal.highest));
        setToolTip(tr("Legal while all else stays: %1 to %2. The hatched part shows what would go wrong.")
                       .arg(legal.lowest)
                       .arg(legal.highest));
    }
    place();
}

void RangeControl::stretchTrack() {
    const Index half = std::max<Index>(m_value, 4);
    m_slider->setRange(m_low, INT64_MAX, saturatingAdd(half, half));
}

void RangeControl::setValue(Index value) {
    m_value = value;
    if (m_endless) stretchTrack();
    m_slider->settle(value);
    if (!m_field->hasFocus() || m_field->text().toLongLong() != value) m_field->setText(QString::number(value));
    m_field->setCursorPosition(0); // where the number does not fit, its beginning is shown
    m_typing = false;
    markWrong(false);
    m_field->setToolTip({});
    place();
}

void RangeControl::showRefused(Index value) {
    m_slider->setValue(value);
    m_slider->setRefused();
    m_field->setText(QString::number(value));
    markWrong(true);
    m_field->setToolTip(tr("%1 was refused; it is still %2.").arg(value).arg(m_value));
}

void RangeControl::markWrong(bool wrong) {
    if (m_field->property("wrong").toBool() == wrong) return;
    m_field->setProperty("wrong", wrong);
    m_field->style()->unpolish(m_field);
    m_field->style()->polish(m_field);
}

void RangeControl::abandon() {
    m_typing = false;
    m_slider->setValue(m_value);
    m_field->setText(QString::number(m_value));
    markWrong(false);
    m_field->setToolTip({});
    Q_EMIT abandoned();
}

bool RangeControl::eventFilter(QObject* watched, QEvent* event) {
    const bool escape = event->type() == QEvent::KeyPress && static_cast<QKeyEvent*>(event)->key() == Qt::Key_Escape;
    if (watched == m_field && escape && m_field->text() != QString::number(m_value)) {
        abandon();
        return true;
    }
    // With nothing typed, undo and redo are the window's: the field would only take back its text, not the step.
    if (watched == m_field && event->type() == QEvent::ShortcutOverride && !m_typing) {
        const auto* key = static_cast<QKeyEvent*>(event);
        if (key->matches(QKeySequence::Undo) || key->matches(QKeySequence::Redo)) {
            event->ignore();
            return true;
        }
    }
    // A menu or another window takes the focus for a while; the number is still being typed.
    if (watched == m_field && event->type() == QEvent::FocusOut && m_typing) {
        const Qt::FocusReason reason = static_cast<QFocusEvent*>(event)->reason();
        if (reason != Qt::PopupFocusReason && reason != Qt::ActiveWindowFocusReason) abandon();
    }
    return QWidget::eventFilter(watched, event);
}

namespace {

/// Why typed text is no number of 64 bits.
QString numberProblem(const QString& text) {
    const QString typed = text.trimmed();
    if (typed.isEmpty()) return RangeControl::tr("Type a whole number.");
    const QString shown = typed.size() > 24 ? typed.left(23) + QChar(0x2026) : typed;
    const qsizetype sign = typed.startsWith(QLatin1Char('-')) || typed.startsWith(QLatin1Char('+')) ? 1 : 0;
    bool digits = typed.size() > sign;
    for (qsizetype i = sign; i < typed.size(); ++i)
        digits = digits && typed.at(i) >= QLatin1Char('0') && typed.at(i) <= QLatin1Char('9');
    return digits ? RangeControl::tr("%1 does not fit 64 bits.").arg(shown)
                  : RangeControl::tr("“%1” is no whole number: use digits 0-9.").arg(shown);
}

} // namespace

void RangeControl::setIrrelevant(bool irrelevant) {
    m_irrelevant = irrelevant;
    place();
    if (irrelevant) setToolTip(tr("The size of this dim is 1: its stride is never multiplied by anything but 0."));
    update();
}

void RangeControl::step(Index by) {
    const Index next = by < 0 ? std::max(m_low, saturatingAdd(m_value, by)) : saturatingAdd(m_value, by);
    if (m_slider->wasRefused()) {
        const Index refused = m_slider->value();
        // Said already, and nothing has changed since: a key that is held down would say it again and again.
        if (refused == next) return;
        // From a refused number the way back leads to the one that is.
        if ((refused > m_value) != (by > 0)) {
            abandon();
            return;
        }
    }
    choose(next);
}

void RangeControl::choose(Index value) {
    m_slider->setValue(value);
    m_field->setText(QString::number(value));
    Q_EMIT chosen(value);
}

void RangeControl::readField(bool decided) {
    bool ok = false;
    const Index value = m_field->text().trimmed().toLongLong(&ok);
    const QString problem = ok ? QString() : numberProblem(m_field->text());
    m_typing = !ok || !decided;
    markWrong(!ok);
    m_field->setToolTip(problem);
    if (!ok) {
        m_slider->setValue(m_value);
        Q_EMIT unreadable(problem);
        return;
    }
    m_slider->setValue(value);
    if (decided) {
        Q_EMIT chosen(value);
    } else {
        Q_EMIT previewed(value);
    }
}

void RangeControl::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    const auto place = [this](const QRect& at) { return QStyle::visualRect(layoutDirection(), rect(), at); };
    const Qt::Alignment near = QStyle::visualAlignment(layoutDirection(), Qt::AlignLeft);
    const Qt::Alignment far = QStyle::visualAlignment(layoutDirection(), Qt::AlignRight);
    const Places places = placesIn(width());
    const Tone quiet = Tone::Ink2;
    // Strokes of equal lengths, the first and the last one whole.
    const int high = kLine - 12, dashes = m_dashed ? 3 : 1, part = high / (2 * dashes - 1);
    for (int i = 0; i < dashes; ++i)
        painter.fillRect(place(QRect(0, 6 + 2 * i * part, 3, m_dashed ? part : high)),
                         m_theme.color(m_irrelevant ? Tone::Control : m_tone));
    const int titleWidth = places.less.left() - kTitleLeft;
    painter.setPen(m_theme.color(m_irrelevant ? quiet : Tone::Ink));
    painter.setFont(m_theme.font(FontRole::Label));
    painter.drawText(place(QRect(kTitleLeft, 4, titleWidth, 16)), static_cast<int>(near | Qt::AlignVCenter), m_title);
    painter.setPen(m_theme.color(quiet));
    painter.setFont(m_theme.font(FontRole::Index));
    painter.drawText(place(QRect(kTitleLeft, 19, titleWidth, 15)), static_cast<int>(near | Qt::AlignVCenter),
                     m_subtitle);
    painter.setFont(m_theme.font(FontRole::Label));
    readFromLeft(painter); // "0 … 4"
    painter.drawText(place(places.words), static_cast<int>(far | Qt::AlignVCenter), words(places.brief));
}

} // namespace stridescope
