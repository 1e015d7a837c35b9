#include "widgets/panels/shape_table.h"

#include "core/view/parse.h"
#include "core/view/view_ops.h"
#include "widgets/model/words.h"
#include "widgets/scene/painted_text.h"
#include "widgets/shared/reading_direction.h"

#include <QAbstractButton>
#include <QEnterEvent>
#include <QLabel>
#include <QLineEdit>
#include <QPainter>
#include <QScrollArea>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

namespace stridescope {

namespace {

constexpr int kRowHeight = 26, kGlyph = 12, kTextLeft = 30;

/// A row of the table: ✓ or ✗, the shape, and the stride that a view of it has.
class ShapeButton : public QAbstractButton {
public:
    ShapeButton(const ShapeRow& row, bool wanted, int strideLeft, QWidget* parent)
        : QAbstractButton(parent), m_row(row), m_wanted(wanted), m_strideLeft(strideLeft) {
        setText(row.code);
        readFromLeft(*this);
        setAccessibleName(row.shapeText + QStringLiteral(", ") +
                          (row.isView ? PaintedText::tr("a view with stride ") + row.strideText : row.strideText));
        setFocusPolicy(Qt::StrongFocus);
        setCursor(Qt::PointingHandCursor);
        setFixedHeight(kRowHeight);
        setAttribute(Qt::WA_Hover);
        setToolTip(row.isView ? PaintedText::tr("%1: a view with stride %2, +0 B").arg(row.code, row.strideText)
                              : PaintedText::tr("%1: %2; a click shows why").arg(row.code, row.strideText));
    }
    void setTheme(const Theme& theme) {
        m_theme = theme;
        update();
    }
    QSize sizeHint() const override { return {200, kRowHeight}; }

protected:
    void paintEvent(QPaintEvent*) override {
        QPainter painter(this);
        readFromLeft(painter); // shapes and strides
        painter.setRenderHint(QPainter::Antialiasing);
        if (m_wanted || underMouse()) {
            painter.setPen(Qt::NoPen);
            painter.setBrush(m_theme.color(m_wanted ? Tone::Selected : Tone::Inset));
            painter.drawRoundedRect(QRectF(rect()).adjusted(0, 1, 0, -1), 4, 4);
        }
        const QPointF middle(8 + kGlyph / 2.0, height() / 2.0);
        painter.setPen(QPen(m_theme.color(m_row.isView ? Tone::Right : Tone::Error), 2.2, Qt::SolidLine, Qt::RoundCap,
                            Qt::RoundJoin));
        if (m_row.isView) {
            painter.drawPolyline(
                QPolygonF{middle + QPointF(-4.5, 0), middle + QPointF(-1.5, 3.5), middle + QPointF(4.5, -4)});
        } else {
            painter.drawLine(middle + QPointF(-4, -4), middle + QPointF(4, 4));
            painter.drawLine(middle + QPointF(-4, 4), middle + QPointF(4, -4));
        }
        const QFontMetricsF metrics(m_theme.font(FontRole::Meta));
        const qreal baseline = height() / 2.0 + 4.5;
        painter.setFont(m_theme.font(FontRole::Meta));
        painter.setPen(m_theme.color(Tone::Ink));
        painter.drawText(QPointF(kTextLeft, baseline),
                         metrics.elidedText(m_row.shapeText, Qt::ElideMiddle, m_strideLeft - kTextLeft - 6));
        painter.setFont(m_theme.font(m_row.isView ? FontRole::Meta : FontRole::Label));
        painter.setPen(m_theme.color(m_row.isView ? Tone::Ink : Tone::Ink2));
        painter.drawText(
            QPointF(m_strideLeft, baseline),
            QFontMetricsF(painter.font()).elidedText(m_row.strideText, Qt::ElideMiddle, width() - m_strideLeft - 4));
    }

private:
    ShapeRow m_row;
    bool m_wanted;
    int m_strideLeft;
    Theme m_theme;
};

} // namespace

ShapeTable::ShapeTable(QWidget* parent)
    : QWidget(parent), m_title(new QLabel(this)), m_intro(new QLabel(this)), m_verdict(new QLabel(this)),
      m_typed(new QLineEdit(this)), m_list(new QWidget(this)), m_column(new QVBoxLayout(m_list)) {
    setObjectName(QStringLiteral("shapeTable"));
    setProperty("role", QStringLiteral("panel"));
    setAttribute(Qt::WA_StyledBackground);
    for (QLabel* label : {m_title, m_intro, m_verdict}) {
        label->setTextFormat(Qt::PlainText);
        label->setWordWrap(true);
    }
    m_title->setObjectName(QStringLiteral("shapeTableTitle"));
    m_title->setProperty("heading", true);
    m_intro->setObjectName(QStringLiteral("shapeTableIntro"));
    m_intro->setProperty("quiet", true);
    m_verdict->setObjectName(QStringLiteral("typedShapeVerdict"));
    m_verdict->setProperty("quiet", true);
    m_typed->setObjectName(QStringLiteral("typedShape"));
    m_typed->setAccessibleName(tr("Another shape"));
    m_typed->setPlaceholderText(tr("another shape: 2, -1"));
    m_list->setObjectName(QStringLiteral("shapeRows"));
    m_list->setAccessibleName(tr("Shapes to try"));
    m_column->setContentsMargins(6, 0, 6, 0);
    m_column->setSpacing(0);
    auto* scroll = new QScrollArea(this);
    scroll->setObjectName(QStringLiteral("shapeScroll"));
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setWidgetResizable(true);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->setFocusPolicy(Qt::NoFocus);
    scroll->setWidget(m_list);

    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 6, 0, 8);
    column->setSpacing(6);
    const auto indented = [column](QWidget* widget) {
        auto* row = new QVBoxLayout;
        row->setContentsMargins(12, 0, 12, 0);
        row->addWidget(widget);
        column->addLayout(row);
    };
    indented(m_title);
    indented(m_intro);
    column->addWidget(scroll, 1);
    indented(m_typed);
    indented(m_verdict);
    connect(m_typed, &QLineEdit::textChanged, this, [this] { Q_EMIT previewRequested(testTyped()); });
    connect(m_typed, &QLineEdit::returnPressed, this, [this] {
        if (const QString code = testTyped(); !code.isEmpty()) Q_EMIT runRequested(code);
    });
}

