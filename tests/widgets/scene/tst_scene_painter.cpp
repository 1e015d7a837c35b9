// Marks and modes of the painter, judged by pixels.

#include "tests/support/qt/scene_gallery.h"
#include "widgets/scene/export.h"

#include <QTest>

using namespace stridescope;

class TstScenePainter : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void galleriesPaint();
};

void TstScenePainter::galleriesPaint() {
    for (const ThemeKind kind : {ThemeKind::Light, ThemeKind::Dark}) {
        const Theme theme(kind);
        const QString suffix = kind == ThemeKind::Light ? QStringLiteral("light") : QStringLiteral("dark");
        int n = 0;
        for (const Scene& scene : {test::exploreGallery(), test::markGallery()}) {
            ExportOptions options;
            options.scale = 1.5;
            const QImage image = renderImage(scene, theme, options);
            QCOMPARE(image.size(), (scene.size * 1.5).toSize());
            const QByteArray keep = qgetenv("STRIDESCOPE_KEEP_IMAGES");
            if (!keep.isEmpty()) {
                QVERIFY(image.save(QStringLiteral("%1/gallery-%2-%3.png").arg(QString::fromLocal8Bit(keep)).arg(n).arg(suffix)));
            }
            ++n;
        }
    }
}

QTEST_MAIN(TstScenePainter)
#include "tst_scene_painter.moc"
