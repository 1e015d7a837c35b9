#pragma once
// ImageLabels: which class each image on the screen has, through the steps that moved images about, and how it is
// called.

#include "app/images/image_chain.h"
#include "widgets/model/snapshot.h"

#include <QString>
#include <QStringList>

#include <vector>

namespace stridescope {

class ImageLabels {
public:
    ImageLabels() = default;
    /// `labels` are 1-d integers, one for each image of the result's base at least; `names` by class, may be empty.
    ImageLabels(const Tensor& labels, QStringList names, const ChainResult& result);
    bool isEmpty() const { return m_classes.empty(); }
    /// "3 cat", "3", "?"; empty: nothing is known of that image.
    QString textOf(Index image) const;
    /// The next image behind `from` whose class has that number or name, going round; nothing: none has.
    std::optional<Index> next(const QString& wanted, Index from) const;
    const QStringList& names() const { return m_names; }

private:
    std::vector<Index> m_classes;
    QStringList m_names;
};

/// The line that tells which set a tensor's images are of: its own, or that of the tensor that it was made of. Empty:
/// none does.
QString lineOfSet(const WorkspaceSnapshot& snapshot, const TensorEntry& images);
/// Names of the classes that such a line tells: those of a set, or of folders of pictures.
QStringList classNamesOf(const QString& line);
/// May `labels` be the classes of `count` images?
bool looksLikeLabels(const Tensor& labels, Index count);

} // namespace stridescope
