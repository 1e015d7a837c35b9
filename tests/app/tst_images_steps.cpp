// The steps that the images' screen makes: of single pictures, channels, mistakes, and what two pictures are called.

#include "app/images/export_dialog.h"
#include "app/images/image_channels.h"
#include "app/images/images_screen.h"
#include "core/ops/creation.h"
#include "core/ops/views.h"
#include "core/tensor/element.h"
#include "tests/app/main_window_fixture.h"
#include "widgets/images/image_grid_view.h"
#include "widgets/images/pixel_panel.h"
#include "widgets/images/step_list.h"
#include "widgets/images/touched_strip.h"
#include "widgets/shared/elided_label.h"

#include <QComboBox>
#include <QElapsedTimer>
#include <QLabel>
#include <QMenu>
#include <QMouseEvent>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>

using namespace stridescope;
using namespace stridescope::test;

class TestImagesSteps : public QObject, private TestedWindow {
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

    /// Each operation that is offered for a picture alone is carried out, of bytes and of floats.
    void operationsOfOnePicture_data() {
        QTest::addColumn<QString>("made");
        QTest::addColumn<int>("groups"); // of the menu
        QTest::newRow("(h, w, c)") << QStringLiteral("torch.arange(576).remainder(251).to(torch.uint8).view(12, 16, 3)")
                                   << 5;
        QTest::newRow("(c, h, w)") << QStringLiteral("torch.arange(576.).div(576).view(3, 12, 16)") << 5;
        QTest::newRow("(h, w)") << QStringLiteral("torch.arange(192).remainder(251).to(torch.uint8).view(12, 16)")
                                << 4; // no colours
    }
    void operationsOfOnePicture() {
        QFETCH(QString, made);
        QFETCH(int, groups);
        take(made);
        QSet<QString> found;
        const auto base = screen()->steps();
        for (const ImageOperation& operation : imageOperations(screen()->result().last)) {
            found << operation.group;
            auto steps = base;
            steps.push_back({operation.code});
            const ChainResult result = runChain(screen()->result().base, steps);
            QVERIFY2(result.refused < 0,
                     qPrintable(operation.code + QString::fromStdString(result.refused < 0
                                                                            ? std::string()
                                                                            : result.steps.back().refusal->message)));
            QVERIFY2(ImageSheet::whyNot(result.last).isEmpty(), qPrintable(operation.code));
        }
        QCOMPARE(found.size(), qsizetype{groups});
        // From the menu: rows and columns change places, in one picture as in many.
        operate("Transpose rows and columns");
        const Dims shape = screen()->result().last.shape();
        QCOMPARE(shape[shape.size() - 2], Index{16});
        QCOMPARE(shape[shape.size() - 1], Index{12});
    }

    void channelsOfOnePicture() {
        take(QStringLiteral("torch.arange(576).remainder(251).to(torch.uint8).view(12, 16, 3)"));
        click("kill1");
        QCOMPARE(screen()->steps().back().code, QStringLiteral(".narrow(0, 1, 1).fill_(0)"));
        QCOMPARE(screen()->grid()->sheet().value({0, 3, 4}, 1), 0.0);
        QVERIFY(isLit("kill1") && !isLit("kill0"));
        screen()->findChild<QToolButton*>(QStringLiteral("swapChannels"))->menu()->actions()[0]->trigger();
        screen()->finishRun();
        QCOMPARE(screen()->result().refused, -1);
        QCOMPARE(screen()->grid()->sheet().value({0, 3, 4}, 0), 0.0);
        QVERIFY(isLit("kill0") && !isLit("kill1")); // what is drawn as red is overwritten now
        click("solo0");
        QCOMPARE(screen()->steps().back().code, QStringLiteral(".narrow(0, 0, 1)"));
        QCOMPARE(screen()->grid()->sheet().channels(), Index{1});
        // There is nothing to be killed or swapped in a picture without channels.
        take(QStringLiteral("torch.arange(192).remainder(251).to(torch.uint8).view(12, 16)"));
        for (const char* name : {"kill0", "solo0"}) QVERIFY(!button(name)->isEnabled());
        QVERIFY(!screen()->findChild<QToolButton*>(QStringLiteral("swapChannels"))->isEnabled());
    }

