// Frame times of the Explore stage: scripted hover, scroll and zoom at 1920x1080, for 20 and for 10^9 elements, from
// the size that shows the whole storage to 120 px a cell; and the time from a mouse event to the end of its paint.
//
//   QT_QPA_PLATFORM=offscreen build/release/bin/benchmarks/bench_gui_stage [frames [elements [pixels a cell | zoom]]]

#include "core/tensor/element.h"
#include "widgets/stage/explore_scene.h"
#include "widgets/stage/explore_stage.h"
#include "widgets/stage/scene_diff.h"
#include "widgets/stage/stage_layout.h"

#include <QApplication>
#include <QMouseEvent>
#include <QWheelEvent>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <functional>
#include <string_view>

#include <sys/mman.h>

using namespace stridescope;
using Clock = std::chrono::steady_clock;

namespace {

double millisecondsSince(Clock::time_point start) {
    return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

/// Wall time is what a user feels; the thread's own processor time is what can be compared on a machine that others
/// use too.
struct Times {
    std::vector<double> wall, processor;
};

double processorMilliseconds() {
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) / 1e6;
}

void take(Times& times, const std::function<void()>& act) {
    const double before = processorMilliseconds();
    const Clock::time_point start = Clock::now();
    act();
    times.wall.push_back(millisecondsSince(start));
    times.processor.push_back(processorMilliseconds() - before);
}

void report(const char* what, Index elements, qreal cell, Times times) {
    const auto at = [](std::vector<double>& list, double share) {
        std::sort(list.begin(), list.end());
        return list[std::min(list.size() - 1, static_cast<std::size_t>(share * static_cast<double>(list.size())))];
    };
    std::printf("%-22s %12lld elements %7.2f px  wall p50 %6.2f  p95 %6.2f  p99 %6.2f   cpu p50 %6.2f  p99 %6.2f ms\n",
                what, static_cast<long long>(elements), cell, at(times.wall, 0.5), at(times.wall, 0.95),
                at(times.wall, 0.99), at(times.processor, 0.5), at(times.processor, 0.99));
}

/// A storage of int64 that the system backs only where it is written; the first values are set.
Tensor bigTensor(Index count) {
    const std::size_t bytes = static_cast<std::size_t>(count) * 8;
    void* memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) std::abort();
    StoragePtr storage = Storage::wrap(
        memory, bytes, Device{}, [memory, bytes] { munmap(memory, bytes); }, "mapped file");
    Tensor tensor(storage, View{{count}, {1}, 0}, DType::Int64);
    for (Index i = 0; i < std::min<Index>(count, 100'000); ++i) {
        storeElement(storage->data() + i * 8, DType::Int64, Scalar(i % 97));
    }
    return tensor;
}

struct Fixture {
    WorkspaceModel model;
    ExploreStage stage{&model};
    Tensor base;

    explicit Fixture(Index count) : base(bigTensor(count)) {
        auto snapshot = std::make_shared<WorkspaceSnapshot>();
        const Index rows = count == 20 ? 4 : 1000;
        const auto add = [&](const char* name, View view, int colour) {
            TensorEntry entry;
            entry.id = static_cast<TensorId>(snapshot->tensors.size() + 1);
            entry.name = QLatin1String(name);
            entry.code = QStringLiteral("x.view(%1, -1)").arg(rows);
            entry.parent = snapshot->tensors.empty() ? 0 : 1;
            entry.origin = snapshot->tensors.empty() ? Origin::Base : Origin::View;
            entry.colour = colour;
            entry.tensor = base.withView(std::move(view));
            snapshot->tensors.push_back(std::move(entry));
        };
        const Index cols = count / rows;
        add("A", View{{rows, cols}, {cols, 1}, 0}, 0);
        add("B", View{{rows, cols / 2}, {cols, 2}, 0}, 1);
        add("C", View{{cols, rows}, {1, cols}, 0}, 2);
        snapshot->storages.push_back({base.storage()->id(), 1, DType::Int64, {}});
        model.setSnapshot(snapshot);
        model.select(2);
        stage.resize(1920, 1080);
        stage.show();
        QApplication::processEvents();
    }

