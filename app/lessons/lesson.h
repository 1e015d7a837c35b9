#pragma once
// A lesson as it was written: plain values, nothing carried out yet. The format is in docs/lesson-format.md.

#include <QHash>
#include <QString>
#include <QStringList>

#include <vector>

namespace stridescope {

/// A name that stands for another number or word each time a stop is begun.
struct LessonDraw {
    QString name;
    QString low, high; ///< integer expressions of the names before; empty where `words` are given
    QStringList words;
};

/// An answer that somebody may well give, and what to say to it.
struct LessonWrong {
    QString value; ///< as the answer's: an expression, or a word
    QString reply;
};

/// One stop of a lesson. Texts and code may hold {expressions} of drawn names.
struct LessonStop {
    enum class Kind : quint8 {
        Explain,  ///< something to read, and to run
        Question, ///< predicted before it is shown
        Build,    ///< a tensor to be made in the workspace
    };
    /// What the answer is about.
    enum class Judge : quint8 {
        Value,   ///< the value of `answer`
        Outcome, ///< "works" or "refused"
        Sharing, ///< "view", "copy" or "refused"
    };

    Kind kind = Kind::Explain;
    int line = 0; ///< of its heading in the file, from 1
    QString heading;
    std::vector<LessonDraw> draws;
    QStringList text;    ///< paragraphs
    QStringList code;    ///< what is run by a click; complete by itself
    bool python = false; ///< the code needs Python
    QStringList picture; ///< of Python's code: lines that make what is pictured, and what the answer may name
    QString pick;        ///< the element to point at: "x[2, 1]"
    QStringList notes;   ///< for the teacher, while the class sees the stop
    /// Where each value stood in the file, for who mends it: by what was written there, code line by line.
    QHash<QString, int> lines;
    // Question
    QString ask;
    QStringList show; ///< names that are pictured before the answer, without values
    Judge judge = Judge::Value;
    QString answer;    ///< a line that is evaluated and never shown
    double within = 0; ///< numbers may differ by this much
    std::vector<LessonWrong> wrongs;
    bool typed = false; ///< typed even though there are wrong answers, which then only have replies
    QString because;
    // Build
    QString base;   ///< the tensor that must be viewed; empty: only the elements count
    QString target; ///< an expression that makes what is wanted
    QString hint;
};

struct Lesson {
    QString id, title, objective, trap;
    QStringList after; ///< ids of lessons that come before
    QString file;      ///< where it was read from
    std::vector<LessonStop> stops;

    /// Between lessons, with nothing new in it: it has no number in their list.
    bool isQuiz() const { return id.startsWith(QLatin1String("quiz-")); }
};

} // namespace stridescope
