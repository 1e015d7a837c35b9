#pragma once
// Every operation of the library in one table: what it is called in PyTorch, what it takes and gives, for which dtypes,
// what it refuses. The documentation page, `stridescope operations` and a test over all of them read it.
//
// View operations have a table of their own with typed parameters (core/view/op_table.h); they are listed here, too.
// A new operation is one entry in the operation_table_*.cpp of its family.

#include "core/ops/out.h"
#include "core/tensor/tensor.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace stridescope {

/// Dtypes as a set.
class DTypeSet {
public:
    constexpr DTypeSet() = default;
    constexpr DTypeSet(DType t) : m_bits(1u << static_cast<unsigned>(t)) {}
    constexpr DTypeSet operator|(DTypeSet other) const { return DTypeSet(m_bits | other.m_bits); }
    constexpr DTypeSet without(DTypeSet other) const { return DTypeSet(m_bits & ~other.m_bits); }
    constexpr bool has(DType t) const { return (m_bits >> static_cast<unsigned>(t)) & 1u; }
    constexpr bool empty() const { return m_bits == 0; }
    friend constexpr bool operator==(DTypeSet, DTypeSet) = default;

private:
    constexpr explicit DTypeSet(std::uint32_t bits) : m_bits(bits) {}
    std::uint32_t m_bits = 0;
};

namespace dtypes {
inline constexpr DTypeSet integers = DTypeSet(DType::UInt8) | DType::Int8 | DType::Int16 | DType::Int32 | DType::Int64;
inline constexpr DTypeSet wideFloats = DTypeSet(DType::Float32) | DType::Float64;
inline constexpr DTypeSet floats = wideFloats | DType::Float16;
inline constexpr DTypeSet complexes = DTypeSet(DType::Complex64) | DType::Complex128;
inline constexpr DTypeSet reals = integers | floats | DType::Bool;
inline constexpr DTypeSet all = reals | complexes;
/// "all", "integers, float32, bool": the shortest way to say it.
std::string text(DTypeSet set);
} // namespace dtypes

enum class OpFamily : std::uint8_t {
    Creation,
    Random,
    Views,
    Copies,
    Joining,
    Indexing,
    Pointwise,
    Reductions,
    Sorting,
    Products,
    LinearAlgebra,
    Fourier,
    Complex,
    Further,  ///< what the Python module makes of others
    Outside,  ///< files, NumPy and Python
    Settings, ///< and questions
    Devices
};
std::string_view title(OpFamily family);
/// Has the library no function of its own for these?
constexpr bool isOfTheModule(OpFamily family) {
    return family >= OpFamily::Further;
}

/// The others are questions and settings.
constexpr bool takesTensors(OpFamily family) {
    return family < OpFamily::Settings;
}

/// What comes out of an operation.
enum class OpGives : std::uint8_t {
    New,        ///< always a new storage
    View,       ///< a view of the input's storage
    ViewOrCopy, ///< a view where strides can express it, else a new storage
    SameOrNew,  ///< the input itself where nothing is to be done, else a new storage
    InPlace,    ///< writes into its first input
};
std::string_view title(OpGives gives);

/// What a sample call wants to be given.
enum class SampleInputs : std::uint8_t {
    None,          ///< has no sample: makes tensors from numbers alone, draws random ones, or writes in place
    One,           ///< a tensor of any shape and layout
    Two,           ///< two of one shape
    Line,          ///< one of at least one dim, of size 1 or more
    Matrices,      ///< {..., m, n}
    Square,        ///< {..., n, n}, far from singular
    Positive,      ///< {..., n, n}, Hermitian and positive definite
    SquareAndSide, ///< {..., n, n} and {..., n, k}
    Factors,       ///< {..., m, n} and {..., n, k}
    Lines,         ///< two of {n}, n at least 1
    MatrixAndLine, ///< {m, n} and {n}
    TwoMatrices,   ///< {m, n} and {n, k}
    Batches,       ///< {b, m, n} and {b, n, k}
    Triples,       ///< two of one shape, with a dim of size 3
};

