#pragma once
// DownloadDialog: what would be fetched, from where, how large, and with what sum, before anything is; then how far it
// is. Nothing goes over the network without a click on its Download.

#include "app/files/download.h"

#include <QDialog>
#include <QElapsedTimer>

#include <vector>

class QComboBox;
class QLabel;
class QLineEdit;
class QProgressBar;
class QPushButton;

namespace stridescope {

/// A file that is offered.
struct OfferedFile {
    QString title; ///< "CIFAR-10, Python version"
    QUrl url;
    qint64 bytes = 0;
    QString md5;
};
/// The archives of CIFAR-10 and CIFAR-100, as their page has them.
std::vector<OfferedFile> offeredSets();

class DownloadDialog : public QDialog {
    Q_OBJECT

public:
    DownloadDialog(std::vector<OfferedFile> files, const QString& folder, QWidget* parent);
    Download* download() { return &m_download; }

Q_SIGNALS:
    void fetched(const QString& path);
    /// A file that is there already is to be chosen.
    void ownFileWanted();
    void folderChosen(const QString& folder);

protected:
    void done(int result) override;

private:
    void showFile();
    void chooseFolder();
    void begin();
    void takeEnd(const QString& problem);
    DownloadItem item() const;

    std::vector<OfferedFile> m_files;
    Download m_download;
    QElapsedTimer m_clock;
    qint64 m_before = 0;
    QComboBox* m_set;
    QLineEdit* m_folder;
    QLabel *m_facts, *m_state;
    QProgressBar* m_bar;
    QPushButton *m_start, *m_stop, *m_own, *m_browse;
};

} // namespace stridescope
