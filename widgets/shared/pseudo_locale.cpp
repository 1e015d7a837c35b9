#include "widgets/shared/pseudo_locale.h"

#include <QApplication>

namespace stridescope {

QString PseudoTranslator::translate(const char*, const char* source, const char*, int) const {
    return pseudo(QString::fromUtf8(source));
}

QString PseudoTranslator::pseudo(const QString& text) {
    static constexpr char16_t kFrom[] = u"aceinosuyACEINOSUY";
    static constexpr char16_t kTo[] = u"áçéíñóšúýÁÇÉÍÑÓŠÚÝ";
    QString out;
    int letters = 0;
    for (qsizetype i = 0; i < text.size(); ++i) {
        const QChar c = text.at(i);
        // Place markers: %1, %L1, %n.
        if (c == QLatin1Char('%') && i + 1 < text.size()) {
            out += c;
            out += text.at(++i);
            continue;
        }
        const auto at = QStringView(kFrom).indexOf(c);
        out += at >= 0 ? QChar(kTo[at]) : c;
        if (c.isLetter()) ++letters;
    }
    if (letters == 0) return out; // signs and numbers are the same in every language
    const int more = qMax(1, static_cast<int>((text.size() * 2 + 4) / 5));
    // Before a trailing colon or ellipsis nothing is lost: the filling goes to the end, where labels are cut.
    QString filling(QLatin1Char(' '));
    while (filling.size() < more) filling += QStringLiteral("·");
    return out + filling;
}

void applyTestLocale(QApplication& application) {
    if (qEnvironmentVariableIntValue("STRIDESCOPE_PSEUDO_LOCALE") != 0) {
        QCoreApplication::installTranslator(new PseudoTranslator(&application));
    }
    if (qEnvironmentVariableIntValue("STRIDESCOPE_RIGHT_TO_LEFT") != 0) {
        QApplication::setLayoutDirection(Qt::RightToLeft);
    }
}

} // namespace stridescope
