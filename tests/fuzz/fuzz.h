// What the fuzz targets share: input as text, and errors as the only way to refuse it. Each target
// is one function, fuzz(), that may throw Error and nothing else; libFuzzer or replay.cpp calls it.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/error.h"

namespace lanewise {

// The target. Bytes lie on the heap at exactly their size, so that the address sanitizer sees any
// read beyond them.
void fuzz(std::string_view bytes);

// A message that the user would see must say something. Wrap what may refuse its input in this.
template <typename Function>
void refusing(Function&& function) {
    try {
        function();
    } catch (const Error& error) {
        if (std::string_view(error.what()).empty()) __builtin_trap();
    }
}

// The next value of the input, zeros behind its end; for targets that take more than a text.
class Bytes {
  public:
    explicit Bytes(std::string_view bytes) : bytes_(bytes) {}
    uint8_t byte() {
        if (bytes_.empty()) return 0;
        auto value = static_cast<uint8_t>(bytes_[0]);
        bytes_.remove_prefix(1);
        return value;
    }
    std::string_view rest() const { return bytes_; }

  private:
    std::string_view bytes_;
};

}  // namespace lanewise
