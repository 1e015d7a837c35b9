#pragma once
// PresenterOverlay: what lies over a presented page and lets every click through: the pointer's halo, the spotlight,
// the blank.

#include "widgets/theme/theme.h"

#include <QPainterPath>
#include <QWidget>

#include <functional>
#include <optional>

namespace stridescope {

class PresenterOverlay : public QWidget {
    Q_OBJECT

public:
    /// Covers `parent`, whatever size that gets.
    explicit PresenterOverlay(QWidget* parent);

    void setLook(const Theme& theme, qreal scale);
    /// Nothing: the pointer is elsewhere.
    void setPointer(std::optional<QPointF> pointer);
    std::optional<QPointF> pointer() const { return m_pointer; }
    void setSpotlight(bool on);
    bool hasSpotlight() const { return m_spotlight; }
    /// Asked for what stays lit, in this widget's pixels; empty: a circle round the pointer. Without either nothing is
    /// dimmed.
    void setLit(std::function<QPainterPath()> lit);
    void setBlank(bool on);
    bool isBlank() const { return m_blank; }
    /// Pixels from the pointer to the outside of its halo.
    qreal haloRadius() const;

protected:
    void paintEvent(QPaintEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    bool followsPointer() const { return m_spotlight && m_lit.isEmpty(); }
    QRect haloRect(QPointF at) const;

    Theme m_theme;
    qreal m_scale = 1;
    std::optional<QPointF> m_pointer;
    std::function<QPainterPath()> m_litNow;
    QPainterPath m_lit; ///< as it was painted
    bool m_spotlight = false, m_blank = false;
};

} // namespace stridescope
