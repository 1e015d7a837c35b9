#pragma once
// OperationForm: any operation of the table, argument by argument, with legal ranges, a live verdict and its code.

#include "core/view/op_table.h"
#include "widgets/model/workspace_model.h"
#include "widgets/theme/theme.h"

#include <QWidget>

#include <vector>

class QComboBox;
class QHBoxLayout;
class QLabel;
class QLineEdit;
class QPushButton;
class QVBoxLayout;

namespace stridescope {

class CodeLabel;
class ScrollRoom;

struct LegalRange;

class OperationForm : public QWidget {
    Q_OBJECT

public:
    explicit OperationForm(WorkspaceModel* workspace, QWidget* parent = nullptr);
    /// Everything that the form can do, in its order: the operations of the table, and expand_as() after expand().
    struct Choice {
        QString name, doc;
        bool arguments; ///< there are some to fill in
    };
    static std::vector<Choice> choices();
    void setTheme(const Theme& theme);
    void setOperation(const QString& name);
    /// Puts the keyboard into the first argument.
    void focusFirst();
    QString code() const;
    /// In which nothing has to be scrolled to.
    int wholeHeight(int width) const;
    /// A field has the keyboard, and something was typed into it: what moves it would be in the way.
    bool isTypedIn() const;
    /// How high it may become at most, if that is not its height.
    void setRoom(int height);
    QSize sizeHint() const override;

Q_SIGNALS:
    void runRequested(const QString& code);
    void previewRequested(const QString& code);
    void explainRequested(const QString& code);
    void closed();

protected:
    void keyPressEvent(QKeyEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    static QString rangeText(const LegalRange& legal);
    /// Of the table: that of expand() also for expand_as(), whose sizes are those of a tensor that is named.
    const ViewOp* operation() const;
    bool namesTensor() const;
    void rebuildFields();
    void proposeArguments();
    void refresh();
    /// As refresh; for another tensor arguments are proposed anew, unless they were typed and fit it.
    void follow();
    /// The arguments as typed; std::nullopt and words in `problem` when a field cannot be read.
    std::optional<OpArgs> readArguments(QString* problem, QLineEdit** where) const;
    /// A legal call on `entry`, with a value for every parameter.
    static OpArgs proposal(const ViewOp& op, const TensorEntry& entry);
    /// Red frames for what makes a refused call impossible.
    void markCulprits(const ViewOp& op, const OpArgs& args, const TensorEntry& entry);
    static void setInvalid(QLineEdit* edit, bool invalid);
    /// Which of its buttons can be pressed.
    void offer(bool run, bool why);
    void nameTensor();
    void run();
    void showVerdict(const QString& words);
    /// Scrolls to the words of a refusal, as far as what is being typed stays in sight.
    void keepInSight();
    int reserve() const; ///< height that is kept for a verdict
    /// Of verdict and code, in `inner` pixels: as high as they were at the most since the arguments are typed.
    int wordsHeight(int inner) const;
    int edgesHeight() const; ///< of what never scrolls
    /// Wrapped lines count for the height that the scroll area gives.
    void fit();

    WorkspaceModel* m_workspace;
    TensorId m_target = 0; ///< the tensor that the arguments were proposed or typed for
    bool m_typed = false;  ///< into the arguments since they were proposed
    int m_keptWords = 0;   ///< the height of verdict and code that is kept while one types
    Theme m_theme;
    QWidget* m_body;    ///< all but the operation and the buttons
    ScrollRoom* m_room; ///< round it: in a low panel those stay in sight
    QLabel* m_receiver; ///< "A."
    QComboBox* m_operation;
    QLabel* m_doc;
    QVBoxLayout *m_bodyColumn, *m_fieldsColumn;
    int m_most = -1;      ///< of its height, if that is known
    QHBoxLayout* m_apart; ///< below what scrolls; holds the verdict in a low panel
    struct Field {
        QWidget* row;
        QLineEdit* edit;
        QLabel* note;
    };
    std::vector<Field> m_fields;
    QLabel* m_verdict;
    CodeLabel* m_codeLabel;
    QPushButton* m_run;
    QPushButton* m_why;
};

} // namespace stridescope
