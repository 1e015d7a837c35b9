#include "widgets/model/origin_words.h"

#include <QCoreApplication>

namespace stridescope {

QString originWord(Origin origin) {
    switch (origin) {
    case Origin::Base:
        break;
    case Origin::View:
        return QCoreApplication::translate("Words", "view");
    case Origin::Copy:
        return QCoreApplication::translate("Words", "copy");
    }
    return QCoreApplication::translate("Words", "base");
}

QString originText(Origin origin, const TensorEntry* parent) {
    if (!parent || origin == Origin::Base) return originWord(origin);
    return (origin == Origin::View ? QCoreApplication::translate("Words", "view of %1")
                                   : QCoreApplication::translate("Words", "copy of %1"))
        .arg(parent->name);
}

} // namespace stridescope
