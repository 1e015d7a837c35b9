#include "app/window/first_run_bar.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QToolButton>
#include <QVBoxLayout>

namespace stridescope {

FirstRunBar::FirstRunBar(QWidget* parent) : QFrame(parent) {
    setObjectName(QStringLiteral("firstRunBar"));
    setAccessibleName(tr("First steps"));
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(16, 8, 8, 8);
    layout->setSpacing(12);
    layout->addWidget(card(QStringLiteral("firstRunOpen"), tr("Open data"),
                           tr("A .npy or .npz file, or a picture. Dropping it here works, too."), tr("Open…"),
                           &FirstRunBar::openRequested));
    layout->addWidget(card(QStringLiteral("firstRunMake"), tr("Make a tensor"),
                           tr("Counted, filled or typed in; its storage appears as a strip."), tr("New tensor"),
                           &FirstRunBar::makeRequested));
    layout->addWidget(card(QStringLiteral("firstRunType"), tr("Type a line"),
                           tr("PyTorch's names work at the prompt; the picture follows."), tr("Try A[1:, 1:3]"),
                           &FirstRunBar::typeRequested));
    auto* close = new QToolButton(this);
    close->setObjectName(QStringLiteral("firstRunClose"));
    close->setText(QStringLiteral("✕"));
    close->setAccessibleName(tr("Close the first steps"));
    close->setToolTip(tr("Close the first steps"));
    close->setAutoRaise(true);
    connect(close, &QToolButton::clicked, this, [this] {
        hide();
        Q_EMIT dismissed();
    });
    layout->addWidget(close, 0, Qt::AlignTop);
}

QWidget* FirstRunBar::card(const QString& name, const QString& headline, const QString& text, const QString& button,
                           void (FirstRunBar::*signal)()) {
    auto* frame = new QFrame(this);
    frame->setObjectName(name);
    frame->setFrameShape(QFrame::StyledPanel);
    auto* title = new QLabel(headline, frame);
    auto* words = new QLabel(text, frame);
    QFont bold = title->font();
    bold.setWeight(QFont::DemiBold);
    title->setFont(bold);
    for (QLabel* label : {title, words}) label->setTextFormat(Qt::PlainText);
    words->setWordWrap(true);
    auto* press = new QPushButton(button, frame);
    press->setObjectName(name + QStringLiteral("Button"));
    press->setAccessibleName(headline);
    connect(press, &QPushButton::clicked, this, signal);
    auto* texts = new QVBoxLayout;
    texts->setSpacing(2);
    texts->addWidget(title);
    texts->addWidget(words);
    auto* layout = new QHBoxLayout(frame);
    layout->setContentsMargins(12, 8, 12, 8);
    layout->addLayout(texts, 1);
    layout->addWidget(press);
    return frame;
}

} // namespace stridescope
