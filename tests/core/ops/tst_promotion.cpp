#include "core/ops/promotion.h"
#include "tests/support/view_zoo.h"

#include <QTest>
#include <array>
#include <string>

using namespace stridescope;
using namespace stridescope::test;

namespace {

// One letter a dtype, in the order of kRealDTypes: B uint8, C int8, S int16, I int32, J int64, h f d floats, b bool.
constexpr std::string_view kLetters = "BCSIJhfdb";

char letter(DType t) {
    return kLetters[static_cast<std::size_t>(t)];
}

Tensor tensor(DType dtype, bool dims) {
    return Tensor(zooStorage(dtype, 1), contiguousView(dims ? Dims{1} : Dims{}).valueOrThrow(), dtype);
}

using Table = std::array<std::string_view, 9>;
// PyTorch 1.13's torch.result_type, row: first operand, column: second.
constexpr Table kAlike{"BSSIJhfdB", "SCSIJhfdC", "SSSIJhfdS", "IIIIJhfdI", "JJJJJhfdJ",
                       "hhhhhhfdh", "fffffffdf", "ddddddddd", "BCSIJhfdb"};
constexpr Table kZeroDim{"BBBBBhfdB", "CCCCChfdC", "SSSSShfdS", "IIIIIhfdI", "JJJJJhfdJ",
                         "hhhhhhhhh", "fffffffff", "ddddddddd", "BCSIJhfdb"};
constexpr Table kNumber{"BBf", "CCf", "SSf", "IIf", "JJf", "hhh", "fff", "ddd", "bJf"}; // bool, int, float
constexpr Table kCast{"111111110", "111111110", "111111110", "111111110", "111111110",
                      "000001110", "000001110", "000001110", "111111111"};

} // namespace

class TestPromotion : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void asPyTorch() {
        for (const DType a : kRealDTypes) {
            std::string alike, scalars, mixed, turned, cast, number, zeroNumber;
            for (const DType b : kRealDTypes) {
                alike += letter(resultType(tensor(a, true), tensor(b, true)));
                scalars += letter(resultType(tensor(a, false), tensor(b, false)));
                mixed += letter(resultType(tensor(a, true), tensor(b, false)));
                turned += letter(resultType(tensor(b, false), tensor(a, true)));
                cast += canCast(a, b) ? '1' : '0';
            }
            for (const Scalar s : {Scalar(true), Scalar(1), Scalar(1.0)}) {
                number += letter(resultType(tensor(a, true), s));
                zeroNumber += letter(resultType(tensor(a, false), s));
            }
            const auto row = static_cast<std::size_t>(a);
            QCOMPARE(alike, std::string(kAlike[row]));
            QCOMPARE(scalars, std::string(kAlike[row]));
            QCOMPARE(mixed, std::string(kZeroDim[row]));
            QCOMPARE(turned, std::string(kZeroDim[row]));
            QCOMPARE(number, std::string(kNumber[row]));
            QCOMPARE(zeroNumber, std::string(kNumber[row]));
            QCOMPARE(cast, std::string(kCast[row]));
        }
    }

    void threeKindsAtOnce() {
        const std::array operands{PromotionOperand{DType::Int8, OperandKind::Tensor},
                                  PromotionOperand{DType::Float16, OperandKind::ZeroDim},
                                  PromotionOperand{DType::Float32, OperandKind::Number}};
        QCOMPARE(resultType(operands), DType::Float16);
    }
};

QTEST_GUILESS_MAIN(TestPromotion)
#include "tst_promotion.moc"
