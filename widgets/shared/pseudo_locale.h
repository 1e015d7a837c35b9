#pragma once
// A made-up language for testing: every text 40 % longer and accented, to find labels that would be cut in another
// language, and texts that cannot be translated at all because they stay as they are.

#include <QTranslator>

class QApplication;

namespace stridescope {

class PseudoTranslator : public QTranslator {
public:
    using QTranslator::QTranslator;
    bool isEmpty() const override { return false; }
    QString translate(const char* context, const char* source, const char* disambiguation, int n) const override;

    /// "&Open…" -> "&Öþéñ… ··": letters accented, 40 % longer; %1, %n and & keep their meaning.
    static QString pseudo(const QString& text);
};

/// Reads the environment: STRIDESCOPE_PSEUDO_LOCALE=1 installs the translator, STRIDESCOPE_RIGHT_TO_LEFT=1 mirrors the
/// window. To be called before the first widget is made.
void applyTestLocale(QApplication& application);

} // namespace stridescope
