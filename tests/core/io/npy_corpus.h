#pragma once
// .npy files made in code, good and hostile: for the tests, and as seeds of the fuzzers.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace corpus {

using namespace std::string_literals;

inline std::string littleEndian(std::uint64_t value, int bytes) {
    std::string out;
    for (int i = 0; i < bytes; ++i) out += static_cast<char>(i < 8 ? value >> (8 * i) & 0xFF : 0);
    return out;
}

/// An .npy file with this dictionary text, padded as NumPy does, and this data.
inline std::string npy(const std::string& dict, const std::string& data, int major = 1, std::size_t alignment = 64) {
    const std::size_t fixed = major == 1 ? 10 : 12;
    const std::size_t total = (fixed + dict.size() + 1 + alignment - 1) / alignment * alignment;
    const std::string padded = dict + std::string(total - fixed - dict.size() - 1, ' ') + "\n";
    return "\x93NUMPY"s + static_cast<char>(major) + '\0' + littleEndian(padded.size(), major == 1 ? 2 : 4) + padded +
           data;
}

inline std::string dict(const std::string& descr, const std::string& shape, bool fortran = false) {
    return "{'descr': '" + descr + "', 'fortran_order': " + (fortran ? "True" : "False") + ", 'shape': " + shape +
           ", }";
}

/// The header of `dict` with `headerBytes` as its length, in version 2.
inline std::string npyWithHeaderOf(std::size_t headerBytes) {
    std::string text = dict("<f4", "(1,)");
    text.append(headerBytes - text.size() - 1, ' ');
    return "\x93NUMPY\x02\0"s + littleEndian(headerBytes, 4) + text + "\n" + std::string(4, '\0');
}

struct Case {
    std::string name;
    std::string bytes;
    std::string id;       ///< of the refusal; empty when it opens
    std::string mentions; ///< part of message, hint or notes
};

inline std::string repeated(std::string_view text, std::size_t times) {
    std::string out;
    for (std::size_t i = 0; i < times; ++i) out += text;
    return out;
}

