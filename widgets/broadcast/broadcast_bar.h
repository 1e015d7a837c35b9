#pragma once
// The line that is drawn: as text, and as operands and an operator to choose.

#include "widgets/broadcast/broadcast_model.h"

#include <QWidget>

class QComboBox;
class QHBoxLayout;
class QLabel;
class QLineEdit;
class QPushButton;
class QToolButton;

namespace stridescope {

class BroadcastBar : public QWidget {
    Q_OBJECT

public:
    explicit BroadcastBar(QWidget* parent = nullptr);
    QLineEdit* field() const { return m_field; }
    QString line() const;
    void setLine(const QString& line);
    /// What the line came to: its operands become choices. `names`: tensors of the workspace with their shapes.
    void showModel(const BroadcastModel& model, const std::vector<std::pair<QString, QString>>& names);
    void showRefusal(const Refusal& refusal);
    /// Nothing is left to choose from.
    void clearOperands();
    /// What was refused, and what to do.
    static QString textOf(const Refusal& refusal);
    /// Nothing tells what the line comes to, as long as it is asked.
    void setVeiled(bool veiled);
    bool isPredicting() const;

    /// "(3, 4)" and "3, 4" as code that makes a tensor of that shape, "[1, 2]" as one with these elements; other text
    /// is code already.
    static QString operandCode(const QString& typed);
    /// The line with another operand or operator; unchanged where that cannot be.
    static QString withOperand(const BroadcastModel& model, std::size_t operand, const QString& code);
    static QString withOperator(const BroadcastModel& model, const QString& symbol);

Q_SIGNALS:
    void lineChanged(const QString& line); ///< after each key
    void runRequested();
    void predictingChanged(bool on);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void showOutcome();
    void rebuild(const BroadcastModel& model, const std::vector<std::pair<QString, QString>>& names);
    QComboBox* operandBox(const BroadcastModel& model, std::size_t operand,
                          const std::vector<std::pair<QString, QString>>& names);

    QHBoxLayout* m_choices;
    QLineEdit* m_field;
    QLabel* m_outcome;
    QPushButton* m_run;
    QToolButton *m_predict, *m_examples;
    QString m_outcomeText, m_outcomeTip;
    bool m_canRun = false, m_veiled = false;
};

} // namespace stridescope
