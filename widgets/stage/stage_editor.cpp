// The small fields of ExploreStage: a value over its cell, and the index to go to.

#include "core/tensor/element.h"
#include "widgets/model/words.h"
#include "widgets/scene/painted_text.h"
#include "widgets/stage/explore_stage_p.h"
#include "widgets/stage/linking.h"

#include <QKeyEvent>
#include <QRegularExpression>

#include <algorithm>
#include <cmath>

namespace stridescope {

namespace {

/// The tensor and coord through which a picked cell is written.
struct Target {
    const TensorEntry* entry = nullptr;
    Dims coord;
};

Target targetOf(const WorkspaceSnapshot& snapshot, TensorId selected, const Pick& pick) {
    if (const TensorEntry* entry = snapshot.tensor(pick.tensor)) return {entry, pick.coord};
    // Picked on the strip: the selected tensor if it reaches the cell, else the first one that does.
    if (const TensorEntry* entry = snapshot.tensor(selected)) {
        if (const std::optional<Dims> coord = linkedCoord(*entry, pick)) return {entry, *coord};
    }
    for (const TensorEntry* entry : snapshot.tensorsOn(pick.storageId)) {
        if (const std::optional<Dims> coord = linkedCoord(*entry, pick)) return {entry, *coord};
    }
    return {};
}

/// What was typed for a cell of `dtype`; a float may be typed as the line has it: float('nan').
Result<Scalar> typedNumber(const QString& text, DType dtype) {
    static const QRegularExpression kCall(QStringLiteral("^\\s*float\\(\\s*(['\"]?)([^'\"]*)\\1\\s*\\)\\s*$"));
    const QRegularExpressionMatch call = kCall.match(text);
    const QString number = isFloating(dtype) && call.hasMatch() ? call.captured(2) : text;
    return parseScalar(number.toStdString(), dtype);
}

/// `value` as a line of code has it: Python knows no bare nan and inf.
QString literal(Scalar value) {
    const QString text = QString::fromStdString(toString(value));
    const bool named = value.isFloat() && !std::isfinite(value.toDouble());
    return named ? QStringLiteral("float('%1')").arg(text) : text;
}

QFont scaledFont(QFont font, qreal scale) {
    font.setPixelSize(std::max(1, qRound(font.pixelSize() * scale)));
    return font;
}

} // namespace

void ExploreStage::Private::startEdit(const Pick& pick, const QString& text) {
    endEdit();
    const Target target = targetOf(*q->m_state.snapshot, q->m_state.selection.tensor, pick);
    if (!target.entry) {
        Refusal refusal;
        refusal.id = "STAGE-02";
        refusal.message =
            PaintedText::tr("no tensor reaches index %1, so no line of code can write it").arg(pick.slot).toStdString();
        refusal.hint =
            PaintedText::tr("Select a tensor that reaches the cell, or make one with as_strided.").toStdString();
        const QString act = PaintedText::tr("edit index %1").arg(pick.slot);
        q->showRefusal(act, refusal);
        Q_EMIT q->actRefused(act, refusal);
        return;
    }
    QRectF rect;
    const CardLayout* card = plan.card(pick.tensor);
    if (card) {
        rect = card->cellRect(pick.coord).value_or(QRectF());
    } else if (plan.strip && plan.strip->storageId == pick.storageId) {
        rect = plan.strip->layout.cellRect(pick.slot);
    } else {
        for (const StripPlan& other : plan.others) {
            if (other.storageId == pick.storageId) rect = other.layout.cellRect(pick.slot);
        }
    }
    const qreal scale = q->m_scale;
    const QRectF cell = onWidget(rect);
    if (rect.isEmpty() || !q->rect().intersects(cell.toAlignedRect())) return;
    editing = pick;
    asksIndex = false;
    editor = new QLineEdit(q);
    editor->setObjectName(QStringLiteral("cellEditor"));
    editor->setAccessibleName(
        PaintedText::tr("New value of %1").arg(assignCode(*target.entry, target.coord, QStringLiteral("…"))));
    editor->setFont(scaledFont(q->m_theme.font(FontRole::Cell), scale));
    editor->setAlignment(Qt::AlignCenter);
    const QString before = slotValueText(target.entry->tensor, pick.slot);
    editor->setText(text.isEmpty() ? before : text);
    const int width = std::max(static_cast<int>(cell.width()), qRound(84 * scale)), height = qRound(34 * scale);
    const QRect place(static_cast<int>(cell.center().x()) - width / 2, static_cast<int>(cell.center().y()) - height / 2,
                      width, height);
    editor->setGeometry(
        place.translated(std::clamp(place.left(), 4, std::max(4, q->width() - width - 4)) - place.left(), 0));
    if (text.isEmpty()) editor->selectAll();
    editor->installEventFilter(q);
    QObject::connect(editor, &QLineEdit::textChanged, q, [this] { checkEdit(); });
    editor->show();
    editor->setFocus();
    checkEdit();
}

void ExploreStage::askForIndex() {
    if (!d->plan.strip) return;
    d->endEdit();
    d->asksIndex = true;
    d->editing.reset();
    d->editor = new QLineEdit(this);
    d->editor->setObjectName(QStringLiteral("indexField"));
    d->editor->setAccessibleName(PaintedText::tr("Index in storage #%1 to go to").arg(d->plan.strip->number));
    d->editor->setFont(scaledFont(m_theme.font(FontRole::Code), m_scale));
    d->editor->setPlaceholderText(
        PaintedText::tr("index 0 … %1").arg(std::max<Index>(0, d->plan.strip->layout.cellCount - 1)));
    const QPointF handle = d->plan.strip->handle.topLeft();
    d->editor->setGeometry(d->onWidget(QRectF(handle.x(), handle.y() - 38, 240, 30)));
    d->editor->installEventFilter(this);
    connect(d->editor, &QLineEdit::textChanged, this, [this] { d->checkEdit(); });
    d->editor->show();
    d->editor->setFocus();
}

namespace {

/// Why the text is no index of the strip; empty if it is one.
QString indexProblem(const QString& text, Index count) {
    const QString digits = text.trimmed();
    if (digits.isEmpty()) return PaintedText::tr("type an index from 0 to %1").arg(std::max<Index>(0, count - 1));
    for (qsizetype i = 0; i < digits.size(); ++i) {
        if (digits.at(i) < QLatin1Char('0') || digits.at(i) > QLatin1Char('9')) {
            return PaintedText::tr("expected a digit 0-9 at position %1").arg(i + 1);
        }
    }
    bool fits = false;
    const qlonglong value = digits.toLongLong(&fits);
    if (!fits) return PaintedText::tr("%1 is too large for 64 bits").arg(digits.left(24));
    if (value >= count)
        return PaintedText::tr("%1 is past the end: the storage has %2").arg(value).arg(elementsText(count));
    return {};
}

} // namespace

void ExploreStage::Private::checkEdit() {
    if (!editor) return;
    QString problem;
    if (asksIndex) {
        problem = indexProblem(editor->text(), plan.strip ? plan.strip->layout.cellCount : 0);
        if (editor->text().isEmpty()) problem.clear();
    } else if (editing) {
        const Target target = targetOf(*q->m_state.snapshot, q->m_state.selection.tensor, *editing);
        if (target.entry) {
            const Result<Scalar> value = typedNumber(editor->text(), target.entry->tensor.dtype());
            if (!value.ok()) {
                problem = QString::fromStdString(value.refusal().message);
                if (!value.refusal().hint.empty())
                    problem += QLatin1Char('\n') + QString::fromStdString(value.refusal().hint);
            }
        }
    }
    const QColor line = q->m_theme.color(problem.isEmpty() ? Tone::Ink : Tone::Error);
    editor->setStyleSheet(
        QStringLiteral("QLineEdit { border: 2px solid %1; border-radius: 4px; padding: 0 4px;"
                       " background: %2; color: %3; }")
            .arg(line.name(), q->m_theme.color(Tone::Stage).name(), q->m_theme.color(Tone::Ink).name()));
    if (problem.isEmpty()) {
        if (editorNote) editorNote->hide();
        return;
    }
    if (!editorNote) {
        editorNote = new QLabel(q);
        editorNote->setObjectName(QStringLiteral("cellEditorNote"));
        editorNote->setTextFormat(Qt::PlainText);
        editorNote->setFont(scaledFont(q->m_theme.font(FontRole::Label), q->m_scale));
    }
    editorNote->setStyleSheet(QStringLiteral("QLabel { border: 1px solid %1; border-radius: 4px; padding: 3px 6px;"
                                             " background: %2; color: %3; }")
                                  .arg(q->m_theme.color(Tone::Error).name(), q->m_theme.color(Tone::ErrorTint).name(),
                                       q->m_theme.color(Tone::Ink).name()));
    editorNote->setText(QStringLiteral("✗ ") + problem);
    editorNote->adjustSize();
    const int x = std::clamp(editor->x(), 4, std::max(4, q->width() - editorNote->width() - 4));
    const int below = editor->geometry().bottom() + 4;
    const int y = below + editorNote->height() < q->height() ? below : editor->y() - editorNote->height() - 4;
    editorNote->move(x, y);
    editorNote->show();
    editorNote->raise();
}

void ExploreStage::Private::commitEdit() {
    if (!editor) return;
    if (asksIndex) {
        const QString text = editor->text().trimmed();
        if (!plan.strip || !indexProblem(text, plan.strip->layout.cellCount).isEmpty()) {
            checkEdit();
            return;
        }
        endEdit();
        q->jumpTo(text.toLongLong());
        return;
    }
    if (!editing) return;
    const Target target = targetOf(*q->m_state.snapshot, q->m_state.selection.tensor, *editing);
    if (!target.entry) return;
    const Result<Scalar> value = typedNumber(editor->text(), target.entry->tensor.dtype());
    if (!value.ok()) {
        checkEdit();
        return;
    }
    const QString code = assignCode(*target.entry, target.coord, literal(*value));
    endEdit();
    Q_EMIT q->runRequested(code);
}

void ExploreStage::Private::endEdit() {
    editing.reset();
    asksIndex = false;
    if (editorNote) {
        editorNote->hide();
        editorNote->deleteLater();
        editorNote = nullptr;
    }
    if (!editor) return;
    QLineEdit* field = editor;
    editor = nullptr;
    field->removeEventFilter(q);
    // Before it hides: a field that hides with the focus hands it on as Tab would, and Tab goes to the strip.
    if (field->hasFocus()) q->setFocus(Qt::OtherFocusReason);
    field->hide();
    field->deleteLater();
}

bool ExploreStage::eventFilter(QObject* watched, QEvent* event) {
    if (watched == d->editor) {
        if (event->type() == QEvent::KeyPress) {
            // Taken here: a Return that the field lets pass would open the next editor at once.
            const int key = static_cast<QKeyEvent*>(event)->key();
            if (key == Qt::Key_Return || key == Qt::Key_Enter) {
                d->commitEdit();
                return true;
            }
            if (key == Qt::Key_Escape) {
                d->endEdit();
                return true;
            }
        }
        if (event->type() == QEvent::ShortcutOverride && static_cast<QKeyEvent*>(event)->key() == Qt::Key_Escape) {
            event->accept();
            return true;
        }
        if (event->type() == QEvent::FocusOut && static_cast<QFocusEvent*>(event)->reason() != Qt::PopupFocusReason &&
            static_cast<QFocusEvent*>(event)->reason() != Qt::ActiveWindowFocusReason) {
            d->endEdit();
        }
    }
    return QWidget::eventFilter(watched, event);
}

} // namespace stridescope
