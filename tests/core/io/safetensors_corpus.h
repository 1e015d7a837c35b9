#pragma once
// .safetensors files made in code, good and hostile: for the tests, and as seeds of the fuzzer.

#include <string>
#include <vector>

namespace corpus {

inline std::string safetensorsFile(const std::string& json, const std::string& data) {
    std::string bytes;
    for (std::size_t i = 0; i < 8; ++i) bytes += static_cast<char>((json.size() >> (8 * i)) & 0xFF);
    return bytes + json + data;
}

inline std::string safetensorsEntry(const char* dtype, const char* shape, const char* offsets) {
    return std::string("{\"dtype\":\"") + dtype + "\",\"shape\":" + shape + ",\"data_offsets\":" + offsets + "}";
}

inline const std::string kData(16, '\x01');

struct SafetensorsCase {
    std::string name, bytes;
    std::string id; ///< of the refusal; empty: the file is good
};

inline std::vector<SafetensorsCase> safetensorsCases() {
    std::vector<SafetensorsCase> cases;
    const auto row = [&cases](const char* name, std::string bytes, const char* id) {
        cases.push_back({name, std::move(bytes), id});
    };
    const auto one = [](const std::string& described) { return safetensorsFile("{\"a\":" + described + "}", kData); };
    row("empty", "", "ST-01");
    row("seven bytes", "1234567", "ST-01");
    row("endless header", std::string(8, '\xff') + "{}", "ST-02");
    row("header cut", safetensorsFile("{}", "").substr(0, 9), "ST-03");
    row("not json", safetensorsFile("[1]", ""), "ST-04");
    row("no end", safetensorsFile("{\"a\":", ""), "ST-04");
    row("something behind", safetensorsFile("{} x", ""), "ST-04");
    row("unknown key", one("{\"dtype\":\"F32\",\"shape\":[4],\"data_offsets\":[0,16],\"x\":1}"), "ST-04");
    row("unknown key, long names",
        safetensorsFile("{\"" + std::string(90, 'M') + "\":{\"" + std::string(90, 'x') + "\":1}}", kData), "ST-04");
    row("many sizes",
        one(safetensorsEntry("F32",
                             ("[" +
                              [] {
                                  std::string s;
                                  for (int i = 0; i < 40; ++i) s += "1,";
                                  return s;
                              }() +
                              "3]")
                                 .c_str(),
                             "[0,16]")),
        "ST-09");
    row("key twice", one("{\"dtype\":\"F32\",\"dtype\":\"F32\",\"shape\":[4],\"data_offsets\":[0,16]}"), "ST-04");
    row("key missing", one("{\"dtype\":\"F32\",\"shape\":[4]}"), "ST-04");
    row("negative size", one(safetensorsEntry("F32", "[-4]", "[0,16]")), "ST-04");
    row("fraction", one(safetensorsEntry("F32", "[4.0]", "[0,16]")), "ST-04");
    row("leading zero", one(safetensorsEntry("F32", "[04]", "[0,16]")), "ST-04");
    row("above 64 bits", one(safetensorsEntry("F32", "[99999999999999999999]", "[0,16]")), "ST-04");
    row("65 dims",
        one(safetensorsEntry("F32",
                             ("[" + std::string("1,") +
                              [] {
                                  std::string s;
                                  for (int i = 0; i < 63; ++i) s += "1,";
                                  return s;
                              }() +
                              "4]")
                                 .c_str(),
                             "[0,16]")),
        "ST-04");
    row("three offsets", one(safetensorsEntry("F32", "[4]", "[0,16,16]")), "ST-04");
    row("bad escape", safetensorsFile("{\"\\q\":1}", ""), "ST-04");
    row("lone surrogate", safetensorsFile("{\"\\ud800\":1}", ""), "ST-04");
    row("not utf-8", safetensorsFile("{\"\xff\":1}", ""), "ST-04");
    row("name twice",
        safetensorsFile("{\"a\":" + safetensorsEntry("F32", "[4]", "[0,16]") +
                            ",\"a\":" + safetensorsEntry("F32", "[4]", "[0,16]") + "}",
                        kData),
        "ST-06");
    row("unknown dtype", one(safetensorsEntry("F31", "[4]", "[0,16]")), "ST-07");
    row("sizes overflow", one(safetensorsEntry("F64", "[4611686018427387904,4]", "[0,16]")), "ST-08");
    row("sizes and offsets", one(safetensorsEntry("F32", "[3]", "[0,16]")), "ST-09");
    row("offsets backwards", one(safetensorsEntry("F32", "[4]", "[16,0]")), "ST-09");
    row("hole", one(safetensorsEntry("F32", "[2]", "[8,16]")), "ST-10");
    row("shared bytes",
        safetensorsFile("{\"a\":" + safetensorsEntry("F32", "[2]", "[0,8]") +
                            ",\"b\":" + safetensorsEntry("F32", "[3]", "[4,16]") + "}",
                        kData),
        "ST-10");
    row("data cut", safetensorsFile("{\"a\":" + safetensorsEntry("F32", "[8]", "[0,32]") + "}", kData), "ST-11");
    row("bytes of nobody", one(safetensorsEntry("F32", "[3]", "[0,12]")), "ST-12");
    row("no tensors", safetensorsFile("{}", ""), "");
    row("two tensors and texts",
        safetensorsFile("{\"b\\u00e9\":" + safetensorsEntry("I32", "[2]", "[8,16]") +
                            " , \"__metadata__\":{\"k\":\"v\"}, \"a\":" + safetensorsEntry("F32", "[2,1]", "[0,8]") +
                            "}   ",
                        kData),
        "");
    row("one that does not exist here",
        safetensorsFile("{\"a\":" + safetensorsEntry("BF16", "[4]", "[0,8]") +
                            ",\"b\":" + safetensorsEntry("BOOL", "[8]", "[8,16]") + "}",
                        kData),
        "");
    return cases;
}

} // namespace corpus
