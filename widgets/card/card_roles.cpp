// Which dims are rows, columns and panels of a card.

#include "widgets/card/card_body_parts.h"

#include <algorithm>
#include <iterator>

namespace stridescope::card {

Roles rolesOf(const View& view, std::size_t most, int channelDim) {
    Roles roles;
    int* const places[] = {&roles.col, &roles.row, &roles.panelCol, &roles.panelRow};
    std::size_t next = 0;
    for (int d = static_cast<int>(view.dim()) - 1; d >= 0 && next < std::min(most, std::size(places)); --d) {
        if (d != channelDim) *places[next++] = d;
    }
    return roles;
}

Index sizeOf(const View& view, int dim) {
    return dim < 0 ? 1 : view.shape[static_cast<std::size_t>(dim)];
}

} // namespace stridescope::card
