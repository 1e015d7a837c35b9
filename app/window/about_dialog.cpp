#include "app/window/about_dialog.h"

#include "app/cli/about_facts.h"

#include <QClipboard>
#include <QDialogButtonBox>
#include <QGuiApplication>
#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QVBoxLayout>

namespace stridescope {

AboutDialog::AboutDialog(QWidget* parent) : QDialog(parent) {
    setObjectName(QStringLiteral("aboutDialog"));
    setWindowTitle(tr("About Stridescope"));
    auto* words = new QLabel(tr("Stridescope shows what a tensor is: one storage, and the views on it."), this);
    words->setTextFormat(Qt::PlainText);
    words->setWordWrap(true);
    auto* facts = new QPlainTextEdit(QString::fromStdString(aboutFacts()).trimmed(), this);
    facts->setObjectName(QStringLiteral("aboutFacts"));
    facts->setAccessibleName(tr("Facts for a report"));
    facts->setReadOnly(true);
    facts->setProperty("mono", true); // the style sheet's fonts win over the widget's own
    facts->document()->setDocumentMargin(8);
    facts->setMinimumSize(560, 150);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
    QPushButton* copy = buttons->addButton(tr("Copy facts"), QDialogButtonBox::ActionRole);
    copy->setObjectName(QStringLiteral("aboutCopy"));
    connect(copy, &QPushButton::clicked, this,
            [facts] { QGuiApplication::clipboard()->setText(facts->toPlainText()); });
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    auto* layout = new QVBoxLayout(this);
    layout->addWidget(words);
    layout->addWidget(facts);
    layout->addWidget(buttons);
}

} // namespace stridescope
