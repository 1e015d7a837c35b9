// numpy.load(), numpy.fromfile(), PIL.Image.open(), safetensors.torch.load_file() and torchvision.datasets: what files
// are opened with, so that opening is a line like every other act.

#include "core/expr/context.h"

namespace stridescope::expr {

Value Environment::load(FileCall, const std::string&, bool) {
    refuse(ErrorKind::Io, "EXPR-29", "no files can be opened here",
           "Open the file in the window, or name it on the command line.");
}

Value Environment::dataSet(const DataSetCall&, bool) {
    refuse(ErrorKind::Io, "EXPR-29", "no files can be opened here",
           "Open the file in the window, or name it on the command line.");
}

bool hasFileFunction(const std::string& module, const std::string& name) {
    if (module == "numpy") return name == "load" || name == "fromfile" || name == "array" || name == "asarray";
    if (module == "torchvision.datasets") return name == "CIFAR10" || name == "CIFAR100" || name == "SampleImages";
    if (module == "safetensors.torch") return name == "load_file";
    return module == "PIL.Image" && name == "open";
}

namespace {

Value callDataSet(Context& context, const std::string& function, const std::string& name, const Arguments& arguments) {
    static const std::vector<Parameter> kNone, kRoot{{"root", Accepts::Any}, {"train", Accepts::Bool, false}};
    DataSetCall call{name, {}, true};
    const bool drawn = name == "SampleImages";
    const Bound bound(function, drawn ? std::span<const Parameter>(kNone) : kRoot, arguments);
    if (!drawn) {
        const auto* root = bound.value(0).as<std::string>();
        if (!root)
            refuse(ErrorKind::Type, "EXPR-22",
                   function + "(): argument 'root' must be str, not " + typeName(bound.value(0)));
        call.root = *root;
        call.train = !bound.has(1) || bound.scalar(1).toBool();
    }
    return context.environment.dataSet(call, context.options.dryRun);
}

} // namespace

Value callFileFunction(Context& context, const std::string& module, const std::string& name,
                       const Arguments& arguments) {
    const std::string function = module + "." + name;
    if (name == "array" || name == "asarray") {
        static const std::vector<Parameter> kArray{{"object", Accepts::TensorArg}};
        return Bound(function, kArray, arguments).value(0);
    }
    if (module == "torchvision.datasets") return callDataSet(context, function, name, arguments);
    const bool bytes = name == "fromfile";
    static const std::vector<Parameter> kFile{{"file", Accepts::Any}},
        kBytes{{"file", Accepts::Any}, {"dtype", Accepts::DTypeArg, false}}, kNamed{{"filename", Accepts::Any}};
    const bool safetensors = module == "safetensors.torch";
    const Bound bound(function, bytes ? kBytes : safetensors ? kNamed : kFile, arguments);
    if (bytes && (!bound.has(1) || bound.dtype(1) != DType::UInt8))
        refuse(ErrorKind::Type, "EXPR-22", "numpy.fromfile(): only bytes are read here: dtype=numpy.uint8",
               "Read them, then view them: torch.from_numpy(...).view(torch.float32).");
    const auto* path = bound.value(0).as<std::string>();
    if (!path)
        refuse(ErrorKind::Type, "EXPR-22",
               function + "(): argument '" + (safetensors ? "filename" : "file") + "' must be str, not " +
                   typeName(bound.value(0)));
    const FileCall call = safetensors         ? FileCall::SafetensorsLoad
                          : bytes             ? FileCall::NumpyFromFile
                          : module == "numpy" ? FileCall::NumpyLoad
                                              : FileCall::PictureOpen;
    return context.environment.load(call, *path, context.options.dryRun);
}

bool opensPicture(const Node& node) {
    if (node.kind != NodeKind::Call || node.children[0].kind != NodeKind::Attribute || node.children[0].text != "open")
        return false;
    const Node& module = node.children[0].children[0];
    return module.kind == NodeKind::Attribute && module.text == "Image" && module.children[0].kind == NodeKind::Name &&
           module.children[0].text == "PIL";
}

Value convertPicture(const TensorValue& picture, const Arguments& arguments) {
    static const std::vector<Parameter> kMode{{"mode", Accepts::Any}};
    const Bound bound("convert", kMode, arguments);
    const auto* mode = bound.value(0).as<std::string>();
    if (!mode)
        refuse(ErrorKind::Type, "EXPR-22", "convert(): argument 'mode' must be str, not " + typeName(bound.value(0)));
    const Tensor& t = picture.tensor;
    const std::string own = t.dim() == 2 ? "L" : t.size(-1) == 3 ? "RGB" : "RGBA";
    if (*mode != own)
        refuse(ErrorKind::Value, "EXPR-22", "the picture is " + own + " here, not '" + mode->substr(0, 20) + "'",
               "Write convert(\"" + own + "\"), and change the channels of the tensor.");
    return picture;
}

Value archivePart(const Archive& archive, const std::string& name) {
    for (std::size_t i = 0; archive.hasAttributes() && i < archive.names.size(); ++i)
        if (archive.names[i] == name) return archive.arrays[i];
    refuse(ErrorKind::Type, "EXPR-21", "'" + archive.type + "' object has no attribute '" + name.substr(0, 60) + "'",
           archive.hasAttributes() ? "It has data, targets and classes."
                                   : "Arrays are taken by name: archive[\"name\"].");
}

Value archiveItem(const Archive& archive, std::span<const Value> items) {
    const auto* name = items.size() == 1 ? items[0].as<std::string>() : nullptr;
    if (name) {
        for (std::size_t i = 0; i < archive.names.size(); ++i) {
            if (archive.names[i] == *name) return archive.arrays[i];
        }
    }
    std::string known;
    for (std::size_t i = 0; i < archive.names.size() && i < 8; ++i) known += (i > 0 ? ", " : "") + archive.names[i];
    if (archive.names.size() > 8) known += ", …";
    refuse(ErrorKind::Value, "EXPR-24",
           name ? "'" + name->substr(0, 60) + "' is not a name in the archive"
                : std::string("an archive is indexed with the name of one array"),
           "It has " + std::to_string(archive.names.size()) + ": " + known + ".");
}

} // namespace stridescope::expr
