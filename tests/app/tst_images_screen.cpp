// The images' screen: the course's pictures by mouse, the list of operations, the pixel down to its slot.

#include "app/images/export_dialog.h"
#include "app/images/images_screen.h"
#include "app/images/step_numbers.h"
#include "core/io/sample_images.h"
#include "core/ops/copy.h"
#include "core/ops/creation.h"
#include "core/ops/pointwise_math.h"
#include "core/ops/views.h"
#include "core/tensor/element.h"
#include "tests/app/main_window_fixture.h"
#include "tests/support/heartbeat.h"
#include "widgets/images/axis_chips.h"
#include "widgets/images/image_grid_view.h"
#include "widgets/images/pixel_panel.h"
#include "widgets/images/slot_walk.h"
#include "widgets/images/step_list.h"
#include "widgets/images/touched_strip.h"
#include "widgets/model/words.h"

#include <QComboBox>
#include <QDoubleSpinBox>
#include <QElapsedTimer>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QRadioButton>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTemporaryDir>
#include <QTest>
#include <QTimer>

using namespace stridescope;
using namespace stridescope::test;

namespace {

/// Byte c of the sample picture `number` at row y, column x.
int sampleByte(int number, int c, int y, int x) {
    static const std::vector<std::byte> records = sampleImages();
    return std::to_integer<int>(records[static_cast<std::size_t>(number * 3073 + 1 + c * 1024 + y * 32 + x)]);
}

} // namespace

class TestImagesScreen : public QObject, private TestedWindow {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { QApplication::setStyle(QStringLiteral("Fusion")); }
    void init() {
        openWindow(QSize(1280, 720));
        m_window->workspace()->setPatience(60000);
        m_window->showScreen(QStringLiteral("images"));
        QVERIFY(screen());
    }
    void cleanup() { closeWindow(); }

    /// By mouse: three pictures whose sizes and bytes are those of make_grid and save_image.
    void theCoursesPictures() {
        takeSamples();
        QCOMPARE(screen()->steps().size(), std::size_t{1}); // the channels come last in torchvision's arrays
        for (const char* what : {"The first 48 images", "To float", "Divide by 255"}) operate(what);
        QCOMPARE(screen()->result().last.shape(), (Dims{48, 3, 32, 32}));
        QCOMPARE(screen()->result().last.stride(), (Dims{3072, 1, 96, 3}));
        compareSaved([](int k, int c, int y, int x) { return sampleByte(k, c, y, x); });
        Q_EMIT chips()->transposeRequested(2, 3);
        screen()->finishRun();
        QCOMPARE(screen()->result().last.stride(), (Dims{3072, 1, 3, 96}));
        compareSaved([](int k, int c, int y, int x) { return sampleByte(k, c, x, y); });
        click("kill1");
        click("kill2");
        QCOMPARE(screen()->steps().back().code, QStringLiteral(".narrow(1, 1, 2).fill_(-1)"));
        QCOMPARE(screen()->result().steps.back().written, Index{48 * 2 * 1024});
        compareSaved([](int k, int c, int y, int x) { return c == 0 ? sampleByte(k, 0, x, y) : 0; });
        click("kill1");
        QCOMPARE(screen()->steps().back().code, QStringLiteral(".narrow(1, 2, 1).fill_(-1)"));
        click("kill2");
        QCOMPARE(screen()->steps().size(), std::size_t{5});
    }

    void costs() {
        takeSamples();
        screen()->setSteps({{QStringLiteral(".permute(0, 3, 1, 2)")},
                            {QStringLiteral(".float()")},
                            {QStringLiteral(".transpose(2, 3)")},
                            {QStringLiteral(".narrow(1, 1, 2).fill_(-1)")},
                            {QStringLiteral(".foo()")},
                            {QStringLiteral(".t()")}});
        screen()->finishRun();
        using Cost = ChainOutcome::Cost;
        const auto& steps = screen()->result().steps;
        const Cost wanted[] = {Cost::View, Cost::Copy, Cost::View, Cost::Write, Cost::Refused, Cost::Refused};
        for (std::size_t i = 0; i < 6; ++i) QCOMPARE(steps[i].cost, wanted[i]);
        QCOMPARE(steps[1].bytes, Index{600 * 3072 * 4});
        QCOMPARE(screen()->result().refused, 4);
        // What was written stays out of the picture before it, and out of the workspace.
        QVERIFY(readSlot(steps[2].tensor, 1).toDouble() >= 0);
        QCOMPARE(readSlot(steps[3].tensor, 1).toDouble(), -1.0);
        auto off = screen()->steps();
        off[4].on = off[5].on = false;
        screen()->setSteps(off);
        screen()->finishRun();
        QCOMPARE(screen()->result().refused, -1);
    }

    /// What is copied for a step that writes is what its tensor reaches, at the same slots; all of the storage where a
    /// step may look beyond that.
    void copiesForWriting() {
        const Tensor images = shownOf(".permute(0, 3, 1, 2)"); // 600 of 3072 bytes
        const auto at = [](const Tensor& t, Index slot) { return readSlot(t, slot).toInt(); };
        const Index inside = 100 * 3072 + 1, outside = 300 * 3072 + 1;
        QVERIFY(at(images, outside) != 0);
        std::vector<ChainStep> steps{{QStringLiteral(".narrow(0, 100, 48)")},
                                     {QStringLiteral(".narrow(1, 0, 1).fill_(7)")}};
        const ChainResult part = runChain(images, steps);
        QCOMPARE(part.steps.back().cost, ChainOutcome::Cost::Write);
        QCOMPARE(part.last.view(), narrow(images, 0, 100, 48).view());
        QCOMPARE(part.last.storage()->bytes(), images.storage()->bytes());
        QCOMPARE(at(part.last, inside), at(images, inside));
        QCOMPARE(at(part.last, inside - 1), Index{7});
        for (Index slot = 0; slot < TouchedLayout::kMostCells; ++slot) // shown below the grid
            QCOMPARE(at(part.last, slot), at(images, slot));
        steps.push_back({QStringLiteral(".as_strided((600, 3, 32, 32), (3072, 1, 96, 3), 0)")});
        const ChainResult all = runChain(images, steps, &part);
        QCOMPARE(at(all.last, inside - 1), Index{7});
        QCOMPARE(at(all.last, outside), at(images, outside));
        // Behind a step that copies.
        const ChainResult flipped =
            runChain(images, {{QStringLiteral(".narrow(0, 590, 10).flip(2)")}, {QStringLiteral(".add_(1)")}});
        const Index pixel[] = {9, 2, 31, 31}, there[] = {599, 2, 0, 31};
        QCOMPARE(readElement(flipped.last, pixel).toInt(), (readElement(images, there).toInt() + 1) % 256);
    }

