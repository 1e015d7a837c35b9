#pragma once
// PredictBar: asks about a line before its picture goes on, takes the answer, and says whether it is right and why.

#include <QWidget>

class QLabel;
class QLineEdit;
class QPushButton;

namespace stridescope {

struct PredictionVerdict;

class PredictBar : public QWidget {
    Q_OBJECT

public:
    explicit PredictBar(QWidget* parent = nullptr);

    /// `place` stands in the empty field: what an answer looks like.
    void ask(const QString& question, const QString& place);
    /// The answer could not be read.
    void askAgain(const QString& place);
    /// `next`: what the button does now; empty when nothing is left to do.
    void tell(const PredictionVerdict& verdict, const QString& next);
    /// Without an answer.
    void reveal(const QString& reason, const QString& next);
    bool isAsking() const { return m_asking; }
    QLineEdit* field() const { return m_field; }

Q_SIGNALS:
    void answered(const QString& said);
    void revealRequested();
    void nextRequested();

private:
    void act();

    QLabel* m_question;
    QLineEdit* m_field;
    QPushButton *m_check, *m_reveal;
    QLabel* m_verdict;
    bool m_asking = false;
};

} // namespace stridescope
