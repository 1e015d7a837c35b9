#pragma once
// The Motion screen: operations of the history, played. Which there are is asked of whoever keeps them.

#include "widgets/model/workspace_model.h"
#include "widgets/motion/motion_view.h"
#include "widgets/shared/screen.h"
#include "widgets/shared/time_player.h"

#include <functional>

class QComboBox;
class QLabel;
class QToolButton;

namespace stridescope {

class ElidedLabel;
class EmptyState;

/// Steps are counted from 0, and so are the operations of one.
struct MotionHistory {
    std::function<int()> steps; ///< that are done
    std::function<QString(int step)> title;
    std::function<QStringList(int step)> operations; ///< names of those that were kept
    std::function<std::optional<MotionInput>(int step, std::size_t operation)> motion;
    /// Of a step whose operations were not kept: those of its line when it is carried out again on what there is now.
    std::function<const MotionAgain&(int step)> again;
};

class MotionScreen : public Screen {
    Q_OBJECT

public:
    MotionScreen(WorkspaceModel* workspace, MotionHistory history, QWidget* parent = nullptr);

    void setTheme(const Theme& theme) override;
    void setReducedMotion(bool on) override;
    std::optional<Scene> picture() const override;
    std::optional<Animation> animation() const override;
    PresentedPage* presentedPage(QWidget* parent) override;

    /// The newest step that has operations, from its beginning; nothing where there is none.
    void playLast();
    /// What was refused: element by element up to the one that it was refused for.
    void playRefused(MotionInput input);
    /// What `line` would do, carried out on copies.
    void playTried(MotionInput input, const QString& line);
    /// Shows an operation at its beginning; false where it is not known.
    bool show(int step, std::size_t operation);
    int step() const { return m_step; }
    std::size_t operation() const { return m_operation; }
    TimePlayer* player() const { return m_player; }
    MotionView* view() const { return m_view; }

protected:
    void keyPressEvent(QKeyEvent* event) override;
    void hideEvent(QHideEvent* event) override;
    void showEvent(QShowEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void buildBar(QWidget* bar);
    void take(MotionInput input);
    /// Something that is no step of the history.
    void playAlone(MotionInput input, const QString& title);
    void showTitle(const QString& title);
    void fillOperations();
    QStringList operationsOf(int step) const;
    /// The nearest step before or after `from` that has operations; -1: none.
    int stepWithOperations(int from, int by) const;
    /// Why there is nothing to play, and what can be done.
    void showNothing();
    void showLast();
    bool isSeen() const;
    void showStep(int by);
    void follow();
    bool takesKey(QKeyEvent* event);

    WorkspaceModel* m_workspace;
    MotionHistory m_history;
    QToolButton *m_earlier, *m_later;
    ElidedLabel* m_title;
    QComboBox* m_operations;
    MotionView* m_view;
    EmptyState* m_empty;
    TransportBar* m_transport;
    TimePlayer* m_player;
    int m_step = -1, m_seen = -1;
    QString m_seenLast; ///< title of the last step of those
    std::size_t m_operation = 0;
    bool m_reducedMotion = false;
};

} // namespace stridescope