    /// A channel alone is a step of the list, a view; the picture keeps the channel's letter.
    void soloIsAStep() {
        takeSamples();
        const std::size_t before = screen()->steps().size();
        click("solo2");
        QCOMPARE(screen()->steps().size(), before + 1);
        QCOMPARE(screen()->steps().back().code, QStringLiteral(".narrow(1, 2, 1)"));
        QCOMPARE(screen()->result().steps.back().cost, ChainOutcome::Cost::View);
        QVERIFY(isLit("solo2") && !isLit("solo0"));
        QVERIFY(button("kill2")->isEnabled() && !button("kill0")->isEnabled());
        QCOMPARE(screen()->grid()->look().single, 2);
        // The strip shows that it is every third byte of the pictures.
        const auto* strip = screen()->findChild<TouchedStrip*>();
        QCOMPARE(strip->firstCell(), Index{1});
        click("solo1");
        QCOMPARE(screen()->steps().size(), before + 1);
        QCOMPARE(screen()->steps().back().code, QStringLiteral(".narrow(1, 1, 1)"));
        click("kill1");
        QCOMPARE(screen()->steps().back().code, QStringLiteral(".narrow(1, 0, 1).fill_(0)"));
        QVERIFY(isLit("kill1"));
        click("kill1");
        click("solo1");
        QCOMPARE(screen()->steps().size(), before);
        QCOMPARE(screen()->grid()->look().single, -1);
        // One way to do it.
        for (const ImageOperation& operation : imageOperations(screen()->result().last))
            QVERIFY(operation.code != QStringLiteral(".narrow(1, 0, 1)"));
    }

    /// A step that was moved to where its dim is none of channels overwrites something else: the button says so.
    void aKillThatWasMoved() {
        takeSamples();
        click("kill1");
        QCOMPARE(screen()->steps().size(), std::size_t{2});
        QVERIFY(isLit("kill1"));
        Q_EMIT screen()->findChild<StepList*>()->moved(1, -1); // above the permute: row 1 is blanked
        screen()->finishRun();
        QCOMPARE(screen()->grid()->sheet().value({0, 1, 5}, 0), 0.0);
        QVERIFY(!isLit("kill0") && !isLit("kill1") && !isLit("kill2"));
        click("kill1"); // now of the channel, and the row stays as it is
        QCOMPARE(screen()->steps().size(), std::size_t{3});
        QVERIFY(isLit("kill1"));
        click("kill1");
        QCOMPARE(screen()->steps().size(), std::size_t{2});
        QCOMPARE(screen()->steps()[0].code, QStringLiteral(".narrow(1, 1, 1).fill_(0)"));
        // Through a copy, and a flip of the channels.
        screen()->setSteps({{QStringLiteral(".permute(0, 3, 1, 2)")},
                            {QStringLiteral(".narrow(1, 0, 1).fill_(0)")},
                            {QStringLiteral(".float()")},
                            {QStringLiteral(".flip(1)")}});
        screen()->finishRun();
        QVERIFY(isLit("kill2") && !isLit("kill0"));
        click("kill2");
        QCOMPARE(screen()->steps().size(), std::size_t{3});
        // Mixed channels are none that are overwritten.
        screen()->setSteps({{QStringLiteral(".permute(0, 3, 1, 2)")},
                            {QStringLiteral(".narrow(1, 0, 1).fill_(0)")},
                            {QStringLiteral(".float().mean(1, True)")}});
        screen()->finishRun();
        QVERIFY(!isLit("kill0"));
    }

