#include "app/files/file_opener.h"

#include "app/files/picture_folder.h"
#include "app/files/picture_process.h"
#include "core/io/cifar.h"
#include "core/io/file_kind.h"
#include "core/io/npy.h"
#include "core/io/npz.h"
#include "core/io/safetensors.h"
#include "core/io/text.h"
#include "core/ops/creation.h"
#include "core/ops/views.h"
#include "core/session/session_file.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>

#include <algorithm>
#include <filesystem>
#include <new>

namespace stridescope {

namespace {

QString shown(const std::string& text) {
    return QString::fromStdString(sanitiseForDisplay(text));
}

/// A string as Python writes it: what is invisible comes as an escape such as \n, once.
QString quoted(QString text) {
    text.replace(QLatin1Char('\\'), QStringLiteral("\\\\"));
    text.replace(QLatin1Char('"'), QStringLiteral("\\\""));
    constexpr std::size_t kLongest = 400; // a name that is shown whole, with every letter escaped
    return QLatin1Char('"') + QString::fromStdString(sanitiseForDisplay(text.toStdString(), kLongest)) +
           QLatin1Char('"');
}

/// The file as a line names it: from the current folder where it lies inside, so that lines stay short.
QString pathInCode(const QString& path) {
    const QString absolute = QFileInfo(path).absoluteFilePath();
    const QString relative = QDir::current().relativeFilePath(absolute);
    return relative.startsWith(QStringLiteral("..")) ? absolute : relative;
}

void take(OpenedFile& file, const OpenedArray& array, const QString& code) {
    file.tensors.push_back({shown(array.name), code, array.tensor});
}

/// What is said of the arrays of one file: what many have in common is said once, with the names of the first ones.
class ArrayNotes {
public:
    void add(const QString& array, const QString& note) {
        const auto known =
            std::find_if(m_groups.begin(), m_groups.end(), [&](const Group& each) { return each.note == note; });
        if (known == m_groups.end())
            m_groups.push_back({note, {array}, 1});
        else if (++known->count <= kNamed)
            known->arrays << array;
    }
    QStringList sentences() const {
        QStringList all;
        for (const Group& group : m_groups) {
            if (all.size() == kMost) {
                all << QObject::tr("%1 more notes of this kind.").arg(std::ssize(m_groups) - kMost);
                break;
            }
            QString names = group.arrays.join(QStringLiteral(", "));
            if (group.count > kNamed) names += QObject::tr(" and %1 more").arg(group.count - kNamed);
            all << names + QStringLiteral(": ") + group.note;
        }
        return all;
    }

private:
    static constexpr int kNamed = 3, kMost = 20;
    struct Group {
        QString note;
        QStringList arrays;
        int count = 0;
    };
    std::vector<Group> m_groups;
};

void openArray(OpenedFile& file, const std::filesystem::path& path, const Budget& budget) {
    auto array = openNpy(path, budget);
    if (!array) {
        file.refusal = array.refusal();
        return;
    }
    take(file, *array, QStringLiteral("torch.from_numpy(numpy.load(%1))").arg(quoted(pathInCode(file.path))));
    for (const std::string& note : array->notes) file.notes << shown(note);
}

/// An .npz or a safetensors file: arrays by name, and some that are left out. `code` has places for the file and a
/// name.
template <class Opened>
void takeNamed(OpenedFile& file, Result<Opened> archive, const QString& code) {
    if (!archive) {
        file.refusal = archive.refusal();
        return;
    }
    const QString name = quoted(pathInCode(file.path));
    ArrayNotes notes;
    for (const OpenedArray& array : archive->arrays) {
        for (const std::string& note : array.notes) notes.add(shown(array.name), shown(note));
        const QString key = QString::fromStdString(array.rawName);
        file.runnable = file.runnable && shown(array.rawName) == key; // the line language has no escapes for the rest
        take(file, array, code.arg(name, quoted(key)));
    }
    for (const auto& entry : archive->skipped)
        notes.add(shown(entry.name), QObject::tr("left out: %1").arg(shown(entry.refusal.message)));
    file.notes << notes.sentences();
    if (archive->arrays.empty() && !archive->skipped.empty()) file.refusal = archive->skipped.front().refusal;
}

/// Pictures and labels of a set, as torchvision's class has them.
void takeSet(OpenedFile& file, Result<CifarSet> set, CifarKind kind) {
    if (!set) {
        file.refusal = set.refusal();
        return;
    }
    constexpr std::size_t kLongest = 800; // what an archive has besides is named
    for (const std::string& note : set->notes) file.notes << QString::fromStdString(sanitiseForDisplay(note, kLongest));
    const QString code = QStringLiteral("torchvision.datasets.%1(%2)")
                             .arg(kind == CifarKind::Ten ? QStringLiteral("CIFAR10") : QStringLiteral("CIFAR100"),
                                  quoted(pathInCode(file.path)));
    Tensor classes = empty({static_cast<Index>(set->labels.size())}, {DType::Int64, Device{}});
    std::copy(set->labels.begin(), set->labels.end(), classes.data<Index>());
    file.tensors.push_back(
        {QStringLiteral("images"), QStringLiteral("torch.from_numpy(%1.data)").arg(code), set->data});
    file.tensors.push_back({QStringLiteral("labels"), QStringLiteral("torch.tensor(%1.targets)").arg(code), classes});
}

/// What a file's name says that its length does not: a batch that was cut off.
std::optional<CifarSource> cifarNamed(const std::filesystem::path& path) {
    const std::string name = path.filename().string();
    for (const io::CifarVersion& version : io::cifarVersions())
        for (const auto* files : {&version.train, &version.test})
            for (const io::CifarFile& each : *files)
                if (version.binary && each.name == name) return CifarSource{CifarSource::Form::Binary, version.kind};
    return std::nullopt;
}

/// The pictures and their labels. Records are opened as what they are: bytes, of which both are views.
void openCifarFile(OpenedFile& file, const std::filesystem::path& path, const Budget& budget,
                   const OpenChoices& choices) {
    std::optional<CifarSource> source = cifarSourceOf(path);
    if (!source) source = cifarNamed(path);
    if (!source) {
        file.refusal = Refusal{ErrorKind::Io, "OPEN-02", "the file changed while it was opened", {}, {}};
        return;
    }
    const QString name = quoted(pathInCode(file.path)), images = QStringLiteral("images"),
                  labels = QStringLiteral("labels");
    const Index labelBytes = cifarLabelBytes(source->kind), record = cifarRecordBytes(source->kind);
    if (source->form == CifarSource::Form::Binary) {
        auto bytes = fileBytes(path);
        if (!bytes) {
            file.refusal = bytes.refusal();
            return;
        }
        const Index whole = bytes->numel() / record * record;
        if (whole == 0 || (choices.wholeFile && whole != bytes->numel())) {
            auto refused = openCifar(path, source->kind, true, {}, budget);
            file.refusal = refused ? Refusal{ErrorKind::Io, "OPEN-02", "the file changed while it was opened", {}, {}}
                                   : refused.refusal();
            return;
        }
        QString code = QStringLiteral("torch.from_numpy(numpy.fromfile(%1, numpy.uint8))").arg(name);
        if (whole != bytes->numel()) {
            file.notes << QObject::tr("The last %1 B are part of a record and left out.").arg(bytes->numel() - whole);
            code += QStringLiteral(".narrow(0, 0, %1)").arg(whole);
        }
        // Labels are looked at here for what is to be told of them; in the tensor they are the bytes of the file. Each
        // brings a page into memory: no more of them than the largest file that was published has.
        constexpr Index kMostLooked = 50'000;
        FileBytes look;
        look.bytes = {bytes->storage()->data(), static_cast<std::size_t>(std::min(whole, kMostLooked * record))};
        const auto batch = cifarFromBinary(look, source->kind);
        if (batch)
            for (const std::string& note : batch->notes) file.notes << shown(note);
        const Tensor records = view(narrow(*bytes, 0, 0, whole), {-1, record});
        code += QStringLiteral(".view(-1, %1)").arg(record);
        file.tensors.push_back({images,
                                code + QStringLiteral(".narrow(1, %1, 3072).view(-1, 3, 32, 32)").arg(labelBytes),
                                view(narrow(records, 1, labelBytes, kCifarPixels), {-1, 3, 32, 32})});
        file.tensors.push_back(
            {labels, code + QStringLiteral(".select(1, %1)").arg(labelBytes - 1), select(records, 1, labelBytes - 1)});
        return;
    }
    if (!choices.verified) {
        file.runnable = false; // torchvision has no word for the choice
        file.notes << QObject::tr("Opened as unverified: it is not the file that was published.");
    }
    takeSet(file, openCifar(path, source->kind, true, {choices.wholeFile, choices.verified}, budget), source->kind);
}

/// A folder with the files of a whole set. False: it has none.
bool openCifarFolder(OpenedFile& file, const Budget& budget, const OpenChoices& choices) {
    const std::filesystem::path path(QFile::encodeName(file.path).toStdString());
    for (const CifarKind kind : {CifarKind::Ten, CifarKind::Hundred}) {
        auto set = openCifar(path, kind, true, {choices.wholeFile, choices.verified}, budget);
        if (!choices.verified) file.runnable = false;
        if (!set && set.refusal().id == "CIF-01") continue;
        takeSet(file, std::move(set), kind);
        return true;
    }
    return false;
}

void openPicture(OpenedFile& file, FileKind kind, const Budget& budget) {
    auto picture = PictureReader().read(file.path, kind, budget);
    if (!picture) {
        file.refusal = picture.refusal();
        return;
    }
    const QFileInfo info(file.path);
    file.notes = picture->notes;
    file.tensors.push_back({shown(info.completeBaseName().toStdString()),
                            QStringLiteral("torch.from_numpy(numpy.array(PIL.Image.open(%1)%2))")
                                .arg(quoted(pathInCode(file.path)), conversionInCode(picture->tensor, picture->notes)),
                            picture->tensor});
}

void openSessionFile(OpenedFile& file, const std::filesystem::path& path, const Budget& budget, bool withFiles) {
    auto files = openSessionFiles(path, budget);
    auto session = files ? openSession(path, withFiles, budget) : Result<Session>(files.refusal());
    if (!session) {
        file.refusal = session.refusal();
        return;
    }
    file.sessionFiles = std::move(*files);
    file.withSessionFiles = withFiles;
    file.session = std::make_shared<const Session>(std::move(*session));
}

} // namespace

std::optional<OpenChoices> choicesFor(const Refusal& refusal) {
    if (refusal.id == "CIF-02") return OpenChoices{.wholeFile = false};
    if (refusal.id == "CIF-04") return OpenChoices{.verified = false};
    return std::nullopt;
}

/// A folder with the name of an array was meant to be one: that it is no file says more than that it has no pictures.
static bool isFolderOfPictures(const QString& path) {
    const QFileInfo info(path);
    static const QStringList kArrays{QStringLiteral("npy"), QStringLiteral("npz"), QStringLiteral("safetensors")};
    return info.isDir() && !kArrays.contains(info.suffix().toLower());
}

OpenedFile openFile(const QString& path, const Budget& wholeBudget, const OpenChoices& choices) {
    Budget budget = wholeBudget;
    budget.startClock();
    OpenedFile file;
    file.path = path;
    try {
        file.runnable = shown(path.toStdString()) == path;
        if (isFolderOfPictures(path)) {
            if (!openCifarFolder(file, budget, choices)) openPictureFolder(file, budget);
            return file;
        }
        const std::filesystem::path native(QFile::encodeName(path).toStdString());
        const auto kind = openableKindOf(native);
        if (!kind && cifarNamed(native)) {
            openCifarFile(file, native, budget, choices);
            return file;
        }
        if (!kind) {
            file.refusal = kind.refusal();
            return file;
        }
        switch (*kind) {
        case FileKind::Npy:
            openArray(file, native, budget);
            break;
        case FileKind::Npz:
            takeNamed(file, openNpz(native, budget), QStringLiteral("torch.from_numpy(numpy.load(%1)[%2])"));
            break;
        case FileKind::Safetensors:
            if (choices.sessions != Sessions::AsTensors && holdsSession(native)) {
                openSessionFile(file, native, budget, choices.sessions == Sessions::WithFiles);
                break;
            }
            takeNamed(file, openSafetensors(native, budget), QStringLiteral("safetensors.torch.load_file(%1)[%2]"));
            break;
        case FileKind::Cifar:
            openCifarFile(file, native, budget, choices);
            break;
        case FileKind::Png:
        case FileKind::Jpeg:
        case FileKind::Bmp:
        case FileKind::Pnm:
            openPicture(file, *kind, budget);
            break;
        default:
            file.refusal = Refusal{ErrorKind::Io,
                                   "OPEN-01",
                                   describe(*kind) + " is not opened by this version",
                                   "It opens .npy, .npz, .safetensors, PNG, JPEG, BMP, PPM, PGM and CIFAR's files.",
                                   {}};
        }
    } catch (const Error& error) {
        file.refusal = error.refusal();
    } catch (const std::bad_alloc&) {
        file.refusal =
            Refusal{ErrorKind::Memory, "MEM-03", "not enough memory to open this file", "Close tensors first.", {}};
    } catch (const std::exception& error) {
        file.refusal = Refusal{ErrorKind::Io, "OPEN-02", std::string("could not be read: ") + error.what(), {}, {}};
    }
    return file;
}

FileOpener::FileOpener(QObject* parent) : QObject(parent) {
    qRegisterMetaType<OpenedFile>();
}

FileOpener::~FileOpener() {
    m_waiting.clear();
    cancel();
    if (!m_thread) return;
    m_thread->wait();
    delete m_thread;
}

void FileOpener::open(const QStringList& paths, const OpenChoices& choices) {
    if (paths.isEmpty()) return;
    m_waiting.emplace_back(paths, choices);
    if (!m_thread) startNext();
}

void FileOpener::cancel() {
    if (m_cancel) m_cancel->store(true);
    m_waiting.clear();
}

void FileOpener::startNext() {
    if (m_waiting.empty()) return;
    const auto [paths, choices] = m_waiting.front();
    m_waiting.erase(m_waiting.begin());
    m_cancel = std::make_shared<std::atomic<bool>>(false);
    const auto cancelled = m_cancel;
    m_thread = QThread::create([this, paths = paths, choices = choices, cancelled] {
        for (const QString& path : paths) {
            if (cancelled->load()) break;
            Q_EMIT started(path);
            Budget budget = Budget::standard();
            int last = -1;
            budget.progress = [this, cancelled, &last](std::uint64_t done, std::uint64_t total) {
                const int permille = total > 0 ? static_cast<int>(done * 1000 / total) : -1;
                if (permille != last) Q_EMIT progress(last = permille);
                return !cancelled->load();
            };
            const OpenedFile file = openFile(path, budget, choices);
            if (!cancelled->load()) Q_EMIT opened(file);
        }
    });
    connect(m_thread, &QThread::finished, this, [this, cancelled] {
        m_thread->wait();
        delete m_thread; // not later: the last file may be read when no loop is left to delete it
        m_thread = nullptr;
        Q_EMIT finished(cancelled->load());
        startNext();
    });
    m_thread->start();
}

} // namespace stridescope
