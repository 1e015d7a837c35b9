// Linear algebra carried out once more: of several results the line language has no name for any.

#include "core/ops/again_rules.h"
#include "core/ops/linalg.h"

#include <cstdlib>
#include <unordered_map>

namespace stridescope::again {

namespace {

Results pair(ResultAndInfo found) {
    return {std::move(found.result), std::move(found.info)};
}

Results leastSquares(const Asked& asked) {
    const std::string limit = asked.word("rcond"), driver = asked.word("driver");
    std::optional<double> rcond;
    if (!limit.empty() && limit != "None") rcond = std::strtod(limit.c_str(), nullptr);
    LeastSquares found = lstsq(asked.x(), asked.inputs[1], rcond,
                               driver.empty() ? std::nullopt : std::optional<std::string_view>(driver));
    return {std::move(found.solution), std::move(found.residuals), std::move(found.rank),
            std::move(found.singularValues)};
}

Results factors(const Asked& asked) {
    const std::string mode = asked.word("mode");
    Qr found = qr(asked.x(), mode.empty() ? "reduced" : mode);
    return {std::move(found.q), std::move(found.r)};
}

std::string triangleOf(const Asked& asked) {
    const std::string word = asked.word("UPLO");
    return word.empty() ? "L" : word;
}

Results parts(LuParts found) {
    return {std::move(found.p), std::move(found.l), std::move(found.u)};
}

} // namespace

Rule algebraRule(std::string_view name) {
    static const std::unordered_map<std::string_view, Rule> kRules = {
        {"linalg.solve", {[](const Asked& a) { return Results{solve(a.x(), a.inputs[1], a.flag("left"))}; }, 2}},
        {"linalg.solve_ex", {[](const Asked& a) { return pair(solveEx(a.x(), a.inputs[1], a.flag("left"))); }, 2}},
        {"linalg.solve_triangular",
         {[](const Asked& a) {
              return Results{
                  solveTriangular(a.x(), a.inputs[1], a.flag("upper"), a.flag("left"), a.flag("unitriangular"))};
          },
          2}},
        {"triangular_solve",
         {[](const Asked& a) {
              TriangularSolution found =
                  triangularSolve(a.x(), a.inputs[1], a.flag("upper"), a.flag("transpose"), a.flag("unitriangular"));
              return Results{std::move(found.solution), std::move(found.coefficient)};
          },
          2}},
        {"linalg.inv", {[](const Asked& a) { return Results{inv(a.x())}; }}},
        {"linalg.inv_ex", {[](const Asked& a) { return pair(invEx(a.x())); }}},
        {"linalg.lstsq", {leastSquares, 2}},
        {"linalg.qr", {factors}},
        {"linalg.cholesky", {[](const Asked& a) { return Results{cholesky(a.x(), a.flag("upper"))}; }}},
        {"linalg.cholesky_ex", {[](const Asked& a) { return pair(choleskyEx(a.x(), a.flag("upper"))); }}},
        {"linalg.svd", {[](const Asked& a) {
             Svd found = svd(a.x(), a.flag("full_matrices"));
             return Results{std::move(found.u), std::move(found.s), std::move(found.vh)};
         }}},
        {"linalg.svdvals", {[](const Asked& a) { return Results{svdvals(a.x())}; }}},
        {"linalg.lu_factor", {[](const Asked& a) {
             LuFactor found = luFactor(a.x());
             return Results{std::move(found.lu), std::move(found.pivots)};
         }}},
        {"linalg.lu_factor_ex", {[](const Asked& a) {
             LuFactorInfo found = luFactorEx(a.x());
             return Results{std::move(found.lu), std::move(found.pivots), std::move(found.info)};
         }}},
        {"linalg.lu", {[](const Asked& a) { return parts(lu(a.x())); }}},
        {"lu_unpack",
         {[](const Asked& a) {
              return parts(luUnpack(a.x(), a.inputs[1], a.flag("unpack_data"), a.flag("unpack_pivots")));
          },
          2}},
        {"geqrf", {[](const Asked& a) {
             Reflectors found = geqrf(a.x());
             return Results{std::move(found.a), std::move(found.tau)};
         }}},
        {"linalg.ldl_factor", {[](const Asked& a) {
             LdlFactor found = ldlFactor(a.x(), a.flag("hermitian"));
             return Results{std::move(found.ld), std::move(found.pivots)};
         }}},
        {"linalg.ldl_factor_ex", {[](const Asked& a) {
             LdlFactorInfo found = ldlFactorEx(a.x(), a.flag("hermitian"));
             return Results{std::move(found.ld), std::move(found.pivots), std::move(found.info)};
         }}},
        {"linalg.eig", {[](const Asked& a) {
             Eigen found = eig(a.x());
             return Results{std::move(found.values), std::move(found.vectors)};
         }}},
        {"linalg.eigvals", {[](const Asked& a) { return Results{eigvals(a.x())}; }}},
        {"linalg.eigh", {[](const Asked& a) {
             Eigen found = eigh(a.x(), triangleOf(a));
             return Results{std::move(found.values), std::move(found.vectors)};
         }}},
        {"linalg.eigvalsh", {[](const Asked& a) { return Results{eigvalsh(a.x(), triangleOf(a))}; }}},
        {"linalg.det", {[](const Asked& a) { return Results{det(a.x())}; }}},
        {"linalg.slogdet", {[](const Asked& a) {
             SignLogDet found = slogdet(a.x());
             return Results{std::move(found.sign), std::move(found.logabsdet)};
         }}},
    };
    const auto it = kRules.find(name);
    return it == kRules.end() ? Rule{} : it->second;
}

} // namespace stridescope::again