    /// A second mistake takes the place of the first, beside the picture that was right.
    void mistakesAreOneAtATime() {
        takeSamples();
        operate("The first 48 images");
        operate("view where permute was meant");
        const auto first = screen()->steps();
        const Tensor right = screen()->result().steps[1].tensor;
        operate("Height, width, channels taken");
        QCOMPARE(screen()->steps().size(), first.size());
        QCOMPARE(screen()->steps().back().code, QStringLiteral(".permute(0, 2, 3, 1)"));
        QVERIFY(screen()->otherGrid()->isVisible());
        QCOMPARE(screen()->otherGrid()->sheet().tensor().view(), right.view());
        QVERIFY(words().contains(QStringLiteral("permute(0, 3, 1, 2)")));
        // Undo brings the first one back with its words.
        screen()->undo();
        screen()->finishRun();
        QVERIFY(words().contains(QStringLiteral("At the right, the wrong one: view keeps")));
        screen()->redo();
        screen()->finishRun();
        QVERIFY(words().contains(QStringLiteral("the last dim is the channels")));
        operate("Red and blue swapped");
        QCOMPARE(screen()->steps().back().code, QStringLiteral(".flip(1)"));
        QCOMPARE(screen()->result().last.shape(), (Dims{48, 3, 32, 32}));
        // With more steps behind it, and switched off: then the next one is added.
        screen()->addStep(QStringLiteral(".transpose(2, 3)"));
        screen()->finishRun();
        operate("view where permute was meant");
        QCOMPARE(screen()->steps().size(), std::size_t{4});
        QVERIFY(screen()->steps()[2].code.contains(QStringLiteral(".view(48, 3, 32, 32)")));
        Q_EMIT screen()->findChild<StepList*>()->switched(2, false);
        screen()->finishRun();
        QVERIFY(!words().contains(QStringLiteral("view keeps")));
        operate("Red and blue swapped");
        QCOMPARE(screen()->steps().size(), std::size_t{5});
    }

    /// Pictures of two sizes have no handle: they stand side by side, and it is said why.
    void aHandleNeedsOneSize() {
        takeSamples();
        screen()->setSteps({{QStringLiteral(".permute(0, 3, 1, 2)")},
                            {QStringLiteral(".narrow(0, 0, 48)")},
                            {QStringLiteral(".permute(0, 2, 3, 1)")}});
        screen()->finishRun();
        screen()->compare(QStringLiteral("s1"), ImagesScreen::Comparison::Handle);
        QVERIFY(screen()->otherGrid()->isVisible());
        QCOMPARE(screen()->otherGrid()->sheet().imageWidth(), Index{32});
        QVERIFY2(words().contains(QStringLiteral("handle")), qPrintable(words()));
        QCOMPARE(caption("leftCaption"), QStringLiteral("2 .narrow(0, 0, 48)"));
        QCOMPARE(caption("rightCaption"), QStringLiteral("3 .permute(0, 2, 3, 1)"));
        screen()->compare(QStringLiteral("s1"), ImagesScreen::Comparison::Beside);
        QVERIFY(!words().contains(QStringLiteral("handle")));
        screen()->compare(QStringLiteral("s0"), ImagesScreen::Comparison::Handle);
        screen()->setSteps({{QStringLiteral(".permute(0, 3, 1, 2)")}, {QStringLiteral(".transpose(2, 3)")}});
        screen()->finishRun();
        QVERIFY(!screen()->otherGrid()->isVisible());
        QVERIFY(!words().contains(QStringLiteral("handle")));
    }

    /// Captions name what is drawn: not a step that is off or refused.
    void captionsNameWhatIsDrawn() {
        takeSamples();
        std::vector<ChainStep> steps{{QStringLiteral(".permute(0, 3, 1, 2)")},
                                     {QStringLiteral(".flip(3)")},
                                     {QStringLiteral(".transpose(2, 3)"), false}};
        screen()->setSteps(steps);
        screen()->finishRun();
        screen()->compare(QStringLiteral("s0"), ImagesScreen::Comparison::Beside);
        QCOMPARE(caption("leftCaption"), QStringLiteral("1 .permute(0, 3, 1, 2)"));
        QCOMPARE(caption("rightCaption"), QStringLiteral("2 .flip(3)"));
        screen()->compare(QStringLiteral("s2"), ImagesScreen::Comparison::Beside);
        QCOMPARE(caption("leftCaption"), QStringLiteral("2 .flip(3)"));
        auto* compared = screen()->findChild<QComboBox*>(QStringLiteral("compareStep"));
        QVERIFY(compared->currentText().contains(QStringLiteral("off")));
        steps[2] = {QStringLiteral(".foo()")};
        screen()->setSteps(steps);
        screen()->finishRun();
        QCOMPARE(caption("rightCaption"), QStringLiteral("2 .flip(3)"));
    }

