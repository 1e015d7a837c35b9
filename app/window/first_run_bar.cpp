#include "app/window/first_run_bar.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QToolButton>

namespace stridescope {

FirstRunBar::FirstRunBar(QWidget* parent) : QFrame(parent) {
    setObjectName(QStringLiteral("firstRunBar"));
    setAccessibleName(tr("First steps"));
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(16, 6, 8, 6);
    layout->setSpacing(12);
    auto* start = new QLabel(tr("Start here:"), this);
    start->setTextFormat(Qt::PlainText);
    layout->addWidget(start);
    layout->addWidget(card(QStringLiteral("firstRunOpen"), tr("Open data: .npy, .npz or a picture"),
                           tr("A file can also be dropped on the window."), &FirstRunBar::openRequested));
    layout->addWidget(card(QStringLiteral("firstRunMake"), tr("Make a tensor"),
                           tr("Puts a line that makes one at the prompt; Enter runs it."),
                           &FirstRunBar::makeRequested));
    layout->addWidget(card(QStringLiteral("firstRunType"), tr("Type in the console: A[1:, 1:3]"),
                           tr("PyTorch's names work at the prompt; the picture follows."),
                           &FirstRunBar::typeRequested));
    layout->addStretch(1);
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
    layout->addWidget(close);
}

QWidget* FirstRunBar::card(const QString& name, const QString& text, const QString& what,
                           void (FirstRunBar::*signal)()) {
    auto* button = new QPushButton(text, this);
    button->setObjectName(name);
    button->setToolTip(what);
    button->setWhatsThis(what);
    connect(button, &QPushButton::clicked, this, signal);
    return button;
}

} // namespace stridescope
