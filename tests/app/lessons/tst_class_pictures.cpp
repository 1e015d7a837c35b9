// The pictures of every lesson as a class sees them: in every room, at every step, nothing over anything else, nothing
// cut, and a picture where the question has one.

#include "app/lessons/lesson_library.h"
#include "app/lessons/lesson_page.h"
#include "app/lessons/lessons_screen.h"
#include "app/window/presenter_window.h"
#include "tests/app/main_window_fixture.h"
#include "tests/support/qt/text_recorder.h"
#include "widgets/scene/scene_painter.h"
#include "widgets/stage/explore_scene.h"
#include "widgets/stage/explore_stage.h"
#include "widgets/stage/presented_room.h"
#include "widgets/stage/stage_layout.h"
#include "widgets/stage/stage_scene_parts.h"

#include <QFile>
#include <QLabel>
#include <QPainter>
#include <QScrollArea>
#include <QTest>

using namespace stridescope;
using namespace stridescope::test;

namespace {

struct Place {
    QString name;
    QRectF rect;
};

/// What of the plan has a place of its own, as far as it is drawn: cards end at the sides of their row.
std::vector<Place> partsOf(const StagePlan& plan) {
    std::vector<Place> parts;
    const auto add = [&](const QString& name, const QRectF& rect) {
        if (!rect.isEmpty()) parts.push_back({name, rect});
    };
    for (const CardLayout& card : plan.cards) {
        QRectF seen = card.frame();
        seen.setLeft(std::max(seen.left(), plan.cardArea.left()));
        seen.setRight(std::min(seen.right(), plan.cardArea.right()));
        if (seen.width() > 0) add(QStringLiteral("card ") + card.input.entry->name, seen);
    }
    if (plan.strip) {
        const StripPlan& strip = *plan.strip;
        QRectF cells = strip.layout.area;
        if (!strip.rowIndex && strip.visibleRows == 1) cells.setHeight(strip.layout.cellHeight + strip.indexBelow);
        add(QStringLiteral("strip"), cells);
        add(QStringLiteral("map"), strip.miniMap);
        add(QStringLiteral("name"), strip.handle);
    }
    for (std::size_t i = 0; i < plan.formula.size(); ++i) add(QStringLiteral("term %1").arg(i), plan.formula[i].rect);
    add(QStringLiteral("colours"), plan.colourBar);
    return parts;
}

} // namespace

class TestClassPictures : public QObject, private TestedWindow {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { QApplication::setStyle(QStringLiteral("Fusion")); }
    void init() { openWindow({1280, 720}); }
    void cleanup() { closeWindow(); }

    void everyPicture_data() {
        QTest::addColumn<RoomSize>("room");
        QTest::addColumn<QSize>("size");
        for (const auto& [name, room] : {std::pair{"small", RoomSize::Small}, std::pair{"lecture", RoomSize::Lecture},
                                         std::pair{"hall", RoomSize::Hall}}) {
            for (const QSize size : {QSize(1280, 720), QSize(1920, 1080)})
                QTest::addRow("%s %d", name, size.height()) << room << size;
        }
    }
    void everyPicture() {
        QFETCH(RoomSize, room);
        QFETCH(QSize, size);
        present(room, size);
        m_wrong.clear();
        int pictures = 0;
        for (const Lesson& lesson : lessonLibrary()) {
            for (int stop = 0; stop < static_cast<int>(lesson.stops.size()); ++stop) {
                screen()->openLesson(lesson.id, stop);
                const auto& exercise = screen()->exercise();
                if (!exercise) continue;
                if (!exercise->isQuestion()) screen()->runCode();
                for (int step = 0; step < page()->steps(); ++step) {
                    if (page()->step() < step) page()->goOn(1);
                    m_where = QStringLiteral("%1#%2 step %3").arg(lesson.id).arg(stop + 1).arg(step);
                    QApplication::processEvents();
                    if (exercise->isQuestion()) {
                        const bool wanted = step == 1 && (!exercise->made.empty() || exercise->asked);
                        if (wanted && !shown()) wrong(QStringLiteral("no picture"));
                    }
                    look();
                    checkPage();
                    if (shown()) {
                        ++pictures;
                        checkStage(*shown());
                    }
                }
            }
        }
        if (qEnvironmentVariableIsSet("STRIDESCOPE_LOOK")) {
            QFile list(qEnvironmentVariable("STRIDESCOPE_LOOK") +
                       QStringLiteral("/%1.txt").arg(QLatin1String(QTest::currentDataTag())));
            QVERIFY(list.open(QIODevice::WriteOnly));
            list.write(m_wrong.join(QLatin1Char('\n')).toUtf8());
        }
        QVERIFY(pictures > 100);
        // In one line: numbers are drawn anew each time, and a log may keep no more of it.
        QVERIFY2(m_wrong.isEmpty(), qPrintable(QString::number(m_wrong.size()) + QStringLiteral(" wrong: ") +
                                               m_wrong.join(QStringLiteral(" | "))));
    }

private:
    void wrong(const QString& what) { m_wrong << m_where + QStringLiteral(": ") + what; }