    /// Pictures of two sizes are each seen whole; one that is zoomed takes the other along.
    void twoSizesFitEach() {
        takeSamples();
        operate("The first 48 images");
        operate("Height, width, channels taken");
        QCoreApplication::processEvents();
        const ImageGridView *right = screen()->otherGrid(), *wrong = screen()->grid();
        QVERIFY(right->isVisible() && right->sheet().size() != wrong->sheet().size());
        for (const ImageGridView* each : {right, wrong}) {
            QCOMPARE(each->zoom(), each->fitZoom());
            QVERIFY(each->sheet().size().width() * each->zoom() <= each->width() + 1);
        }
        screen()->grid()->zoomTo(2 * wrong->fitZoom(), {0, 0});
        QVERIFY(std::abs(right->zoom() - 2 * right->fitZoom()) < 0.01);
    }

    /// The numbers beside the grid and those in the status bar are of the pixel under the pointer, within a frame.
    void numbersFollowThePointer() {
        takeSamples();
        ImageGridView* grid = screen()->grid();
        grid->pick({3, 4, 5});
        QString told;
        connect(screen(), &Screen::statusTextChanged, this, [&](const QString& text) { told = text; });
        const auto moveTo = [&](const ImageSheet::Pixel& pixel) {
            const QPointF at = (QPointF(grid->sheet().placeOf(pixel)) + QPointF(0.5, 0.5)) * grid->zoom();
            QMouseEvent move(QEvent::MouseMove, at, at, Qt::NoButton, Qt::NoButton, Qt::NoModifier);
            QApplication::sendEvent(grid, &move);
        };
        auto* panel = screen()->findChild<PixelPanel*>();
        moveTo({7, 20, 9});
        QVERIFY2(told.startsWith(QStringLiteral("x[7, :, 20, 9] = ")), qPrintable(told));
        QVERIFY(panel->accessibleDescription().startsWith(QStringLiteral("Image 7, row 20, column 9")));
        QElapsedTimer clock;
        clock.start();
        constexpr int kMoves = 64;
        for (int i = 0; i < kMoves; ++i) {
            moveTo({i, 3, 4});
            panel->grab();
        }
        QVERIFY2(clock.elapsed() < 16 * kMoves, qPrintable(QString::number(clock.elapsed())));
        QEvent leave(QEvent::Leave);
        QApplication::sendEvent(grid, &leave);
        QVERIFY2(told.startsWith(QStringLiteral("x[3, :, 4, 5] = ")), qPrintable(told));
    }

    /// The status bar has the dtype of what the steps make, not of what is selected elsewhere.
    void theDTypeIsThatOfThePictures() {
        QCOMPARE(screen()->shownDType().value_or(QStringLiteral("?")), QString());
        takeSamples();
        QCOMPARE(screen()->shownDType().value_or(QStringLiteral("?")), QStringLiteral("uint8"));
        QSignalSpy told(screen(), &Screen::shownDTypeChanged);
        operate("To float");
        QCOMPARE(screen()->shownDType().value_or(QStringLiteral("?")), QStringLiteral("float32"));
        QCOMPARE(told.size(), 1);
    }

