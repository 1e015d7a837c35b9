// Tensors of every dtype in the whole window: nothing that looks at a tensor may fail on one, and writes are seen.

#include "core/ops/creation.h"
#include "core/ops/views.h"
#include "core/tensor/element.h"
#include "tests/app/main_window_fixture.h"
#include "widgets/stage/explore_stage.h"
#include "widgets/stage/stage_layout.h"

#include <QTest>

#include <limits>

using namespace stridescope;
using namespace stridescope::test;

namespace {

/// Elements 0, 1, 2 …; where the dtype has them, the first ones are NaN and the infinities.
Tensor oddTensor(const Dims& shape, DType dtype) {
    Tensor t = zeros(shape, {dtype, Device{}});
    constexpr double kInf = std::numeric_limits<double>::infinity();
    const double odd[] = {std::numeric_limits<double>::quiet_NaN(), kInf, -kInf};
    for (Index slot = 0; slot < t.numel(); ++slot) {
        if (isComplex(dtype) && slot < 6)
            writeSlot(t, slot, Complex<double>{slot % 2 ? 1.0 : odd[slot / 2], slot % 2 ? odd[slot / 2] : 2.0});
        else if (isFloating(dtype) && slot < 3)
            writeSlot(t, slot, odd[slot]);
        else
            writeSlot(t, slot, dtype == DType::Bool ? slot % 2 : slot % 100);
    }
    return t;
}

} // namespace

class TestMainWindowDTypes : public QObject, TestedWindow {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { QApplication::setStyle(QStringLiteral("Fusion")); }

    void everyDTypeIsShown_data() {
        QTest::addColumn<int>("dtype");
        for (const DType dtype : kAllDTypes) QTest::newRow(name(dtype).data()) << static_cast<int>(dtype);
    }
    void everyDTypeIsShown() {
        QFETCH(int, dtype);
        openWindow({1920, 1080}); // wide enough for all docks
        m_window->finishStart();
        const auto type = static_cast<DType>(dtype);
        const std::vector<Dims> shapes{{}, {0, 3}, {2, 3}, {40, 50}};
        for (const Dims& shape : shapes) {
            const Tensor t = oddTensor(shape, type);
            const Tensor shown = t.dim() > 1 ? transpose(t, 0, 1) : t;
            const auto ids = workspace()->add({{QStringLiteral("t"), QStringLiteral("made"), shown}}, {}, {});
            QCOMPARE(ids.size(), std::size_t{1});
            m_window->model()->select(ids.front());
            if (t.numel() > 0)
                m_window->model()->setPick(Pick{t.storage()->id(), 0, ids.front(), Dims(shape.size(), 0)});
            for (int twice = 0; twice < 2; ++twice) {
                actionOf(*m_window, "show:heat")->trigger();
                QVERIFY(!m_window->grab().isNull());
                QCoreApplication::processEvents();
            }
            m_window->runLine(QStringLiteral("u = t.contiguous()"), Naming::Discard);
            m_window->runLine(QStringLiteral("u.view(5, 7)"), Naming::Discard); // refused, and drawn
            QVERIFY(!m_window->grab().isNull());
            workspace()->clear();
        }
        closeWindow();
    }

    void writtenCellsAreFramedForAWhile() {
        openWindow({1280, 720});
        m_window->finishStart();
        m_window->runLine(QStringLiteral("A = torch.arange(12).view(3, 4)"), Naming::Discard);
        m_window->runLine(QStringLiteral("B = A.t()"), Naming::Discard);
        auto* stage = m_window->findChild<ExploreStage*>();
        QVERIFY(stage);
        QTRY_VERIFY(stage->isVisible());
        const auto frameOf = [&](const char* tensor, const Dims& cell) {
            const QRectF rect = *planStage(stage->state()).card(entry(tensor)->id)->cellRect(cell);
            return QColor(stage->grab().toImage().pixel(QPointF(rect.left() + 1.5, rect.center().y() + 4).toPoint()));
        };
        QTest::qWait(700); // what the lines above lit
        const QColor before = frameOf("A", {1, 2}), beforeB = frameOf("B", {2, 1}), other = frameOf("A", {2, 2});
        m_window->runLine(QStringLiteral("A[1, 2] = 99"), Naming::Discard);
        QVERIFY(frameOf("A", {1, 2}) != before);
        QVERIFY(frameOf("B", {2, 1}) != beforeB);
        QCOMPARE(frameOf("A", {2, 2}), other);
        QTRY_COMPARE(frameOf("A", {1, 2}), before);
        // Undoing writes, too.
        workspace()->undo();
        QVERIFY(frameOf("A", {1, 2}) != before);
        closeWindow();
    }
};

QTEST_MAIN(TestMainWindowDTypes)
#include "tst_main_window_dtypes.moc"
