#pragma once
// What ExploreStage keeps between events. Private to explore_stage*.cpp.

#include "widgets/shared/empty_state.h"
#include "widgets/stage/explore_scene.h"
#include "widgets/stage/explore_stage.h"
#include "widgets/stage/gestures.h"
#include "widgets/stage/odd_counter.h"
#include "widgets/stage/stage_layout.h"
#include "widgets/stage/summary_maker.h"
#include "widgets/stage/write_flash.h"

#include <QLabel>
#include <QLineEdit>
#include <QPointer>
#include <QVariantAnimation>

namespace stridescope {

enum class DragKind : quint8 { None, Box, Dim, Edge, Flag, Header, Slider, Scroll, MiniMap };

struct ExploreStage::Private {
    explicit Private(ExploreStage* stage);

    // --- Picture (explore_stage.cpp) ---
    /// The scene's point under a point of the widget, and the widget's pixels under a rectangle of the scene.
    QPointF inScene(QPointF p) const { return p / q->m_scale; }
    QRect onWidget(const QRectF& r) const {
        return QRectF(r.topLeft() * q->m_scale, r.size() * q->m_scale).toAlignedRect();
    }
    /// Takes selection, snapshot and preview from the model and repaints what changed.
    void syncFromModel();
    /// Lets a tensor that was not there before move into its place.
    void startTransition(const WorkspaceSnapshot& before);
    /// Lights up the cells that were written since the last time, for a moment.
    void startFlash();
    /// Makes plan and scene again; repaints the difference, or everything.
    void refresh(bool everything = false);
    /// The buttons that fill an empty stage, below its words.
    void showEmptiness();
    void setScroll(const StripScroll& scroll);
    /// Scrolls the strip where no cell of the selected tensor is in sight, or to the cell just picked on it.
    void bringSelectedIntoSight(bool picked);
    /// `size` is within its limits. `anchor`: where the cell is that stays in sight; nothing: in the middle.
    void setCellSize(qreal size, std::optional<QPointF> anchor = {});
    /// Each storage keeps the size that it was looked at in: what a large one needs would make a small one a speck.
    /// True if the size changed with the storage that is selected now.
    bool takeCellSize();
    /// Makes the strip's cells `factor` times as wide. A size just above one at which cells look different is reached
    /// with the old look still, so that one step to and fro does not change it.
    void zoomBy(qreal factor, std::optional<QPointF> anchor = {});
    /// Applies `edit` to a copy of the options and sets them.
    template <class Edit>
    void changeOptions(Edit edit) {
        StageOptions next = q->m_state.options;
        edit(next);
        q->setOptions(next);
    }
    const TensorEntry* entry(TensorId id) const { return q->m_state.snapshot->tensor(id); }
    /// The first tensor on stage that lies on the storage; 0: none.
    TensorId firstOn(quint64 storageId) const;
    void say();
    /// Tells screen readers where the pick is, or that its value changed.
    void announce(bool valueChanged);

    // --- Picking (stage_input.cpp) ---
    std::optional<Pick> pickAt(QPointF p) const;
    void hoverAt(QPointF p);
    /// What a drag from there takes hold of: what is drawn there, or the edge of a card's cells close by.
    Hit gripAt(QPointF p) const;
    void updateCursor(const Hit& hit);
    void pin(const std::optional<Pick>& pick);
    /// Moves the pinned cell along a dim of its tensor, the `fromInside`th of CardLayout::dimsFromInside(), or along
    /// the strip: 0 is across, 1 is down, 2 the colours of a picture or its panels.
    void movePick(std::size_t fromInside, Index by);
    /// The same cell of the next slice, or of the one before; false where there is one slice only.
    bool moveToSlice(Index by);
    /// That dim of the picked tensor; -1 where it has no such dim.
    int dimOf(const Pick& pick, std::size_t fromInside) const;
    void movePickTo(const Pick& pick);
    /// Which colour of its pixels the cells of a picture mean; that of the picked one, too.
    void chooseColour(TensorId id, Index channel);
    Pick pickOf(const TensorEntry& tensor, const Dims& coord) const;
    /// The pick that keys act on: the pinned one, else the first element of the focused card.
    std::optional<Pick> keyPick() const;
    bool handleKey(QKeyEvent* event);
    void scrollBy(qreal dx, qreal dy);
    /// The row of cards by so many pixels.
    void scrollCards(qreal by);
    void scrollCard(TensorId id, Index rows, Index cols);
    void showCell(const Pick& pick);
    /// When the size or the scale of a presented stage changed.
    void keepPickInSight();
    void contextMenu(QPoint globalPos, QPointF at);
    void leaveMode();
    std::vector<TensorId> cardIds() const;
    /// Shows the cards in that order and asks for it: `moved` has found its place there.
    void requestOrder(const std::vector<TensorId>& ids, TensorId moved);