    void move(QPointF p) {
        QMouseEvent event(QEvent::MouseMove, p, stage.mapToGlobal(p), Qt::NoButton, Qt::NoButton, Qt::NoModifier);
        QApplication::sendEvent(&stage, &event);
    }
    void wheel(QPointF p, int delta, Qt::KeyboardModifiers modifiers = Qt::NoModifier) {
        QWheelEvent event(p, stage.mapToGlobal(p), {}, {0, delta}, Qt::NoButton, modifiers, Qt::NoScrollPhase, false);
        QApplication::sendEvent(&stage, &event);
    }
    /// Is what the pixels show made of samples yet?
    bool isFilling() const {
        return std::any_of(stage.scene().nodes.begin(), stage.scene().nodes.end(), [](const SceneNode& node) {
            const auto* text = std::get_if<TextItem>(&node.item);
            return text && text->text.contains(QStringLiteral("samples"));
        });
    }
    /// Event to the end of the paint that it causes.
    static void frame(Times& times, const std::function<void()>& act) {
        take(times, [&act] {
            act();
            QApplication::processEvents();
        });
    }
};

} // namespace

int main(int argc, char** argv) {
    std::setvbuf(stdout, nullptr, _IOLBF, 0);
    QApplication app(argc, argv);
    const int frames = argc > 1 ? std::max(20, std::atoi(argv[1])) : 600;
    const bool onlyZoom = argc > 3 && argv[3] == std::string_view("zoom");
    for (const Index count : {Index{20}, Index{10'000}, Index{1'000'000'000}}) {
        if (argc > 2 && std::atoll(argv[2]) != count) continue;
        Fixture fixture(count);
        constexpr qreal kWhole = 0;
        for (const qreal asked : {kWhole, 0.004, 0.05, 0.25, 1.0, 3.0, 8.0, 20.0, 34.0, 42.0, 60.0, 120.0}) {
            if (argc > 3 && (onlyZoom || std::atof(argv[3]) != asked)) continue;
            if (asked > 0 && asked < leastCellSize(fixture.stage.state())) continue;
            asked > 0 ? fixture.stage.setCellSize(asked) : fixture.stage.zoom(Zoom::Whole);
            QApplication::processEvents();
            const StripLayout layout = planStage(fixture.stage.state()).strip->layout;
            const QRectF area = layout.area;
            const qreal cell = layout.cellWidth;
            const auto measure = [&](const char* hoverName, const char* scrollName, const char* fullName) {
                Times hover, scroll, full;
                for (int i = 0; i < frames; ++i) {
                    const QPointF p(area.left() + std::fmod(i * 61.0, area.width()),
                                    area.top() + std::fmod(i * 37.0, area.height()));
                    fixture.frame(hover, [&] { fixture.move(p); });
                }
                for (int i = 0; i < frames; ++i) {
                    fixture.frame(scroll, [&] { fixture.wheel(area.center(), i % 8 < 4 ? -120 : 120); });
                }
                for (int i = 0; i < frames / 4; ++i) {
                    fixture.frame(full, [&] { fixture.stage.update(); });
                }
                report(hoverName, count, cell, hover);
                report(scrollName, count, cell, scroll);
                report(fullName, count, cell, full);
            };
            // While another thread reads all elements, and when it has.
            if (fixture.isFilling()) measure("hover, filling", "scroll, filling", "whole stage, filling");
            for (const Clock::time_point start = Clock::now(); fixture.isFilling() && millisecondsSince(start) < 6e4;)
                QApplication::processEvents(QEventLoop::WaitForMoreEvents);
            measure("hover strip", "scroll", "whole stage");
        }
        if (argc > 3 && !onlyZoom) continue;
        // Where the time of a frame goes.
        Times planning, making, comparing;
        fixture.stage.zoom(Zoom::Actual);
        ExploreState state = fixture.stage.state();
        for (int i = 0; i < frames; ++i) {
            const Scene before = exploreScene(state);
            state.selection.hover = Pick{fixture.base.storage()->id(), i % std::min<Index>(count, 1000), 0, {}};
            StagePlan plan;
            take(planning, [&] { plan = planStage(state); });
            Scene after;
            take(making, [&] { after = exploreScene(state, std::move(plan), 1); });
            take(comparing, [&] {
                if (changedRects(before, after).empty()) std::abort();
            });
        }
        report("of it: layout", count, 0, planning);
        report("of it: scene", count, 0, making);
        report("of it: difference", count, 0, comparing);
        Times cards, zoom;
        fixture.stage.zoom(Zoom::Actual);
        QApplication::processEvents();
        for (int i = 0; i < frames; ++i) {
            const QPointF p(40 + std::fmod(i * 53.0, 1800), 150 + std::fmod(i * 29.0, 300));
            fixture.frame(cards, [&] { fixture.move(p); });
        }
        report("hover cards", count, 0, cards);
        const QPointF middle = planStage(fixture.stage.state()).strip->layout.area.center();
        for (int i = 0; i < frames; ++i) {
            fixture.frame(zoom, [&] { fixture.wheel(middle, i % 60 < 30 ? -120 : 120, Qt::ControlModifier); });
        }
        report("zoom", count, 0, zoom);
    }
    return 0;
}