    /// Writes to many bytes are worked out where they are read: no second copy of the images, and what is seen, told
    /// and saved is what writing into a copy gives. A step that is off and may look anywhere has it written.
    void manyBytesAreNotCopied() {
        const Index count = 12'000;
        const Tensor images = empty({count, 3, 32, 32}, {DType::UInt8, Device{}});
        for (Index i = 0; i < images.numel(); ++i) images.data<std::uint8_t>()[i] = static_cast<std::uint8_t>(i % 251);
        QVERIFY(images.nbytes() >= kKeptAsOverwrites);
        const Tensor before = clone(images);
        const std::vector<std::vector<const char*>> lists{
            {".narrow(1, 1, 1).fill_(0)"},
            {".narrow(1, 1, 2).fill_(77)", ".narrow(1, 2, 1).add_(200)", ".narrow(1, 2, 1).mul_(3)",
             ".transpose(2, 3)"},
            {".permute(0, 2, 3, 1)", ".narrow(3, 0, 1).clamp_(16, 235)", ".permute(0, 3, 1, 2)", ".bitwise_not_()"},
            {"[:, 1] = 9", "[::2, :, 4:9] += 20", "[:, :, ::3, ::5] *= 2", ".narrow(0, 0, 11000)"},
            {".narrow(1, 0, 1).zero_()", ".narrow(0, 5000, 48)", ".add_(1)", ".narrow(1, 0, 1)"},
            {".narrow(1, 0, 1).fill_(5)", ".narrow(0, 0, 6000).flip(3)", ".narrow(1, 0, 1).sub_(1)"},
            {".narrow(1, 0, 1).fill_(300)", ".foo()"},
            {".add_(0.5)"},
            {".narrow(1, 0, 1).floor_divide_(0)"},
            {".narrow(1, 0, 1).fill_(3)", ".narrow(1, 0, 1).copy_(x.narrow(1, 1, 1))", ".narrow(1, 2, 1).fill_(1)"},
            {".narrow(1, 0, 1).fill_(2)", ".narrow(0, 0, int(x.min()) + 7)"},
            {".fill_(2)", ".view(torch.int8)"}};
        for (const auto& codes : lists) {
            std::vector<ChainStep> steps;
            for (const char* code : codes) steps.push_back({QString::fromLatin1(code)});
            const ChainResult kept = runChain(images, steps);
            steps.push_back({QStringLiteral(".storage()"), false});
            const ChainResult written = runChain(images, steps);
            QVERIFY(!written.overwrites());
            QCOMPARE(kept.refused, written.refused);
            for (std::size_t i = 0; i < codes.size(); ++i) {
                const ChainOutcome &a = kept.steps[i], &b = written.steps[i];
                QVERIFY2(a.cost == b.cost && a.bytes == b.bytes && a.written == b.written, codes[i]);
                QCOMPARE(a.refusal ? a.refusal->message : "", b.refusal ? b.refusal->message : "");
                QCOMPARE(a.tensor.view(), b.tensor.view());
                QCOMPARE(a.tensor.dtype(), b.tensor.dtype());
                QVERIFY2(!a.touched.defined() || a.touched.view() == b.touched.view(), codes[i]);
                QVERIFY2(equal(carriedOut(a.tensor, a.overwrites), b.tensor), codes[i]);
            }
        }
        const ChainResult kept = runChain(images, {{QStringLiteral(".narrow(1, 1, 1).fill_(7)")}});
        QVERIFY(kept.last.storage() == images.storage());
        const ImageSheet sheet(kept.last, 100, 2, {}, kept.overwrites());
        QCOMPARE(sheet.value({11'999, 31, 31}, 1), 7.0);
        QCOMPARE(sheet.value({11'999, 31, 31}, 2), readSlot(images, sheet.slot({11'999, 31, 31}, 2)).toDouble());
        const ValueCounts counts = countValues(kept.last, usualLook(DType::UInt8), 1'000'000, kept.overwrites().get());
        const ValueCounts same =
            countValues(carriedOut(kept.last, kept.overwrites()), usualLook(DType::UInt8), 1'000'000);
        QVERIFY(counts.bins == same.bins);
        QVERIFY(equal(images, before));
    }

    /// A write on the tensor of the workspace itself goes into a copy.
    void theWorkspaceStays() {
        takeSamples();
        const quint64 before = m_window->workspace()->stateHash();
        screen()->addStep(QStringLiteral(".narrow(1, 0, 1).fill_(7)"));
        screen()->finishRun();
        QCOMPARE(screen()->result().steps.back().cost, ChainOutcome::Cost::Write);
        QCOMPARE(m_window->workspace()->stateHash(), before);
    }

    /// The list's lines do in the workspace what the list does.
    void linesAreTheList() {
        takeSamples();
        screen()->setSteps({{QStringLiteral(".permute(0, 3, 1, 2)")},
                            {QStringLiteral(".narrow(0, 0, 6)")},
                            {QStringLiteral(".narrow(1, 0, 1).fill_(7)")},
                            {QStringLiteral(".float()")},
                            {QStringLiteral(".flip(3)"), false},
                            {QStringLiteral(".div(255)")}});
        screen()->finishRun();
        const QString name = m_window->workspace()->nextName();
        click("runImageLines");
        TensorEntry made;
        for (const TensorEntry& entry : m_window->model()->snapshot()->tensors)
            if (entry.name == name) made = entry;
        QVERIFY(made.id != 0);
        const Tensor& wanted = screen()->result().last;
        QCOMPARE(made.tensor.shape(), wanted.shape());
        for (Index i = 0; i < wanted.size(0); ++i) {
            const Index coord[] = {i, 1, 5, 6}, red[] = {i, 0, 5, 6};
            QCOMPARE(readElement(made.tensor, coord).toDouble(), readElement(wanted, coord).toDouble());
            QCOMPARE(readElement(made.tensor, red).toDouble(), static_cast<double>(7.f / 255));
        }
    }

    void aPixelDownToItsSlot() {
        takeSamples();
        ImageGridView* grid = screen()->grid();
        grid->pick({21, 12, 13});
        for (int c = 0; c < 3; ++c) {
            QCOMPARE(grid->sheet().value({21, 12, 13}, c), static_cast<double>(sampleByte(21, c, 12, 13)));
            QCOMPARE(grid->sheet().slot({21, 12, 13}, c), Index{21 * 3072 + 12 * 96 + 13 * 3 + c});
        }
        QCOMPARE(PixelPanel::formula(grid->sheet().tensor(), {21, 0, 12, 13}).section(QStringLiteral(" = "), 0, 0),
                 QStringLiteral("0 + 21·3072 + 0·1 + 12·96 + 13·3"));
        // Arrows move one pixel, past the padding into the next image.
        QTest::keyClick(grid, Qt::Key_Right);
        QCOMPARE(*grid->picked(), (ImageSheet::Pixel{21, 12, 14}));
        for (int i = 0; i < 18; ++i) QTest::keyClick(grid, Qt::Key_Right);
        QCOMPARE(*grid->picked(), (ImageSheet::Pixel{22, 12, 0}));
        // A click picks what is drawn there; picks are the stored values whatever is looked at.
        grid->fit();
        const QPoint at =
            (QPointF(grid->sheet().placeOf({5, 3, 4})) * grid->zoom() + QPointF(grid->zoom(), grid->zoom()) / 2)
                .toPoint();
        QTest::mouseClick(grid, Qt::LeftButton, {}, at);
        QCOMPARE(grid->picked()->image, Index{5});
        click("solo1");
        QCOMPARE(grid->sheet().value({5, 3, 4}, 0), static_cast<double>(sampleByte(5, 1, 3, 4)));
    }

    void placesAndPixels() {
        const Tensor t = shownOf(".permute(0, 3, 1, 2)");
        for (const Index nrow : {1, 7, 600}) {
            const ImageSheet sheet(t, nrow, 2);
            for (const Index image : {0, 6, 7, 599})
                for (const Index y : {0, 31}) {
                    const QPoint at = sheet.placeOf({image, y, 31 - y});
                    QCOMPARE(*sheet.pixelAt(at.x(), at.y()), (ImageSheet::Pixel{image, y, 31 - y}));
                    QVERIFY(!sheet.pixelAt(0, at.y()));
                }
        }
    }

    void labelsSearchAndShuffle() {
        takeSamples();
        auto* labels = screen()->findChild<QComboBox*>(QStringLiteral("imageLabels"));
        QCOMPARE(labels->currentText(), QStringLiteral("labels"));
        auto* search = screen()->findChild<QLineEdit*>(QStringLiteral("searchLabel"));
        const auto look = [&](const char* text) {
            search->setText(QString::fromLatin1(text));
            QTest::keyClick(search, Qt::Key_Return);
            return screen()->grid()->picked() ? screen()->grid()->picked()->image : Index{-1};
        };
        QCOMPARE(look("label 7"), Index{7});
        QCOMPARE(look("label 7"), Index{17});
        QCOMPARE(look("40"), Index{40});
        QCOMPARE(look("4000"), Index{40});
        QCOMPARE(look("label 12"), Index{40});
        auto* seed = screen()->findChild<QSpinBox*>(QStringLiteral("shuffleSeed"));
        seed->setValue(3);
        const Index there = screen()->grid()->sheet().positionOf(40);
        seed->setValue(4);
        QVERIFY(screen()->grid()->sheet().positionOf(40) != there);
        seed->setValue(3);
        QCOMPARE(screen()->grid()->sheet().positionOf(40), there);
        labels->setCurrentIndex(0);
        Q_EMIT labels->activated(0);
        QCOMPARE(labels->currentIndex(), 0);
    }

    /// The button that takes the samples hands the keys to them, and not to another part of the window.
    void samplesHaveTheKeys() {
        m_window->activateWindow();
        auto* button = screen()->findChild<QPushButton*>(QStringLiteral("sampleImages"));
        button->setFocus();
        QTRY_VERIFY(button->hasFocus());
        QTest::keyClick(button, Qt::Key_Space);
        QTRY_VERIFY(screen()->source() != 0);
        QVERIFY(screen()->grid()->hasFocus());
    }

    /// The names of the classes belong to the images, also of a tensor made of them, and are there again in a session.
    void classNamesAreKept() {
        takeSamples();
        const QString third = screen()->imageLabels().textOf(3);
        QVERIFY2(third.startsWith(QStringLiteral("3 ")), qPrintable(third));
        QVERIFY(m_window->runLine(QStringLiteral("some = images.narrow(0, 0, 600)"), Naming::Auto).ok);
        QVERIFY(m_window->runLine(QStringLiteral("labels.size(0)"), Naming::Discard).ok);
        screen()->setSource(entry("some")->id);
        screen()->finishRun();
        QCOMPARE(screen()->imageLabels().textOf(3), third);
        const QString path = m_folder.filePath(QStringLiteral("classes.stridescope"));
        m_window->saveSessionTo(path);
        QTRY_VERIFY(!m_window->isSaving());
        for (const bool chosen : {false, true}) {
            if (chosen) { // in this window once more, after a choice of other labels
                auto* labels = screen()->findChild<QComboBox*>(QStringLiteral("imageLabels"));
                labels->setCurrentIndex(labels->findText(QStringLiteral("labels")));
                Q_EMIT labels->activated(labels->currentIndex());
            } else {
                closeWindow();
                init();
            }
            m_window->openFiles({path});
            QTRY_COMPARE(m_window->sessionShownPath(), path);
            QTRY_VERIFY(screen()->source() != 0);
            for (const char* name : {"images", "some"}) {
                screen()->setSource(entry(name)->id);
                screen()->finishRun();
                QCOMPARE(screen()->imageLabels().textOf(3), third);
            }
        }
    }

    /// C10: a mosaic of 10,000 images from a file, a channel overwritten, saved, undone; the window lives meanwhile.
    void tenThousand() {
        const QString path = m_folder.filePath(QStringLiteral("data_batch_1.bin"));
        QByteArray records(10'000 * 3073, Qt::Uninitialized);
        for (qsizetype i = 0; i < records.size(); ++i) records[i] = static_cast<char>(i * 31 % 251);
        for (qsizetype i = 0; i < 10'000; ++i) records[i * 3073] = static_cast<char>(i % 10);
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write(records) == records.size());
        file.close();
        QElapsedTimer clock;
        test::Heartbeat beats;
        QTimer heart;
        connect(&heart, &QTimer::timeout, this, [&] { beats.beat(); });
        m_window->openFiles({path});
        QTRY_VERIFY(entry("images") && screen()->source() != 0);
        screen()->finishRun();
        QCOMPARE(screen()->grid()->sheet().count(), Index{10'000});
        QCOMPARE(screen()->imageLabels().textOf(3), QStringLiteral("3 cat"));
        heart.start(5);
        beats.start();
        clock.start();
        screen()->addStep(QStringLiteral(".narrow(1, 1, 2).fill_(0)"));
        QTRY_COMPARE(screen()->result().steps.size(), std::size_t{1});
        QVERIFY2(clock.elapsed() < 1000, qPrintable(QString::number(clock.elapsed())));
        const ImageSheet& sheet = screen()->grid()->sheet();
        for (Index k = 0; k < 10'000; k += 777) QCOMPARE(sheet.value({k, 3, 4}, 2), 0.0);
        const QString saved = m_folder.filePath(QStringLiteral("mosaic.png"));
        const QSize seen = screen()->grid()->sheet().size();
        screen()->exportTo(saved);
        QTRY_VERIFY(!screen()->isExporting());
        QCOMPARE(QImage(saved).size(), seen);
        QVERIFY2(beats.longest() < test::kLongestBeat, qPrintable(QString::number(beats.longest())));
        // In the workspace: undo gives every byte back, and the file never changed.
        const Tensor images = entry("images")->tensor;
        const auto bytes = [&] {
            return QByteArray(reinterpret_cast<const char*>(images.storage()->data()),
                              static_cast<qsizetype>(images.storage()->bytes()));
        };
        QVERIFY(bytes() == records);
        clock.start();
        QVERIFY(m_window->runLine(QStringLiteral("images.narrow(1, 1, 1).fill_(0)"), Naming::Discard).ok);
        QTRY_VERIFY(!workspace()->isBusy());
        QVERIFY2(clock.elapsed() < 1000, qPrintable(QString::number(clock.elapsed())));
        QVERIFY(bytes() != records);
        QVERIFY(workspace()->undo());
        QVERIFY(bytes() == records);
        QVERIFY(file.open(QIODevice::ReadOnly) && file.readAll() == records);
    }

    /// What was refused for its length is opened without its last record when the message's button says so.
    void cutBatchIsOffered() {
        const QString path = m_folder.filePath(QStringLiteral("test_batch.bin"));
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write(QByteArray(3073 * 3 - 5, '\1')) == 3073 * 3 - 5);
        file.close();
        m_window->openFiles({path});
        QTRY_VERIFY(!m_window->isOpening() && message()->isVisible());
        QVERIFY(!entry("images"));
        QPushButton* button = actionOf(message(), QStringLiteral("Open its whole records"));
        QVERIFY(button);
        button->click();
        QTRY_VERIFY(entry("images"));
        QCOMPARE(entry("images")->tensor.shape(), (Dims{2, 3, 32, 32}));
    }

    /// I7: what no picture holds is counted and asked about before anything is saved.
    void valuesThatAFileCannotHold() {
        takeSamples();
        screen()->setSteps({{QStringLiteral(".permute(0, 3, 1, 2)")},
                            {QStringLiteral(".narrow(0, 0, 48)")},
                            {QStringLiteral(".float()")},
                            {QStringLiteral(".div(255)")},
                            {QStringLiteral(".narrow(1, 1, 2).fill_(-1)")}});
        screen()->finishRun();
        click("exportGrid");
        auto* dialog = screen()->findChild<ExportDialog*>();
        QVERIFY(dialog);
        const QString counts = dialog->findChild<QLabel*>(QStringLiteral("exportCounts"))->text();
        QVERIFY2(counts.contains(countText(98'304)), qPrintable(counts));
        auto* line = dialog->findChild<QPlainTextEdit*>(QStringLiteral("exportLine"));
        // As the workspace and what the lines before it call the images.
        const QString name = m_window->workspace()->nextName();
        QCOMPARE(line->toPlainText().section(QLatin1Char('\n'), 0, 0),
                 name + QStringLiteral(" = images.permute(0, 3, 1, 2).narrow(0, 0, 48).float().div(255)"));
        QCOMPARE(line->toPlainText().section(QLatin1Char('\n'), -1),
                 QStringLiteral("torchvision.utils.save_image(%1, \"images.png\", nrow=12)").arg(name));
        dialog->findChild<QRadioButton*>(QStringLiteral("exportRange"))->click();
        QVERIFY(line->toPlainText().contains(QStringLiteral("normalize=True, value_range=(0, 1)")));
        QCOMPARE(dialog->chosen().scaling, GridScaling::Range);
        dialog->reject();
        // NaN is told, too.
        screen()->addStep(QStringLiteral(".div(0).narrow(1, 0, 1)"));
        screen()->finishRun();
        const OutsideCounts odd = countOutside(screen()->result().last);
        QCOMPARE(odd.nans + odd.infinities, Index{49'152});
        // Scaled from its own black to white the file has both ends.
        GridExport how = screen()->exportChoices();
        how.scaling = GridScaling::Range;
        how.black = -1;
        screen()->setSteps(
            {{QStringLiteral(".permute(0, 3, 1, 2)")}, {QStringLiteral(".narrow(0, 0, 4).float().div(255)")}});
        screen()->finishRun();
        const Result<Tensor> image = exportedGrid(screen()->result().last, how);
        QVERIFY(image);
        const Index at[] = {2, 2, 0};
        QCOMPARE(readElement(*image, at).toInt(),
                 static_cast<Index>((static_cast<float>(sampleByte(0, 0, 0, 0)) / 255.f + 1) / 2 * 255 + 0.5f));
    }

    /// The grid's choices are make_grid's options, on the screen and in the file.
    void gridChoices() {
        takeSamples();
        screen()->setSteps(
            {{QStringLiteral(".permute(0, 3, 1, 2)")}, {QStringLiteral(".narrow(0, 0, 10).float().div(255)")}});
        screen()->finishRun();
        screen()->findChild<QSpinBox*>(QStringLiteral("gridPadding"))->setValue(5);
        screen()->findChild<QSpinBox*>(QStringLiteral("gridColumns"))->setValue(4);
        screen()->findChild<QDoubleSpinBox*>(QStringLiteral("gridPadValue"))->setValue(1);
        QCOMPARE(screen()->grid()->sheet().size(), QSize(4 * 37 + 5, 3 * 37 + 5));
        auto* scaling = screen()->findChild<QComboBox*>(QStringLiteral("gridScaling"));
        scaling->setCurrentIndex(2);
        const GridExport how = screen()->exportChoices();
        QCOMPARE(how.scaling, GridScaling::Each);
        const Result<Tensor> image = exportedGrid(screen()->result().last, how);
        QVERIFY(image);
        QCOMPARE(image->shape(), (Dims{3 * 37 + 5, 4 * 37 + 5, 3}));
        // The file has what the screen shows, the padding too.
        ImageLook look = usualLook(DType::Float32);
        look.each = true;
        const QImage tile = screen()->grid()->sheet().tile(0, 0, 192, 1, look, qRgb(255, 255, 255));
        for (int y = 0; y < image->size(0); ++y)
            for (int x = 0; x < image->size(1); ++x) {
                const Index r[] = {y, x, 0}, g[] = {y, x, 1}, b[] = {y, x, 2};
                const auto part = [&](const Index(&at)[3]) {
                    return static_cast<int>(readElement(*image, at).toInt());
                };
                QVERIFY(std::abs(qRed(tile.pixel(x, y)) - part(r)) <= 1);
                QVERIFY(std::abs(qGreen(tile.pixel(x, y)) - part(g)) <= 1);
                QVERIFY(std::abs(qBlue(tile.pixel(x, y)) - part(b)) <= 1);
            }
        // So has the order of a seed, which is PyTorch's.
        screen()->findChild<QSpinBox*>(QStringLiteral("shuffleSeed"))->setValue(3);
        const GridExport shuffled = screen()->exportChoices();
        QCOMPARE(shuffled.order, shuffledOrder(10, 3));
        QVERIFY(saveLine(screen()->result().last, shuffled, QStringLiteral("x"), QStringLiteral("a.png"))
                    .startsWith(
                        QStringLiteral("torch.manual_seed(3)\ntorchvision.utils.save_image(x[torch.randperm(10)]")));
    }

    void channelsAreSwappedAndFilled() {
        takeSamples();
        screen()->findChild<QToolButton*>(QStringLiteral("swapChannels"))->menu()->actions()[0]->trigger();
        screen()->finishRun();
        QCOMPARE(screen()->result().refused, -1);
        for (int c = 0; c < 3; ++c)
            QCOMPARE(screen()->grid()->sheet().value({9, 5, 6}, c), static_cast<double>(sampleByte(9,
                                                                                                   c == 0   ? 1
                                                                                                   : c == 1 ? 0
                                                                                                            : 2,
                                                                                                   5, 6)));
        auto* fill = screen()->findChild<QLineEdit*>(QStringLiteral("fillValue"));
        fill->setText(QStringLiteral("77"));
        click("kill2");
        QCOMPARE(screen()->steps().back().code, QStringLiteral(".narrow(1, 2, 1).fill_(77)"));
        fill->setText(QStringLiteral("88"));
        Q_EMIT fill->editingFinished();
        screen()->finishRun();
        QCOMPARE(screen()->grid()->sheet().value({9, 5, 6}, 2), 88.0);
    }

    /// Each operation of the menu is carried out, and none leaves something that is no image but the ones that mean to.
    void everyOperationRuns() {
        takeSamples();
        screen()->setSteps({{QStringLiteral(".permute(0, 3, 1, 2)")},
                            {QStringLiteral(".narrow(0, 0, 48)")},
                            {QStringLiteral(".float()")},
                            {QStringLiteral(".div(255)")}});
        screen()->finishRun();
        const auto base = screen()->steps();
        for (const ImageOperation& operation : imageOperations(screen()->result().last)) {
            auto steps = base;
            steps.push_back({operation.code});
            const ChainResult result = runChain(screen()->result().base, steps);
            QVERIFY2(result.refused < 0,
                     qPrintable(operation.code + QString::fromStdString(result.refused < 0
                                                                            ? std::string()
                                                                            : result.steps.back().refusal->message)));
            QVERIFY2(ImageSheet::whyNot(result.last).isEmpty(), qPrintable(operation.code));
        }
    }

    /// A mistake stands beside the right picture, with words; both zoom as one.
    void mistakesBesideTheRightPicture() {
        takeSamples();
        operate("The first 48 images");
        operate("view where permute was meant");
        QVERIFY(screen()->otherGrid()->isVisible());
        // All of it is in sight at 1280 x 720.
        QCoreApplication::processEvents();
        const QWidget* strip = screen()->findChild<TouchedStrip*>();
        QVERIFY(strip->mapTo(m_window.get(), strip->rect().bottomLeft()).y() < 720 - 20);
        const QString words = screen()->findChild<QLabel*>(QStringLiteral("imageWords"))->text();
        QVERIFY2(words.contains(QStringLiteral("permute")), qPrintable(words));
        QCOMPARE(screen()->otherGrid()->sheet().value({5, 3, 4}, 1), static_cast<double>(sampleByte(5, 1, 3, 4)));
        QVERIFY(screen()->grid()->sheet().value({5, 3, 4}, 1) != screen()->otherGrid()->sheet().value({5, 3, 4}, 1));
        // Which side is which is said, in words and over the pictures.
        QVERIFY2(words.contains(QStringLiteral("At the right, the wrong one: view keeps")) &&
                     words.contains(QStringLiteral("At the left, the correct one: permute(0, 3, 1, 2)")),
                 qPrintable(words));
        screen()->grid()->zoomTo(5, {10, 10});
        QCOMPARE(screen()->otherGrid()->zoom(), 5.0);
        screen()->otherGrid()->zoomTo(7, {30, 40});
        QCOMPARE(screen()->grid()->zoom(), 7.0);
        QCOMPARE(screen()->grid()->origin(), screen()->otherGrid()->origin());
        screen()->otherGrid()->pick({7, 1, 2});
        QCOMPARE(screen()->grid()->picked()->image, Index{7});
        screen()->compare(QStringLiteral("s1"), ImagesScreen::Comparison::Difference);
        QVERIFY(screen()->grid()->sheet().isDifference());
        QVERIFY(!screen()->otherGrid()->isVisible());
    }

    /// Classes go with their images through steps that move these about.
    void classesFollowTheirImages() {
        takeSamples();
        const auto classOf = [&](Index image) { return screen()->imageLabels().textOf(image); };
        const auto run = [&](const std::vector<ChainStep>& more) {
            std::vector<ChainStep> steps{{QStringLiteral(".permute(0, 3, 1, 2)")}};
            steps.insert(steps.end(), more.begin(), more.end());
            screen()->setSteps(steps);
            screen()->finishRun();
        };
        const auto named = [](int k) {
            return QStringLiteral("%1 %2").arg(k % 10).arg(
                QString::fromLatin1(sampleClasses()[static_cast<std::size_t>(k % 10)]));
        };
        run({});
        QCOMPARE(classOf(13), named(13));
        run({{QStringLiteral(".narrow(0, 5, 20)")}, {QStringLiteral(".float()")}});
        QCOMPARE(classOf(0), named(5));
        run({{QStringLiteral("[3::2]")}, {QStringLiteral(".transpose(2, 3)")}});
        QCOMPARE(classOf(1), named(5));
        run({{QStringLiteral(".flip(0)")}});
        QCOMPARE(classOf(0), named(599));
        run({{QStringLiteral(".transpose(0, 1)")}});
        QVERIFY(screen()->imageLabels().isEmpty());
        // By name, from the field.
        run({{QStringLiteral(".narrow(0, 5, 20)")}});
        auto* search = screen()->findChild<QLineEdit*>(QStringLiteral("searchLabel"));
        search->setText(QString::fromLatin1(sampleClasses()[2]));
        QTest::keyClick(search, Qt::Key_Return);
        QCOMPARE(screen()->grid()->picked()->image, Index{7});
        // By slot, byte and address.
        const Tensor& shown = screen()->result().last;
        const Index wanted = screen()->grid()->sheet().slot({11, 4, 9}, 0);
        for (const QString& text :
             {QStringLiteral("slot %1").arg(wanted), QStringLiteral("byte %1").arg(wanted),
              QStringLiteral("0x%1").arg(
                  reinterpret_cast<quintptr>(shown.storage()->data()) + static_cast<quintptr>(wanted), 0, 16)}) {
            screen()->grid()->pick({0, 0, 0});
            search->setText(text);
            QTest::keyClick(search, Qt::Key_Return);
            QCOMPARE(*screen()->grid()->picked(), (ImageSheet::Pixel{11, 4, 9}));
        }
    }

    /// A slider of a step reruns the list; what stands before the step is not carried out again.
    void slidersRerunWhatFollows() {
        takeSamples();
        screen()->setSteps({{QStringLiteral(".permute(0, 3, 1, 2)")},
                            {QStringLiteral(".float()")},
                            {QStringLiteral(".div(255)")},
                            {QStringLiteral(".add(0.2)")}});
        screen()->finishRun();
        const std::uint64_t kept = screen()->result().steps[2].tensor.storage()->id();
        auto* list = screen()->findChild<StepList*>();
        const std::vector<StepNumber> numbers =
            stepNumbers(screen()->steps()[3].code, screen()->result().steps[2].tensor);
        QCOMPARE(numbers.size(), std::size_t{1});
        for (const double value : {0.3, 0.4, 0.5}) Q_EMIT list->numberMoved(3, numbers[0], value);
        screen()->finishRun();
        QCOMPARE(screen()->steps()[3].code, QStringLiteral(".add(0.5)"));
        QCOMPARE(screen()->result().steps[2].tensor.storage()->id(), kept);
        QCOMPARE(screen()->grid()->sheet().value({0, 0, 0}, 0),
                 static_cast<double>(static_cast<float>(sampleByte(0, 0, 0, 0)) / 255.f + 0.5f));
        QCOMPARE(withNumber(QStringLiteral(".narrow(0, 4, 10)"),
                            stepNumbers(QStringLiteral(".narrow(0, 4, 10)"), screen()->result().last)[1], 25),
                 QStringLiteral(".narrow(0, 4, 25)"));
        // Dragged to the front.
        Q_EMIT list->moved(3, -1);
        screen()->finishRun();
        QCOMPARE(screen()->steps()[2].code, QStringLiteral(".add(0.5)"));
    }

    void refusedExports() {
        takeSamples();
        QSignalSpy said(screen(), &Screen::statusTextChanged);
        screen()->exportTo(QStringLiteral("/nowhere/x.png"));
        QTRY_VERIFY(!screen()->isExporting());
        QVERIFY(said.last()[0].toString().startsWith(QStringLiteral("Not saved")));
        screen()->exportTo(m_folder.filePath(QStringLiteral("x.gif")));
        QVERIFY(said.last()[0].toString().contains(QStringLiteral("none of .png")));
    }

    /// The narrowest window that is supported holds it.
    void fitsNarrowWindows() {
        takeSamples();
        screen()->setSteps({{QStringLiteral(".permute(0, 3, 1, 2)")},
                            {QStringLiteral(".permute(0, 2, 3, 1).contiguous().view(600, 3, 32, 32)")}});
        screen()->finishRun();
        QVERIFY2(screen()->minimumSizeHint().width() <= 1280,
                 qPrintable(QString::number(screen()->minimumSizeHint().width())));
        QCOMPARE(m_window->width(), 1280);
        m_window->showScreen(QStringLiteral("explore"));
        QCoreApplication::processEvents();
        QCOMPARE(m_window->width(), 1280);
    }

    /// A screen that is not seen does nothing and says nothing, and is right when it is seen again.
    void unseen() {
        takeSamples();
        screen()->setSteps({{QStringLiteral(".permute(0, 3, 1, 2)")}});
        screen()->finishRun();
        ImagesScreen* images = screen();
        m_window->showScreen(QStringLiteral("explore"));
        QSignalSpy said(images, &Screen::statusTextChanged);
        QVERIFY(m_window->runLine(QStringLiteral("images.fill_(9)"), Naming::Discard).ok);
        QVERIFY(m_window->runLine(QStringLiteral("z = torch.zeros(2, 3, 8, 8)"), Naming::Discard).ok);
        images->finishRun();
        QCOMPARE(said.size(), 0);
        m_window->showScreen(QStringLiteral("images"));
        images->finishRun();
        QCOMPARE(readSlot(images->result().last, 5).toDouble(), 9.0);
        QVERIFY(images->findChild<QComboBox*>(QStringLiteral("imageSource"))->findText(QStringLiteral("z")) >= 0);
    }

    void valuesThatCannotBeDrawn() {
        const Tensor t = shownOf(".permute(0, 3, 1, 2).narrow(0, 0, 2).float().sub(128).div(0)");
        const ValueCounts counts = countValues(t, usualLook(t.dtype()), 1'000'000);
        Index wanted = 0;
        for (int k = 0; k < 2; ++k)
            for (int c = 0; c < 3; ++c)
                for (int i = 0; i < 1024; ++i) wanted += sampleByte(k, c, i / 32, i % 32) == 128;
        QCOMPARE(counts.nans, wanted);
        QVERIFY(wanted > 0);
        QCOMPARE(counts.infinities, 2 * 3072 - wanted);
        QCOMPARE(shortNumber(std::nan(""), false), QStringLiteral("NaN"));
        QCOMPARE(shortNumber(0.427, false), QStringLiteral(".43"));
        QCOMPARE(shortNumber(-1, false), QStringLiteral("-1"));
        QCOMPARE(shortNumber(-1.823, false, 4), QStringLiteral("-1.8"));
        QCOMPARE(shortNumber(12345, true, 4), QStringLiteral("1e4"));
        QCOMPARE(shortNumber(255, true, 4), QStringLiteral("255"));
        for (const double value :
             {0.0, -0.47, 1.82, -1.996, 99.96, -123.4, 1234.5, -9999.9, 0.0012, -1e-7, 65535.0, 1e38})
            for (const int most : {4, 5})
                QVERIFY2(shortNumber(value, false, most).size() <=
                             std::max<qsizetype>(most, std::abs(value) < 1 || value > 1e9 ? 5 : 4),
                         qPrintable(shortNumber(value, false, most)));
    }

    /// Half of the storage between the ends of a channel narrow, and its first slots.
    void touched() {
        const Tensor whole = shownOf(".permute(0, 3, 1, 2)"); // RGBRGB...
        const Tensor blue = Tensor(whole.storage(), View{{600, 1, 32, 32}, whole.stride(), 2}, whole.dtype());
        for (const double part : coverageOf(blue, 100))
            QVERIFY2(std::abs(part - 1 / 3.) < 0.02, qPrintable(QString::number(part)));
        const SlotSet slots(blue.view());
        for (const Index first : {Index{0}, Index{123'456}}) {
            const auto here = channelsAt(blue, first, 24), all = channelsAt(whole, first, 24);
            for (Index i = 0; i < 24; ++i) {
                QCOMPARE(here[static_cast<std::size_t>(i)].has_value(), (first + i) % 3 == 2);
                QCOMPARE(slots.holds(first + i), (first + i) % 3 == 2);
                QCOMPARE(*all[static_cast<std::size_t>(i)], (first + i) % 3);
            }
        }
        // Half of the pictures: half of the bar, and nothing behind it.
        const Tensor half = Tensor(whole.storage(), View{{300, 3, 32, 32}, whole.stride(), 0}, whole.dtype());
        const std::vector<double> parts = coverageOf(half, 10);
        for (std::size_t i = 0; i < 10; ++i) QVERIFY(i < 5 ? parts[i] > 0.99 : parts[i] == 0);
    }

    /// Every k-th element, whatever k, dims and strides are, against counting in row-major order.
    void eachSlotIsThatOfItsElement() {
        const Tensor t = shownOf(".permute(0, 3, 1, 2)");
        for (const View& view :
             {View{{5, 3, 4, 2}, {24, 1, 6, 3}, 2}, View{{7, 5}, {-5, 0}, 40}, View{{1, 6, 1}, {0, 2, 0}, 1},
              View{{}, {}, 3}, View{{4, 0, 2}, {0, 2, 1}, 0}, View{{600, 3, 32, 32}, {3072, 1, 96, 3}, 0}}) {
            const Tensor part(t.storage(), view, t.dtype());
            for (const Index step : {1, 2, 3, 5, 7, 24, 25, 119, 1000, 18433}) {
                std::vector<Index> found, wanted;
                const Index counted = eachSlot(part, step, [&](Index slot) { found.push_back(slot); });
                for (Index i = 0; i < part.numel(); i += step) {
                    Index slot = view.offset, rest = i;
                    for (std::size_t d = view.shape.size(); d-- > 0; rest /= view.shape[d])
                        slot += rest % view.shape[d] * view.stride[d];
                    wanted.push_back(slot);
                }
                QVERIFY(found == wanted);
                QCOMPARE(counted, static_cast<Index>(wanted.size()));
            }
        }
    }

    void histogram() {
        const Tensor t = shownOf(".permute(0, 3, 1, 2).narrow(0, 0, 48).float().div(255)");
        ImageLook look = usualLook(t.dtype());
        const ValueCounts counts = countValues(t, look, 1'000'000);
        QCOMPARE(counts.counted, Index{147456});
        QCOMPARE(counts.below + counts.above + counts.nans, Index{0});
        look.white = 0.5;
        Index above = 0;
        for (int k = 0; k < 48; ++k)
            for (int c = 0; c < 3; ++c)
                for (int i = 0; i < 1024; ++i)
                    above += static_cast<float>(sampleByte(k, c, i / 32, i % 32)) / 255.f > 0.5f;
        QCOMPARE(countValues(t, look, 1'000'000).above, above);
    }

private:
    ImagesScreen* screen() const { return qobject_cast<ImagesScreen*>(m_window->currentScreen()); }
    AxisChips* chips() const { return screen()->findChild<AxisChips*>(); }
    void click(const char* name) {
        auto* button = screen()->findChild<QPushButton*>(QString::fromLatin1(name));
        QVERIFY(button);
        button->click();
        screen()->finishRun();
    }
    void takeSamples() {
        click("sampleImages");
        QTRY_VERIFY(screen()->source() != 0);
        QTRY_COMPARE(m_window->model()->snapshot()->tensors.size(), std::size_t{2});
        screen()->finishRun();
    }
    /// An entry of the menu of operations, as if clicked.
    void operate(const char* title) {
        QMenu* menu = screen()->findChild<QToolButton*>(QStringLiteral("addImageOperation"))->menu();
        Q_EMIT menu->aboutToShow();
        for (QAction* action : menu->findChildren<QAction*>()) {
            if (!action->text().startsWith(QString::fromLatin1(title))) continue;
            action->trigger();
            screen()->finishRun();
            return;
        }
        QFAIL(title);
    }
    Tensor shownOf(const char* code) {
        takeSamples();
        screen()->setSteps({{QString::fromLatin1(code)}});
        screen()->finishRun();
        return screen()->result().last;
    }
    template <class Wanted>
    void compareSaved(Wanted wanted) {
        const QString path = m_folder.filePath(QStringLiteral("grid.png"));
        screen()->exportTo(path);
        QTRY_VERIFY(!screen()->isExporting());
        const QImage image = QImage(path).convertToFormat(QImage::Format_RGB32);
        QCOMPARE(image.size(), QSize(410, 138));
        for (int y = 0; y < 138; ++y) {
            for (int x = 0; x < 410; ++x) {
                const int k = y / 34 * 12 + x / 34, iy = y % 34 - 2, ix = x % 34 - 2;
                const bool pad = iy < 0 || ix < 0 || y >= 136 || x >= 408;
                const auto part = [&](int c) { return pad ? 0 : wanted(k, c, iy, ix); };
                QCOMPARE(image.pixel(x, y), qRgb(part(0), part(1), part(2)));
            }
        }
    }

    QTemporaryDir m_folder;
};

QTEST_MAIN(TestImagesScreen)
#include "tst_images_screen.moc"