inline std::vector<Case> npyCases() {
    const std::string four(16, '\1');
    const auto header = [](const std::string& text) { return npy(text, std::string(16, '\0')); };
    const auto shape = [&](const std::string& text) {
        return header("{'descr': '<f4', 'fortran_order': False, 'shape': " + text + "}");
    };
    const auto descr = [&](const std::string& text) {
        return header("{'descr': " + text + ", 'fortran_order': False, 'shape': (4,)}");
    };
    std::vector<Case> cases{
        // what a beginning can be
        {"empty", "", "NPY-01", "empty"},
        {"5 bytes", "\x93NUMP", "NPY-01", "5 bytes"},
        {"other magic", "\x89PNG\r\n\x1a\n----", "NPY-01", "89 50 4e 47"},
        {"magic only", "\x93NUMPY", "NPY-04", "has 6 B"},
        {"no length", "\x93NUMPY\x01\0"s, "NPY-04", "has 8 B"},
        {"version 1.1", "\x93NUMPY\x01\x01\x10\0----------------"s, "NPY-02", "version is 1.1; known 1.0, 2.0, 3.0"},
        {"version 9.0", "\x93NUMPY\x09\0\x10\0----------------"s, "NPY-02", "version is 9.0; known 1.0, 2.0, 3.0"},
        {"version 0.0", "\x93NUMPY\0\0\x10\0----------------"s, "NPY-02", "version is 0.0"},
        {"header of 4 GB in 12 bytes", "\x93NUMPY\x02\0\xff\xff\xff\xff"s, "NPY-03",
         "4294967295 bytes long, limit 10000"},
        {"header ends after the file", "\x93NUMPY\x01\0\x76\0{'descr'"s, "NPY-04",
         "needs 128 B, but the file has 18 B"},
        {"header of 300", npyWithHeaderOf(300), "", ""},
        {"header of 9 999", npyWithHeaderOf(9999), "", ""},
        {"header of 10 000", npyWithHeaderOf(10000), "", ""},
        {"header of 10 001", npyWithHeaderOf(10001), "NPY-03", "10001 bytes long, limit 10000"},
        {"empty header", "\x93NUMPY\x01\0\0\0"s, "NPY-05", "byte 10"},
        // versions
        {"version 1", npy(dict("<f4", "(4,)"), four, 1), "", ""},
        {"version 2", npy(dict("<f4", "(4,)"), four, 2), "", ""},
        {"version 3", npy(dict("<f4", "(4,)"), four, 3), "", ""},
        // keys
        {"no descr", header("{'fortran_order': False, 'shape': (4,)}"), "NPY-06", "'descr'"},
        {"no fortran_order", header("{'descr': '<f4', 'shape': (4,)}"), "NPY-06", "'fortran_order'"},
        {"no shape", header("{'descr': '<f4', 'fortran_order': False}"), "NPY-06", "'shape'"},
        {"no keys", header("{}"), "NPY-06", "'descr'"},
        {"another key", header("{'descr': '<f4', 'fortran_order': False, 'shape': (4,), 'extra': 1}"), "NPY-08",
         "'extra'"},
        {"shape twice", header("{'shape': (4,), 'descr': '<f4', 'fortran_order': False, 'shape': (1,)}"), "NPY-09",
         "'shape'"},
        {"any order of keys", header("{'shape':(4,),'fortran_order':False,'descr':'<f4'}"), "", ""},
        {"double quotes and spaces",
         header("{ \"descr\" : \"<f4\" , \"fortran_order\" :\tFalse , \"shape\" : ( 4 , ) , }"), "", ""},
        {"unicode prefixes", header("{u'descr': u'<f4', u'fortran_order': False, u'shape': (4,)}"), "", ""},
        // values of the wrong type
        {"fortran_order 1", header("{'descr': '<f4', 'fortran_order': 1, 'shape': (4,)}"), "NPY-10", "fortran_order"},
        {"fortran_order text", header("{'descr': '<f4', 'fortran_order': 'False', 'shape': (4,)}"), "NPY-10",
         "fortran_order"},
        {"shape a number", shape("4"), "NPY-10", "shape"},
        {"shape (4)", shape("(4)"), "NPY-10", "(3,), not (3)"},
        {"shape a list", shape("[4]"), "NPY-10", "shape"},
        {"shape with text", shape("('4',)"), "NPY-10", "shape"},
        {"shape with a float", shape("(4.0,)"), "NPY-10", "shape"},
        {"shape with None", shape("(None,)"), "NPY-10", "shape"},
        {"shape with a hole", shape("(2,,2)"), "NPY-10", "shape"},
        {"descr a number", descr("4"), "NPY-10", "descr"},
        {"descr None", descr("None"), "NPY-10", "descr"},
        // text that is no dict
        {"not a dict", header("[1, 2]"), "NPY-05", "expected '{'"},
        {"unterminated dict", "\x93NUMPY\x01\0\x0f\0{'descr': '<f4'"s, "NPY-05", "the header ends"},
        {"unterminated string", header("{'descr"), "NPY-05", "closing quote"},
        {"two dicts", header(dict("<f4", "(4,)") + dict("<f4", "(4,)")), "NPY-05", "end of the header"},
        {"code after the dict", header(dict("<f4", "(4,)") + ";import os"), "NPY-05", "end of the header"},
        {"code as value",
         header("{'descr': __import__('os').system('touch canary'), 'fortran_order': False, 'shape': (4,)}"), "NPY-10",
         "descr"},
        {"code as size", shape("(__import__('os').abort(),)"), "NPY-10", "shape"},
        {"escapes", descr("'\\x3cf4'"), "NPY-05", "without escapes"},
        {"nested brackets", npy("{'shape': " + repeated("(", 9000), ""), "NPY-10", "shape"},
        {"nested lists", npy("{'descr': " + repeated("[", 9000), ""), "NPY-15", "structured"},
        {"10^5 brackets", npy(repeated("{", 100000), "", 2), "NPY-03", "limit 10000"},
        {"bytes that are no text", header("{'\xff\xfe\x1b[31m': 1}"), "NPY-08", "\\x1b[31m"},
        // sizes
        {"Python 2", shape("(2L, 2L)"), "", "Python-2 file"},
        {"negative", shape("(-4,)"), "NPY-11", "is -4; sizes are 0 or more"},
        {"second negative", shape("(4, -1)"), "NPY-11", "Size 1"},
        {"beyond 64 bits", shape("(99999999999999999999,)"), "NPY-11", "too large for 64 bits"},
        {"2^63", shape("(9223372036854775808,)"), "NPY-11", "too large for 64 bits"},
        {"2^40 x 2^40", shape("(1099511627776, 1099511627776)"), "NPY-12",
         "1099511627776 x 1099511627776 elements of 4 bytes each"},
        {"2^62 x 4 bytes", shape("(4611686018427387904,)"), "NPY-12", "2^63-1 bytes"},
        {"0 x 2^62 x 2^62", shape("(0, 4611686018427387904, 4611686018427387904)"), "NPY-12", "2^63-1 bytes"},
        {"64 dims", npy(dict("<f4", "(" + repeated("1, ", 64) + ")"), four.substr(0, 4)), "", ""},
        {"65 dims", shape("(" + repeated("1, ", 65) + ")"), "NPY-13", "65 dims or more; the limit is 64"},
        {"no dims", npy(dict("<f4", "()"), four.substr(0, 4)), "", ""},
        {"no elements", npy(dict("<f4", "(0,)"), ""), "", ""},
        {"no elements, more dims", npy(dict("<f4", "(2, 0, 4)"), ""), "", ""},
        {"header without data", npy(dict("<f4", "(100,)"), ""), "NPY-07", "needs 400 B, has 0 B"},
        {"data one element short", npy(dict("<f4", "(100,)"), std::string(396, '\1')), "NPY-07",
         "needs 400 B, has 396 B"},
        {"data one byte short", npy(dict("<f4", "(100,)"), std::string(399, '\1')), "NPY-07", "needs 400 B, has 399 B"},
        {"4 bytes too many", npy(dict("<f4", "(4,)"), four + "abcd"), "", "4 extra bytes"},
        {"a terabyte promised", npy(dict("<f8", "(137438953472,)"), four), "NPY-07", "1.10 TB"},
        // dtypes that are told by name
        {"objects", descr("'|O'"), "NPY-14", "holds Python objects (pickle); not opened"},
        {"structured", descr("[('x', '<f4'), ('y', '<i4')]"), "NPY-15", "structured"},
        {"sub-array", descr("('<f4', (2,))"), "NPY-15", "structured"},
        {"unicode", descr("'<U5'"), "NPY-16", "text"},
        {"bytes", descr("'|S5'"), "NPY-16", "text"},
        {"datetime", descr("'<M8[ns]'"), "NPY-16", "dates"},
        {"timedelta", descr("'<m8[us]'"), "NPY-16", "dates"},
        {"void", descr("'|V12'"), "NPY-16", "raw bytes"},
        {"complex of long doubles", descr("'<c32'"), "NPY-17", "complex256"},
        {"long double", descr("'<f16'"), "NPY-17", "float128"},
        {"no such dtype", descr("'<q3'"), "NPY-18", "'<q3'"},
        {"float of 3 bytes", descr("'<f3'"), "NPY-18", "'<f3'"},
        {"empty descr", descr("''"), "NPY-18", "''"},
        {"only an order", descr("'<'"), "NPY-18", "'<'"},
        {"digits without end", descr("'<f44444444444444444444444'"), "NPY-18", "not understood"},
        // conversions
        {"uint16", npy(dict("<u2", "(2,)"), "\xff\xff\x01\x00"s), "", "int32"},
        {"uint32", npy(dict("<u4", "(2,)"), "\xff\xff\xff\xff\x01\0\0\0"s), "", "int64"},
        {"uint64", npy(dict("<u8", "(1,)"), "\xff\xff\xff\xff\xff\xff\xff\x7f"s), "", "int64"},
        {"uint64 too large", npy(dict("<u8", "(2,)"), std::string(8, '\0') + std::string(8, '\xff')), "NPY-19",
         "18446744073709551615 at flat index 1"},
        {"big-endian float32", npy(dict(">f4", "(2,)"), "\x3f\x80\0\0\xc0\0\0\0"s), "", "Big-endian"},
        {"big-endian int8", npy(dict(">i1", "(2,)"), "ab"), "", ""},
        {"odd bools", npy(dict("|b1", "(4,)"), "\0\1\2\xff"s), "", "2 bool bytes"},
        {"not aligned", npy(dict("<f8", "(2,)"), std::string(16, '\1'), 1, 1), "", "not aligned"},
        {"Fortran order", npy(dict("<f4", "(2, 2)", true), four), "", ""},
    };
    for (const char* type : {"|b1", "?", "|u1", "|i1", "<i2", "<i4", "<i8", "<f2", "<f4", "<f8", "=f4", "f4", "i8"}) {
        cases.push_back({"dtype "s + type, npy(dict(type, "(2,)"), std::string(16, '\1')), "", ""});
    }
    return cases;
}

} // namespace corpus