/// Which slots an `out` may share with the inputs.
enum class Sharing : std::uint8_t {
    Any,     ///< what reads all of its inputs before it writes, or takes a copy of them
    InOrder, ///< none, or each element its own input's
    Apart,   ///< none
};

/// What PyTorch does with an `out` besides looking at its dtype.
struct OutHabits {
    Sharing given = Sharing::InOrder; ///< as `out` is given
    Sharing resized = Sharing::Any;   ///< as it is after a resize
    /// Inputs that may share slots in order even so: the first, which is copied to `out` before anything is added, or
    /// those behind the first, which have been read when `out` is written.
    enum class Lenient : std::uint8_t { None, First, Others } lenient = Lenient::None;
    /// Older functions resize to row-major, though their results lie column by column: always, or an `out` with
    /// elements.
    enum class Rows : std::uint8_t { Never, WithElements, Always } rows = Rows::Never;
    /// How a dtype that the rule does not allow is told: most in the rule's own words; what takes an input of any dtype
    /// and an out of that one names both.
    enum class Words : std::uint8_t {
        OfRule,
        Requires,
        OutOfInput,
        InputAndOut,
        ExpectedTensor,
        NotYet
    } words = Words::OfRule;
    /// Element by element without a dtype of its own to compute in: `out` has the result's dtype, where that is the
    /// input's, or always.
    enum class Exact : std::uint8_t { No, InInputDType, Always } exact = Exact::No;
    bool ownDType = false;       ///< has a dtype argument, for which that of `out` does not stand in
    bool countsOnly = false;     ///< looks at how many elements `out` has: its shape is kept where the number is right
    bool resizesQuietly = false; ///< without the warning
};

struct Operation {
    std::string_view name;      ///< what follows "torch.": "linalg.solve", "add"
    std::string_view signature; ///< Python's: "(input, other, *, alpha=1)"
    std::string_view doc;       ///< one sentence
    std::string_view shapes;    ///< "{m, k} {k, n} -> {m, n}"
    DTypeSet dtypes;            ///< of the tensors that it takes (creation: that it makes)
    OpGives gives = OpGives::New;
    std::string_view errors = {}; ///< ids of its own refusals
    SampleInputs inputs = SampleInputs::None;
    /// The operation on inputs as `inputs` says; null where there is no sample.
    std::vector<Tensor> (*sample)(std::span<const Tensor> inputs) = nullptr;
    OpFamily family = OpFamily::Pointwise;
    OutRule out = OutRule::None; ///< these two are filled in by operations(), from operation_table_outputs.cpp
    OutHabits outHabits = {};
};

/// All operations, family by family.
const std::vector<Operation>& operations();
/// Null when there is none of that name.
const Operation* findOperation(std::string_view name);
/// "PyTorch", whose documentation defines the operation, and what computes it where that has a source of its own:
/// "PyTorch; LAPACK getrf, getrs".
std::string sourceText(std::string_view name);
/// The names that have one (operation_sources.cpp).
std::vector<std::string_view> namesWithSources();
/// The page docs/operations.md.
std::string operationsPage();

namespace operation_table {
// One file each.
std::span<const Operation> creation();
std::span<const Operation> random();
std::span<const Operation> copies();
std::span<const Operation> handles();
std::span<const Operation> joining();
std::span<const Operation> indexing();
std::span<const Operation> pointwise();
std::span<const Operation> mathematics();
std::span<const Operation> specialFunctions();
std::span<const Operation> reductions();
std::span<const Operation> sorting();
std::span<const Operation> products();
std::span<const Operation> linearAlgebra();
std::span<const Operation> fourier();
std::span<const Operation> complexNumbers();
std::span<const Operation> furtherForms();
std::span<const Operation> outside();
std::span<const Operation> settings();
std::span<const Operation> devices();
/// Fills in `out` and `outHabits` of each.
void addOutputs(std::vector<Operation>& operations);
} // namespace operation_table

} // namespace stridescope
