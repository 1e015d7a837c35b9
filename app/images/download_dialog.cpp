#include "app/images/download_dialog.h"

#include "core/io/cifar.h"
#include "widgets/model/words.h"

#include <QComboBox>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QProgressBar>
#include <QPushButton>

#include <algorithm>

namespace stridescope {

std::vector<OfferedFile> offeredSets() {
    std::vector<OfferedFile> files;
    for (const io::CifarVersion& version : io::cifarVersions()) {
        const QString set = version.kind == CifarKind::Ten ? QStringLiteral("CIFAR-10") : QStringLiteral("CIFAR-100");
        files.push_back(
            {version.binary ? DownloadDialog::tr("%1, binary version").arg(set)
                            : DownloadDialog::tr("%1, Python version").arg(set),
             QUrl(QStringLiteral("https://www.cs.toronto.edu/~kriz/") + QString::fromStdString(version.archive)),
             static_cast<qint64>(version.archiveBytes), QString::fromStdString(version.archiveMd5)});
    }
    return files;
}

DownloadDialog::DownloadDialog(std::vector<OfferedFile> files, const QString& folder, QWidget* parent)
    : QDialog(parent), m_files(std::move(files)) {
    setObjectName(QStringLiteral("downloadDialog"));
    setWindowTitle(tr("Download pictures"));
    auto* column = new QVBoxLayout(this);
    auto* words = new QLabel(tr("Nothing is fetched before you press Download."), this);
    column->addWidget(words);
    auto* form = new QFormLayout;
    m_set = new QComboBox(this);
    m_set->setObjectName(QStringLiteral("downloadSet"));
    for (const OfferedFile& file : m_files) m_set->addItem(file.title);
    form->addRow(tr("Set"), m_set);
    m_facts = new QLabel(this);
    m_facts->setObjectName(QStringLiteral("downloadFacts"));
    m_facts->setTextFormat(Qt::PlainText);
    m_facts->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    m_facts->setMinimumWidth(430);
    form->addRow(tr("Fetched is"), m_facts);
    auto* place = new QHBoxLayout;
    m_folder = new QLineEdit(folder, this);
    m_folder->setObjectName(QStringLiteral("downloadFolder"));
    m_browse = new QPushButton(tr("Browse…"), this);
    place->addWidget(m_folder, 1);
    place->addWidget(m_browse);
    form->addRow(tr("Into the folder"), place);
    column->addLayout(form);
    m_bar = new QProgressBar(this);
    m_bar->setRange(0, 1000);
    column->addWidget(m_bar);
    m_state = new QLabel(this);
    m_state->setObjectName(QStringLiteral("downloadState"));
    m_state->setTextFormat(Qt::PlainText);
    m_state->setWordWrap(true);
    m_state->setMinimumHeight(36);
    column->addWidget(m_state);
    auto* row = new QHBoxLayout;
    m_own = new QPushButton(tr("I have the file…"), this);
    row->addWidget(m_own);
    row->addStretch();
    m_stop = new QPushButton(tr("Cancel"), this);
    m_stop->setObjectName(QStringLiteral("downloadCancel"));
    m_start = new QPushButton(tr("Download"), this);
    m_start->setObjectName(QStringLiteral("downloadStart"));
    m_start->setProperty("kind", QStringLiteral("primary"));
    m_start->setAutoDefault(false); // the Return key in the folder's field is no consent
    m_stop->setAutoDefault(false);
    m_own->setAutoDefault(false);
    m_browse->setAutoDefault(false);
    row->addWidget(m_stop);
    row->addWidget(m_start);
    column->addLayout(row);
    connect(m_set, &QComboBox::currentIndexChanged, this, &DownloadDialog::showFile);
    connect(m_folder, &QLineEdit::textChanged, this, &DownloadDialog::showFile);
    connect(m_browse, &QPushButton::clicked, this, &DownloadDialog::chooseFolder);
    connect(m_start, &QPushButton::clicked, this, &DownloadDialog::begin);
    connect(m_stop, &QPushButton::clicked, this, [this] { m_download.isBusy() ? m_download.cancel() : reject(); });
    connect(m_own, &QPushButton::clicked, this, [this] {
        reject();
        Q_EMIT ownFileWanted();
    });
    connect(&m_download, &Download::progress, this, [this](qint64 has, qint64 all) {
        m_bar->setValue(static_cast<int>(has * 1000 / std::max<qint64>(all, 1)));
        const double seconds = std::max<double>(double(m_clock.elapsed()) / 1000, 0.1);
        m_state->setText(tr("%1 of %2, %3 a second")
                             .arg(bytesText(static_cast<quint64>(has)), bytesText(static_cast<quint64>(all)),
                                  bytesText(static_cast<quint64>(double(has - m_before) / seconds))));
    });
    connect(&m_download, &Download::proving, this, [this] { m_state->setText(tr("Comparing the sum…")); });
    connect(&m_download, &Download::finished, this, &DownloadDialog::takeEnd);
    showFile();
}

DownloadItem DownloadDialog::item() const {
    const OfferedFile& file = m_files[static_cast<std::size_t>(std::max(m_set->currentIndex(), 0))];
    return {file.url, QDir(m_folder->text()).filePath(file.url.fileName()), file.bytes, file.md5};
}

void DownloadDialog::showFile() {
    const DownloadItem chosen = item();
    m_facts->setText(tr("%1\nfrom the host %2\n%3 (%4 bytes)\nMD5 %5, compared before it is used")
                         .arg(chosen.url.toDisplayString(), chosen.url.host(),
                              bytesText(static_cast<quint64>(chosen.bytes)), countText(chosen.bytes), chosen.md5));
    const bool folder = QFileInfo(m_folder->text()).isDir();
    const bool there = folder && QFileInfo(chosen.path).size() == chosen.bytes;
    const qint64 waiting = folder ? Download::waiting(chosen) : 0;
    m_bar->setValue(static_cast<int>(waiting * 1000 / std::max<qint64>(chosen.bytes, 1)));
    const bool canBeMade = !folder && QFileInfo(QFileInfo(m_folder->text()).path()).isDir();
    m_start->setEnabled(folder || canBeMade);
    m_start->setText(there ? tr("Open") : waiting > 0 ? tr("Resume") : tr("Download"));
    m_state->setText(canBeMade ? tr("The folder will be made.")
                     : !folder ? tr("There is no such folder.")
                     : there   ? tr("The file is there already.")
                     : waiting > 0
                         ? tr("%1 are there from an earlier download.").arg(bytesText(static_cast<quint64>(waiting)))
                         : QString());
}

void DownloadDialog::chooseFolder() {
    const QString chosen = QFileDialog::getExistingDirectory(this, tr("Folder"), m_folder->text());
    if (!chosen.isEmpty()) m_folder->setText(chosen);
}

void DownloadDialog::begin() {
    const DownloadItem chosen = item();
    QDir().mkpath(m_folder->text());
    Q_EMIT folderChosen(m_folder->text());
    if (QFileInfo(chosen.path).size() == chosen.bytes) {
        accept();
        return Q_EMIT fetched(chosen.path); // its sum is compared when it is opened
    }
    for (QWidget* each : std::initializer_list<QWidget*>{m_set, m_folder, m_browse, m_start, m_own})
        each->setEnabled(false);
    m_before = Download::waiting(chosen);
    m_clock.start();
    m_state->setText(tr("Asking %1…").arg(chosen.url.host()));
    m_download.start(chosen);
}

void DownloadDialog::takeEnd(const QString& problem) {
    for (QWidget* each : std::initializer_list<QWidget*>{m_set, m_folder, m_browse, m_start, m_own})
        each->setEnabled(true);
    if (problem.isEmpty()) {
        const QString path = item().path;
        accept();
        return Q_EMIT fetched(path);
    }
    showFile();
    m_state->setText(problem);
}

void DownloadDialog::done(int result) {
    if (m_download.isBusy()) m_download.cancel();
    QDialog::done(result);
}

} // namespace stridescope
