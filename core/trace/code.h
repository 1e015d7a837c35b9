#pragma once
// Arguments and records as lines of PyTorch code.

#include "core/trace/op_record.h"

#include <span>
#include <string>
#include <string_view>

namespace stridescope::code {

/// With its comma: ", -9223372036854775808".
inline constexpr std::size_t kLongestNumber = 22;
/// "2, 3" at `to`, where each has room for kLongestNumber characters. Returns the end.
char* write(std::span<const Index> values, char* to);
/// "2, 3": numbers as separate arguments; "()" for none, which is how an empty shape is passed.
std::string arguments(std::span<const Index> values);
/// "(2, 3)", "(2,)", "()".
std::string tuple(std::span<const Index> values);
/// The text between the brackets of x[…] that slices `dim`: ":, 1:5:2". Absent bounds and a step of 1 are left out.
std::string sliceText(Index dim, std::optional<Index> start, std::optional<Index> end, Index step);
/// "torch.int64".
std::string dtypeText(DType dtype);

/// `expression` as it stands before a dot or beside an operator: "A", "A.t()", "(A * 2)".
std::string operand(const std::string& expression);

/// The record as an expression: "x.narrow(1, 1, 2)", "x[:, 1:5:2]", "x + y", "torch.zeros(2, 3)", "x[0, 1] = 5".
/// Where the arguments have "{1}", "{2}", …, the names of those inputs stand there: "x.gather(0, x2)". Joining
/// functions take a list: "torch.cat((x, x2), 1)".
/// `inputNames` has a name, or an expression, for each input of the record; those without one are "x", "x2", …
std::string expression(const OpRecord& record, std::span<const std::string> inputNames);

/// Was the operation given what it wrote to as out=…?
bool writesIntoOut(const OpRecord& record);
/// Such a record: "torch.add(x, y, out=z)". `outNames` holds a name for each output.
std::string outExpression(const OpRecord& record, std::span<const std::string> inputNames,
                          std::span<const std::string> outNames);

} // namespace stridescope::code