    // --- Drags (stage_drag.cpp) ---
    void beginDrag(QMouseEvent* event);
    void moveDrag(QPointF p, Qt::KeyboardModifiers modifiers);
    void endDrag(QPointF p, Qt::KeyboardModifiers modifiers);
    void cancelDrag();
    void showGesture(const GestureResult& gesture, QPointF at, const std::vector<QRectF>& boxes,
                     std::optional<Index> slot = {});
    /// `boxes`: what is to be outlined on the card.
    GestureResult boxAt(QPointF p, Qt::KeyboardModifiers modifiers, std::vector<QRectF>& boxes) const;
    GestureResult edgeAt(QPointF p, QRectF* box) const;
    void scrollMapTo(QPointF p);

    // --- Editing a value (stage_editor.cpp) ---
    void startEdit(const Pick& pick, const QString& text = {});
    void checkEdit();
    void commitEdit();
    void endEdit();

    // --- Focus: cards from the left, then the strip ---
    int focusCount() const { return static_cast<int>(plan.cards.size()) + (plan.strip ? 1 : 0); }
    bool stripFocused() const { return focus >= static_cast<int>(plan.cards.size()); }
    void setFocusItem(int index);
    QRectF focusRect() const;

    ExploreStage* q;
    StagePlan plan;
    Scene scene;
    bool fresh = false; ///< scene belongs to the state
    QRegion dirty;      ///< pixels of the widget that changed since the last paint
    int focus = 0;
    bool focusShown = false; ///< the ring is for the keyboard
    QString lastStatus;
    /// The cell that the last zoom kept in sight, where it was asked for, and the scroll position that it gave.
    struct ZoomedCell {
        quint64 storageId = 0;
        Index slot = 0;
        QPointF at;
        StripScroll scroll;
        std::optional<Pick> pick; ///< that there was
    };
    std::optional<ZoomedCell> zoomed;
    QHash<quint64, qreal> cellSizes;   ///< StageOptions::cellSize of storages that were selected before, by id
    qreal zoomAsked = 0, zoomHeld = 0; ///< what zoomBy was last asked for where it held back, and what it gave
    QVariantAnimation transition;
    qreal progress = 1;
    WriteFlash written;
    QVariantAnimation flash; ///< from 1 to 0: how strongly they are lit

    OddCounter counter; ///< of what the legends of colour bars tell
    SummaryMaker maker; ///< of what strips show where cells share pixels

    DragKind drag = DragKind::None;
    std::vector<TensorId> orderBefore; ///< of the cards when a header was taken
    bool holdCards = false;            ///< the row of cards stays where it is, from a press to its end
    bool dragging = false;             ///< moved far enough to be no click
    QPointF pressAt, lastAt;
    Hit pressed;
    Dims pressCoord;
    StripLayout pressStrip; ///< as it was then: making room for cells past the end must not move what is dragged
    GestureResult gesture;
    QString previewedCode;

    QPointer<EmptyState> emptyState; ///< made when it is first needed
    QPointer<QLineEdit> editor;
    QPointer<QLabel> editorNote;
    std::optional<Pick> editing; ///< empty while the field asks for an index
    bool asksIndex = false;
};

} // namespace stridescope
