// numpy.load() and PIL.Image.open(): what files are opened with, so that opening is a line like every other act.

#include "core/expr/context.h"

namespace stridescope::expr {

Value Environment::load(FileCall, const std::string&, bool) {
    refuse(ErrorKind::Io, "EXPR-29", "no files can be opened here",
           "Open the file in the window, or name it on the command line.");
}

bool hasFileFunction(const std::string& module, const std::string& name) {
    if (module == "numpy") return name == "load" || name == "array" || name == "asarray";
    return module == "PIL.Image" && name == "open";
}

Value callFileFunction(Context& context, const std::string& module, const std::string& name,
                       const Arguments& arguments) {
    const std::string function = module + "." + name;
    if (name == "array" || name == "asarray") {
        static const std::vector<Parameter> kArray{{"object", Accepts::TensorArg}};
        return Bound(function, kArray, arguments).value(0);
    }
    static const std::vector<Parameter> kFile{{"file", Accepts::Any}};
    const Bound bound(function, kFile, arguments);
    const auto* path = bound.value(0).as<std::string>();
    if (!path)
        refuse(ErrorKind::Type, "EXPR-22",
               function + "(): argument 'file' must be str, not " + typeName(bound.value(0)));
    const FileCall call = module == "numpy" ? FileCall::NumpyLoad : FileCall::PictureOpen;
    return context.environment.load(call, *path, context.options.dryRun);
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
