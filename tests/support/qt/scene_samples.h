#pragma once
// Small scenes, and what a painted cell looks like without hue.

#include "widgets/scene/scene.h"

#include <QImage>

#include <algorithm>
#include <cstdlib>
#include <vector>

namespace stridescope {

inline Scene sceneOf(QSizeF size, SceneItem item) {
    Scene scene;
    scene.size = size;
    scene.nodes.push_back({{}, std::move(item)});
    return scene;
}

/// Grey values of one cell, for "these two can be told apart without hue".
inline std::vector<int> greyCell(const QImage& image, const QRect& cell) {
    std::vector<int> grey;
    for (int y = cell.top(); y <= cell.bottom(); ++y) {
        for (int x = cell.left(); x <= cell.right(); ++x) grey.push_back(qGray(image.pixel(x, y)));
    }
    return grey;
}

inline int differentPixels(const std::vector<int>& a, const std::vector<int>& b) {
    int count = 0;
    for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) count += std::abs(a[i] - b[i]) > 40 ? 1 : 0;
    return count;
}

} // namespace stridescope
