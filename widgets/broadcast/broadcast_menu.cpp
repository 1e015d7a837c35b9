// The menu of a card of the Broadcast screen: what the cards of Explore have, as far as it has a meaning here.

#include "widgets/broadcast/broadcast_bar.h"
#include "widgets/broadcast/broadcast_scene.h"
#include "widgets/broadcast/broadcast_screen.h"
#include "widgets/broadcast/broadcast_view.h"

#include <QClipboard>
#include <QContextMenuEvent>
#include <QGuiApplication>
#include <QMenu>

#include <algorithm>

namespace stridescope {

TensorId BroadcastScreen::tensorOf(std::size_t card) const {
    if (!m_model || card >= m_model->operands.size()) return 0;
    const Tensor& tensor = m_model->operands[card].tensor;
    const auto& tensors = m_workspace->snapshot()->tensors;
    const auto found = std::find_if(tensors.begin(), tensors.end(), [&tensor](const TensorEntry& entry) {
        return entry.tensor.storage() == tensor.storage() && entry.tensor.view() == tensor.view() &&
               entry.tensor.dtype() == tensor.dtype();
    });
    return found == tensors.end() ? 0 : found->id;
}

void BroadcastScreen::contextMenuEvent(QContextMenuEvent* event) {
    const bool byKey = event->reason() == QContextMenuEvent::Keyboard;
    const QPoint at = m_view->mapFrom(this, event->pos());
    if (!hasPicture() || (!byKey && !m_view->rect().contains(at))) {
        Screen::contextMenuEvent(event);
        return;
    }
    const auto card =
        byKey ? std::optional<std::size_t>() : broadcastCardAt(*m_model, m_view->look(), m_view->inScene(at));
    QMenu menu(this);
    menu.setObjectName(QStringLiteral("broadcastMenu"));
    const auto add = [&menu](const QString& text, const char* name, auto slot) {
        QAction* action = menu.addAction(text);
        action->setObjectName(QLatin1String(name));
        QObject::connect(action, &QAction::triggered, &menu, slot);
    };
    const TensorId tensor = card ? tensorOf(*card) : 0;
    const QString code = !card                              ? QString()
                         : *card < m_model->operands.size() ? m_model->operands[*card].code
                                                            : m_bar->line();
    if (tensor) {
        add(tr("Show in Explore"), "showTensor", [this, tensor] { Q_EMIT tensorRequested(tensor); });
        add(tr("Copy as table"), "text", [this, tensor] { Q_EMIT exportRequested(tensor, QStringLiteral("text")); });
    }
    if (!code.isEmpty()) add(tr("Copy as code"), "code", [code] { QGuiApplication::clipboard()->setText(code); });
    if (card) menu.addSeparator();
    for (const auto& [text, format] :
         {std::pair{tr("Copy picture as PNG"), "png"}, std::pair{tr("Copy picture as SVG"), "svg"},
          std::pair{tr("Copy picture as TikZ"), "tikz"}, std::pair{tr("Export picture…"), "file"}}) {
        const QString kind = QLatin1String(format);
        add(text, format, [this, kind] { Q_EMIT exportRequested(0, kind); });
    }
    menu.exec(event->globalPos());
}

} // namespace stridescope
