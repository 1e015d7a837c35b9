#pragma once
// Painted pictures for screen readers: sentences, tables of cells and buttons, as the picture shows them at that
// moment. A picture tells what its parts are; how they become Qt's interfaces is the same for all of them.

#include "core/index.h"

#include <QAccessibleInterface>
#include <QPointF>
#include <QRectF>

#include <memory>
#include <optional>
#include <utility>
#include <vector>

class QWidget;

namespace stridescope {

/// One thing that is told.
struct PicturePart {
    enum class Kind : quint8 { Text, Table, Button } kind = Kind::Text;
    QString name;
    QRectF rect;   ///< in the widget; empty: the whole of it
    int index = 0; ///< the picture's own number of a table or a button
    friend bool operator==(const PicturePart&, const PicturePart&) = default;
};

/// What a picture tells. Rectangles and points are the widget's.
class TellingPicture {
public:
    struct Cell {
        int row = 0, column = 0;
        friend bool operator==(const Cell&, const Cell&) = default;
    };

    virtual ~TellingPicture() = default;
    /// Another number whenever anything of what is told may be other.
    virtual quint64 revision() const = 0;
    virtual QString title() const = 0;
    virtual QString caption() const = 0; ///< what is said of this moment
    /// In the order in which they are read; what may come and go stands last, so that the others keep their places.
    virtual std::vector<PicturePart> parts() const = 0;
    virtual void press(int button) = 0;

    // Of the table with that index
    virtual Index rows(int table) const = 0;
    virtual Index columns(int table) const = 0;
    virtual QString cellName(int table, Cell cell) const = 0;
    virtual QRectF cellRect(int table, Cell cell) const = 0; ///< empty: out of sight
    virtual std::optional<Cell> cellAt(int table, QPointF at) const = 0;
    /// Names of the columns, which are a row of headers then; empty: columns are counted.
    virtual QStringList columnNames(int table) const;
    virtual QString rowName(int table, int row) const;
    virtual std::vector<Cell> picked(int table) const;
    virtual void pick(int table, Cell cell);
    /// The table and its cell that keys act on; nothing: they act on the picture as a whole.
    virtual std::optional<std::pair<int, Cell>> keyCell() const;
};

/// The interface of `widget`, for the factory of its class.
QAccessibleInterface* makePictureAccessible(QWidget* widget, std::unique_ptr<TellingPicture> picture);
/// Tells readers which cell the keys act on now, where `widget` has them. To be called whenever that is another one.
void tellKeyCell(QWidget* widget);

} // namespace stridescope