    /// What the export's lines name is there: one expression, or lines that make it; x in a step is what came before.
    void exportedLinesRun() {
        takeSamples();
        screen()->setSteps({{QStringLiteral(".permute(0, 3, 1, 2)")}, {QStringLiteral(".narrow(0, 0, 4)")}});
        screen()->finishRun();
        click("exportGrid");
        auto* dialog = screen()->findChild<ExportDialog*>();
        QCOMPARE(dialog->findChild<QPlainTextEdit*>(QStringLiteral("exportLine"))->toPlainText(),
                 QStringLiteral("torchvision.utils.save_image(images.permute(0, 3, 1, 2).narrow(0, 0, 4).float().div("
                                "255), \"images.png\", nrow=4)"));
        dialog->reject();
        screen()->addStep(QStringLiteral(".narrow(0, 1, 3).sub(x.narrow(0, 0, 3))"));
        screen()->finishRun();
        const QString name = workspace()->nextName();
        click("runImageLines");
        QVERIFY(workspace()->hasName(name));
        const TensorEntry& made = m_window->model()->snapshot()->tensors.back();
        QCOMPARE(made.tensor.shape(), (Dims{3, 3, 32, 32}));
    }

    /// Undo and Redo are the list's while it has changes; then they are the workspace's.
    void undoneOnTheScreen() {
        takeSamples();
        const quint64 before = workspace()->stateHash();
        const auto images = screen()->steps();
        QAction *undo = actionOf(*m_window, "undo"), *redo = actionOf(*m_window, "redo");
        const QString ofTheWorkspace = undo->text();
        operate("The first 48 images");
        QVERIFY(undo->text() != ofTheWorkspace && !redo->isEnabled());
        const auto shorter = screen()->steps();
        // A slider's way is one change.
        auto* list = screen()->findChild<StepList*>();
        for (const double value : {40., 30., 20.})
            Q_EMIT list->numberMoved(1, {QStringLiteral("length"), 14, 2, 1, 600, 48, true}, value);
        screen()->finishRun();
        QCOMPARE(screen()->steps()[1].code, QStringLiteral(".narrow(0, 0, 20)"));
        undo->trigger();
        screen()->finishRun();
        QVERIFY(screen()->steps() == shorter);
        QCOMPARE(screen()->grid()->sheet().count(), Index{48});
        redo->trigger();
        screen()->finishRun();
        QCOMPARE(screen()->grid()->sheet().count(), Index{20});
        undo->trigger();
        undo->trigger();
        screen()->finishRun();
        QVERIFY(screen()->steps() == images);
        QCOMPARE(workspace()->stateHash(), before);
        QCOMPARE(undo->text(), ofTheWorkspace);
        // A change takes what was undone away.
        operate("To float");
        QVERIFY(!redo->isEnabled());
        undo->trigger();
        undo->trigger(); // the samples
        QVERIFY(workspace()->stateHash() != before);
        // The history's own steps are the workspace's.
        QVERIFY(actionOf(*m_window, "stepForward")->isEnabled());
    }

private:
    ImagesScreen* screen() const { return qobject_cast<ImagesScreen*>(m_window->currentScreen()); }
    QPushButton* button(const char* name) const { return screen()->findChild<QPushButton*>(QString::fromLatin1(name)); }
    bool isLit(const char* name) const { return button(name)->isChecked(); }
    QString words() const { return screen()->findChild<QLabel*>(QStringLiteral("imageWords"))->text(); }
    QString caption(const char* name) const {
        return screen()->findChild<ElidedLabel*>(QString::fromLatin1(name))->text();
    }
    void click(const char* name) {
        QVERIFY2(button(name)->isEnabled(), name);
        button(name)->click();
        screen()->finishRun();
    }
    void takeSamples() {
        button("sampleImages")->click();
        QTRY_VERIFY(screen()->source() != 0);
        QTRY_COMPARE(m_window->model()->snapshot()->tensors.size(), std::size_t{2});
        screen()->finishRun();
    }
    /// What the line makes, shown.
    void take(const QString& made) {
        QVERIFY(m_window->runLine(QStringLiteral("p = ") + made, Naming::Discard).ok);
        QTRY_VERIFY(entry("p"));
        screen()->setSource(entry("p")->id);
        screen()->finishRun();
        QVERIFY(ImageSheet::whyNot(screen()->result().last).isEmpty());
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
};

QTEST_MAIN(TestImagesSteps)
#include "tst_images_steps.moc"
