#pragma once
// ImagesScreen: a tensor of images as a grid, operations on it as a list that reruns while it is changed, and the
// picked pixel down to its bytes. The list works beside the workspace; its lines go there when they are asked for.

#include "app/images/grid_export.h"
#include "app/images/image_labels.h"
#include "app/images/image_operations.h"
#include "app/images/step_history.h"
#include "app/work/background.h"
#include "app/workspace/workspace.h"
#include "widgets/images/image_tiles.h"
#include "widgets/images/value_histogram.h"
#include "widgets/shared/screen.h"

class QComboBox;
class QDoubleSpinBox;
class QLabel;
class QLineEdit;
class QPushButton;
class QSpinBox;
class QToolButton;

namespace stridescope {

class AxisChips;
class DownloadDialog;
class ElidedLabel;
class ImageGridView;
class PixelPanel;
class StepList;
class TouchedStrip;

class ImagesScreen : public Screen {
    Q_OBJECT

public:
    ImagesScreen(Workspace* workspace, QWidget* parent);
    ~ImagesScreen() override;
    void setTheme(const Theme& theme) override;
    PresentedPage* presentedPage(QWidget* parent) override;
    bool canZoom() const override;
    void zoom(Zoom step) override;
    QString undoTitle() const override;
    QString redoTitle() const override;
    void undo() override;
    void redo() override;
    std::optional<QString> shownDType() const override { return m_dtype; }

