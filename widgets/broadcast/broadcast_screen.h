#pragma once
// The Broadcast screen: a line, its picture, and the transport that moves it through its four stages.

#include "widgets/broadcast/broadcast_prediction.h"
#include "widgets/broadcast/broadcast_timeline.h"
#include "widgets/model/workspace_model.h"
#include "widgets/shared/screen.h"
#include "widgets/shared/time_player.h"

#include <functional>
#include <memory>

class QPushButton;

namespace stridescope {

class BroadcastBar;
class BroadcastView;
class PredictBar;
struct PredictionVerdict;

class BroadcastScreen : public Screen {
    Q_OBJECT

public:
    /// `nextName` tells the name that a result without one gets.
    BroadcastScreen(WorkspaceModel* workspace, std::function<QString()> nextName, QWidget* parent = nullptr);
    ~BroadcastScreen() override;

    void setTheme(const Theme& theme) override;
    void setReducedMotion(bool on) override;
    std::optional<Scene> picture() const override;
    std::optional<Animation> animation() const override;
    bool hasPicture() const override { return m_model != nullptr; }
    PresentedPage* presentedPage(QWidget* parent) override;
    std::optional<QString> shownDType() const override { return m_dtype; }

    /// Plays to the end of the stage that is on, or of the next one; -1: to the end of the one before, at once.
    void showStage(int by);
    /// The stage that is shown, from 0: the one whose end this is, not the one that begins here.
    int stage() const;
    void setLine(const QString& line);
    QString line() const;
    qreal time() const { return m_player->time(); }
    void seek(qreal t) { m_player->seek(t); }
    bool isPlaying() const { return m_player->isPlaying(); }
    /// Null while there is nothing to draw.
    const BroadcastModel* model() const { return m_model.get(); }

Q_SIGNALS:
    void playRequested(const QString& line); ///< a line that has no picture here, as a motion
    /// The picture (0), or a tensor of the workspace: as "png", "svg", "tikz", "text" or "code" for the clipboard, or
    /// as a "file".
    void exportRequested(stridescope::TensorId tensor, const QString& format);
    void tensorRequested(stridescope::TensorId tensor); ///< to be seen on Explore

public Q_SLOTS:
    void act(stridescope::TransportBar::Act act);

protected:
    void keyPressEvent(QKeyEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;
    void hideEvent(QHideEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void rebuild(bool keepTime);
    /// The line has no picture, and that of another line would be taken for it.
    void showNothing(const Refusal& refusal);
    void tellDType();
    void showTime(qreal t);
    void showMend(int mend);
    void useMend(int mend);
    void tellElement(std::optional<Index> element);
    bool takesKey(QKeyEvent* event);
    void moveMendFocus(bool next);
    // "Predict first"
    enum class Asks : quint8 { Nothing, Shape, Cell };
    void setPredicting(bool on);
    void askShape();
    void takeAnswer(const QString& said);
    void tellVerdict(const PredictionVerdict& verdict, bool wasAnswered);
    void askNext();
    void endAsking();
    void watch();
    QString firstLine() const;
    /// What the workspace has under a card, 0 for what has no name; `card` counts the result last.
    TensorId tensorOf(std::size_t card) const;

    WorkspaceModel* m_workspace;
    std::function<QString()> m_nextName;
    BroadcastBar* m_bar;
    BroadcastView* m_view;
    TransportBar* m_transport;
    TimePlayer* m_player;
    std::shared_ptr<const BroadcastModel> m_model;
    std::unique_ptr<BroadcastTimeline> m_timeline;
    PredictBar* m_predict;
    QPushButton* m_play;
    Asks m_asks = Asks::Nothing;
    std::optional<CellQuestion> m_cellQuestion;
    int m_mend = -1;
    bool m_refused = false; ///< the line has no picture; while it is typed, that of the line before is shown
    QString m_dtype;        ///< of the result
};

} // namespace stridescope