    /// The picture that is in sight.
    const ExploreStage* shown() const {
        for (const ExploreStage* stage : page()->findChildren<ExploreStage*>())
            if (stage->isVisible()) return stage;
        return nullptr;
    }

    /// Words, answers and picture beside one another, and all of each on the page.
    void checkPage() {
        std::vector<Place> parts;
        for (const char* name : {"classAsk", "classAsked", "classShown", "classText", "voteBoard", "classSaid",
                                 "classClock", "classHands", "classNextStep"}) {
            const auto* part = page()->findChild<QWidget*>(QString::fromLatin1(name));
            const auto* label = qobject_cast<const QLabel*>(part);
            if (!part || !part->isVisible() || (label && label->text().isEmpty())) continue;
            if (name == QByteArray("classText")) part = part->parentWidget(); // scrolls
            parts.push_back({QString::fromLatin1(name), QRectF(QRect(part->mapTo(page(), QPoint()), part->size()))});
            if (label && label->wordWrap() && part == label && label->heightForWidth(label->width()) > label->height())
                wrong(QStringLiteral("%1 is cut").arg(parts.back().name));
        }
        standApart(parts, QRectF(page()->rect()));
    }

    void standApart(const std::vector<Place>& parts, const QRectF& room) {
        for (std::size_t i = 0; i < parts.size(); ++i) {
            if (!room.adjusted(-1, -1, 1, 1).contains(parts[i].rect))
                wrong(QStringLiteral("%1 leaves the room").arg(parts[i].name));
            for (std::size_t k = 0; k < i; ++k)
                if (parts[i].rect.adjusted(1, 1, -1, -1).intersects(parts[k].rect.adjusted(1, 1, -1, -1)))
                    wrong(QStringLiteral("%1 lies over %2").arg(parts[i].name, parts[k].name));
        }
    }