    /// The tensor whose images are shown; 0: none.
    TensorId source() const { return m_source; }
    void setSource(TensorId tensor);
    const std::vector<ChainStep>& steps() const { return m_steps; }
    void setSteps(const std::vector<ChainStep>& steps);
    void addStep(const QString& code);
    const ChainResult& result() const { return m_result; }
    /// Waits for the list under way.
    void finishRun();
    /// What the grid's choices make of a file.
    GridExport exportChoices() const;
    /// Saves what the list makes as one image, as torchvision's save_image has it; the format is told by the name. In
    /// the background; the end is told in the status bar.
    void exportTo(const QString& path, const GridExport& how);
    void exportTo(const QString& path) { exportTo(path, exportChoices()); }
    bool isExporting() const { return m_export.isBusy(); }
    ImageGridView* grid() const { return m_grid; }
    /// The other picture, beside it; seen when two are compared side by side.
    ImageGridView* otherGrid() const { return m_other; }
    const ImageLabels& imageLabels() const { return m_imageLabels; }
    /// How the picture after another step, or another tensor, is shown with this one.
    enum class Comparison : quint8 { Handle, Beside, Difference };
    /// `what`: "s2" for the picture after step 2, counted from 0, "t5" for the tensor of id 5; else nothing.
    void compare(const QString& what, Comparison how);
    /// Offers to fetch a set of pictures; nothing is fetched before its button is pressed.
    DownloadDialog* offerDownload();

protected:
    void showEvent(QShowEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    // --- images_screen_build.cpp ---
    QWidget* buildLeft();
    QWidget* buildMiddle();
    QWidget* buildRight();
    QWidget* buildGridRow();
    QWidget* buildCompared();
    QToolButton* buildGridChoices();
    void buildEmpty();
    void fillOperations();

    // --- images_screen_channels.cpp ---
    QWidget* buildChannels();
    QToolButton* buildSwaps();
    void showChannels();
    void killChannel(int channel, bool kill);
    void soloChannel(int channel);
    void fillChannels();
    QString fillValue() const;

    // --- images_screen_compare.cpp ---
    struct Mistake {
        QString code, what, right;
        std::size_t step = 0;
    };
    void fillComparison();
    /// What is to be said of how two pictures are shown.
    QString showComparison();
    ImageLook lookOf(const Tensor& tensor) const;
    std::pair<Tensor, OverwritesPtr> compared() const;
    /// The last step up to `last` that did something: what names the picture behind it.
    QString captionOf(std::size_t last) const;
    void addMistake(const ImageOperation& mistake);
    /// Both grids at one place; each fits its own where their pictures are of different sizes.
    void linkPlace(const ImageGridView* from, ImageGridView* to);
    /// Is the right picture the one that is compared with?
    bool isBesideRight() const;
    /// What is wrong at which side, and what is right.
    QString mistakeWords() const;
    /// The step that is the mistake; nothing where the list has none any more.
    std::optional<std::size_t> mistakeStep() const;
    std::pair<const Mistake*, std::size_t> mistakeInList() const;
    QString rightPicture() const;
    /// What a mistake is made of: the picture before the one that is shown.
    const Tensor& rightTensor() const;

    // --- images_screen.cpp ---
    void followSnapshot();
    void showPage(bool there);
    void rerun();
    void takeResult(const ChainResult& result);
    void showSteps();
    void showGrid();
    void showPixel();
    void tellGrid(const QString& place);
    std::vector<Index> slotsOfPick() const;
    void showLabels();
    void showCounts();
    void showTouched();
    void setLook(const ImageLook& look);
    void takeSamples();
    void search();
    void pickSlot(Index slot);
    void askToExport();
    void takeSteps(std::vector<ChainStep> steps);
    void copyLines();
    QStringList lines() const;
    std::pair<QStringList, QString> linesOfImages() const;
    const Tensor& shownTensor() const { return m_result.last; }
    Index columns() const;
    std::vector<Index> order() const;
    ImageSheet sheetOf(const Tensor& tensor, const OverwritesPtr& overwrites) const;

    Workspace* m_workspace;
    Theme m_theme;
    TensorId m_source = 0;
    Tensor m_base;
    std::vector<ChainStep> m_steps;
    StepHistory m_history;
    ChainResult m_result;
    ImageLook m_look;
    DType m_lookFor = DType::UInt8;
    bool m_ownLook = false; ///< the user has chosen black and white
    Background m_runner, m_export;
    std::optional<TensorId> m_chosenLabels; ///< 0: none are wanted
    bool m_valuesStale = false;
    bool m_stale = true; ///< the workspace changed while the screen was not seen
    bool m_runAgain = false;
    bool m_wantsNewest = false; ///< images were asked for: they are to be shown when they are there
    ImageLabels m_imageLabels;
    std::pair<QString, QStringList> m_classNames; ///< of the tensor that this line made; folders are read once
    std::vector<Index> m_order;                   ///< of the shuffled images; empty: as they come
    QString m_downloadFolder;
    std::vector<Mistake> m_mistakes; ///< that were chosen, the last one last: Undo brings earlier ones back
    QString m_dtype;                 ///< of the pictures as the steps leave them
    bool m_linking = false;

    QWidget *m_page = nullptr, *m_empty = nullptr;
    QComboBox *m_sources = nullptr, *m_compare = nullptr, *m_labels = nullptr, *m_comparison = nullptr,
              *m_scaling = nullptr;
    StepList* m_list = nullptr;
    QToolButton *m_add = nullptr, *m_swaps = nullptr;
    AxisChips* m_chips = nullptr;
    ImageGridView *m_grid = nullptr, *m_other = nullptr;
    ElidedLabel *m_leftCaption = nullptr, *m_rightCaption = nullptr;
    PixelPanel* m_pixel = nullptr;
    TouchedStrip* m_touched = nullptr;
    ValueHistogram* m_histogram = nullptr;
    ElidedLabel* m_status = nullptr;
    QLabel *m_words = nullptr, *m_refusal = nullptr, *m_facts = nullptr, *m_count = nullptr;
    QSpinBox *m_columns = nullptr, *m_seed = nullptr, *m_padding = nullptr;
    QDoubleSpinBox* m_padValue = nullptr;
    QLineEdit *m_search = nullptr, *m_fill = nullptr;
    struct ChannelButtons {
        QPushButton *solo = nullptr, *kill = nullptr;
    };
    std::vector<ChannelButtons> m_channels;
    QPushButton *m_tint = nullptr, *m_grey = nullptr, *m_colour = nullptr;
};

} // namespace stridescope
