#include "app/cli/without_addresses.h"

namespace stridescope {

Scene withoutAddresses(Scene scene) {
    const QString at = QStringLiteral(" at");
    for (SceneNode& node : scene.nodes) {
        if (auto* strip = std::get_if<StripItem>(&node.item)) strip->baseAddress = 0;
        auto* text = std::get_if<TextItem>(&node.item);
        if (!text || node.part.kind != PartKind::StripHandle) continue;
        if (text->text.startsWith(QStringLiteral("0x"))) text->text.clear();
        if (text->text.endsWith(at)) text->text.chop(at.size());
    }
    return scene;
}

} // namespace stridescope