void ShapeTable::setTheme(const Theme& theme) {
    m_theme = theme;
    m_typed->setFont(theme.font(FontRole::Code));
    for (QAbstractButton* button : m_list->findChildren<QAbstractButton*>())
        static_cast<ShapeButton*>(button)->setTheme(theme);
}

void ShapeTable::setTensor(const TensorEntry& entry, const Dims& wanted, const QString& assigned) {
    m_entry = entry;
    m_assigned = assigned.isEmpty() ? QString() : assigned + QStringLiteral(" = ");
    m_rows = shapeRows(entry, wanted);
    for (ShapeRow& row : m_rows) row.code.prepend(m_assigned);
    m_title->setText(tr("Shapes of %1 you can try").arg(entry.name));
    m_intro->setText(shapeRowsIntro(entry));
    while (QLayoutItem* item = m_column->takeAt(0)) {
        delete item->widget();
        delete item;
    }
    // The strides stand in one column.
    qreal widest = 0;
    const QFontMetricsF metrics(m_theme.font(FontRole::Meta));
    for (const ShapeRow& row : m_rows) widest = std::max(widest, metrics.horizontalAdvance(row.shapeText));
    const int strideLeft = kTextLeft + static_cast<int>(std::ceil(std::min(widest, 110.0))) + 14;
    const Result<Dims> whole = inferShape(std::span<const Index>(wanted.data(), wanted.size()), entry.tensor.numel());
    for (std::size_t i = 0; i < m_rows.size(); ++i) {
        const ShapeRow& row = m_rows[i];
        auto* button = new ShapeButton(row, whole.ok() && row.shape == *whole, strideLeft, m_list);
        button->setObjectName(QStringLiteral("shapeRow%1").arg(i));
        button->setTheme(m_theme);
        m_column->addWidget(button);
        connect(button, &QAbstractButton::clicked, this, [this, code = row.code] { Q_EMIT runRequested(code); });
    }
    m_column->addStretch(1);
    m_typed->clear();
    testTyped();
}

QString ShapeTable::testTyped() {
    const QString text = m_typed->text().trimmed();
    if (text.isEmpty()) {
        m_verdict->setText(tr("A size-1 dimension may have any stride; it is never multiplied by anything but 0."));
        return {};
    }
    const auto parsed = parseShape(text.toStdString(), true);
    if (!parsed) {
        m_verdict->setText(QStringLiteral("✗ ") + QString::fromStdString(parsed.refusal().message));
        return {};
    }
    const View& view = m_entry.tensor.view();
    const auto whole = inferShape(std::span<const Index>(parsed->data(), parsed->size()), view.numel());
    const QString code = m_assigned + callCode(m_entry.name, QStringLiteral("view"), *parsed);
    if (!whole) {
        m_verdict->setText(QStringLiteral("✗ ") + QString::fromStdString(whole.refusal().message));
        return code;
    }
    const auto made = viewAs(view, std::span<const Index>(whole->data(), whole->size()));
    if (made)
        m_verdict->setText(tr("✓ a view with stride %1").arg(shapeText(made->stride)));
    else if (std::holds_alternative<ViewMergeFailure>(made.refusal().detail))
        m_verdict->setText(tr("✗ %1 needs a copy").arg(shapeText(*whole)));
    else
        m_verdict->setText(QStringLiteral("✗ ") + QString::fromStdString(made.refusal().message));
    return code;
}

} // namespace stridescope
