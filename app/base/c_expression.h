// C expressions of whole numbers, as far as index computations need them. Private to lab/.
//   ternary = binary [ "?" ternary ":" ternary ]
//   binary  = unary { operator unary }, by C's precedence:
//             || && | ^ & == != < > <= >= << >> + - * / %
//   unary   = [ "-" | "+" | "~" | "!" ] unary | primary
//   primary = number | name | name "(" [ ternary { "," ternary } ] ")" | "(" ternary ")"
//           | "(" type ")" unary
#pragma once
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lanewise {

struct CToken {
    enum class Kind : uint8_t { number, name, sign, end } kind = Kind::end;
    std::string_view text;
    size_t at = 0;  // in the text that was read
};
// Comments are blanks. "threadIdx.x" and "Vector<T>::side" are one name each: dots and scopes
// belong to it.
std::vector<CToken> c_tokens(std::string_view text);

// What a call of a function of one expression stands for: a lambda, or a small __device__ function.
struct CFunction {
    std::vector<std::string> parameters;
    std::string body;
};
struct CNames {
    std::map<std::string, int64_t, std::less<>> values;
    std::map<std::string, CFunction, std::less<>> functions;
};

std::optional<int64_t> c_evaluate(std::string_view text, const CNames& names, int depth = 0);

}  // namespace lanewise