    void checkStage(const ExploreStage& stage) {
        const ExploreState& state = stage.state();
        const StagePlan plan = planStage(state);
        if (presentedForm(state) == PresentedForm::None)
            wrong(QStringLiteral("the picture has no room in %1 x %2: %3")
                      .arg(state.viewport.width())
                      .arg(state.viewport.height())
                      .arg(page()->findChild<QLabel*>(QStringLiteral("classAsk"))->text()));
        const Scene scene = exploreScene(state); // as it is when nothing moves any more
        const QRectF all(QPointF(), state.viewport);
        standApart(partsOf(plan), all);
        for (const CardLayout& card : plan.cards) {
            const QString name = card.input.entry->name;
            for (const CardPanel& panel : card.panels)
                if (panel.area.bottom() > card.size.height() + 0.5 || panel.area.right() > card.size.width() + 0.5)
                    wrong(QStringLiteral("cells leave card %1").arg(name));
            const bool cut = card.frame().right() > plan.cardArea.right() + 1;
            if (cut && plan.moreRight.isEmpty()) wrong(QStringLiteral("card %1 is cut, and nothing says so").arg(name));
        }
        const CardLayout* card = plan.card(state.selection.tensor);
        if (!card) return wrong(QStringLiteral("no card of what is asked about"));
        if (card->view.numel() > 0 && card->panels.empty()) wrong(QStringLiteral("a card without cells"));
        if (plan.strip && plan.strip->scrollsRows() && plan.strip->miniMap.isEmpty() && !plan.strip->rowIndex) {
            const auto& nodes = scene.nodes;
            if (std::none_of(nodes.begin(), nodes.end(), [](const SceneNode& node) {
                    return node.part.kind == PartKind::None && node.part.index == kRowsLeftOutPart;
                }))
                wrong(QStringLiteral("rows of the strip are left out, and nothing says so"));
        }
        // What is written, too.
        TextRecorder recorder(stage.size());
        QPainter painter(&recorder);
        painter.scale(stage.scale(), stage.scale());
        PaintOptions options;
        options.vector = true; // the recorder does not read single glyphs
        paintScene(painter, scene, Theme(ThemeKind::Light, true), options);
        painter.end();
        const QRectF room(QPointF(), state.viewport * stage.scale());
        std::vector<RecordedText> texts;
        for (const RecordedText& text : recorder.texts())
            if (room.intersects(text.rect)) texts.push_back(text);
        for (std::size_t i = 0; i < texts.size(); ++i) {
            if (texts[i].rect.bottom() > room.bottom() + 1 || texts[i].rect.top() < -1)
                wrong(QStringLiteral("\"%1\" is cut").arg(texts[i].text));
            for (std::size_t k = 0; k < i; ++k)
                if (texts[i].rect.adjusted(1, 1, -1, -1).intersects(texts[k].rect.adjusted(1, 1, -1, -1)))
                    wrong(QStringLiteral("\"%1\" over \"%2\"").arg(texts[i].text, texts[k].text));
        }
    }

    /// With STRIDESCOPE_LOOK, a folder, the pages are kept there.
    void look() const {
        if (!qEnvironmentVariableIsSet("STRIDESCOPE_LOOK")) return;
        QString name = QStringLiteral("%1-%2.png").arg(QLatin1String(QTest::currentDataTag()), m_where);
        if (page()->findChild<QLabel*>(QStringLiteral("classAsk"))->text().endsWith(QStringLiteral(" …")))
            qDebug() << "shortened" << m_where << page()->findChild<QLabel*>(QStringLiteral("classAsk"))->text();
        name.replace(QLatin1Char(' '), QLatin1Char('_')).replace(QLatin1Char('#'), QLatin1Char('-'));
        m_window->presenter()->grab().save(qEnvironmentVariable("STRIDESCOPE_LOOK") + QLatin1Char('/') + name);
    }

    LessonsScreen* screen() const { return qobject_cast<LessonsScreen*>(m_window->currentScreen()); }
    LessonPage* page() const { return qobject_cast<LessonPage*>(m_window->presenter()->page()); }
    void present(RoomSize room, QSize size) {
        m_window->showScreen(QStringLiteral("lessons"));
        QVERIFY(screen()->openLesson(QStringLiteral("dimensions"), 0));
        actionOf(*m_window, "present")->trigger();
        PresenterWindow* presenter = m_window->presenter();
        static_cast<void>(QTest::qWaitForWindowActive(presenter));
        presenter->setRoom(room);
        presenter->showNormal();
        presenter->resize(size);
        QApplication::processEvents();
        QCOMPARE(presenter->size(), size);
    }

    QString m_where;
    QStringList m_wrong;
};

QTEST_MAIN(TestClassPictures)
#include "tst_class_pictures.moc"
