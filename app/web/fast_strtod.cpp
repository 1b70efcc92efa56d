// The linker puts this in the place of strtod() (--wrap), with which JSON's numbers are read: musl's takes
// long doubles, which wasm computes in software. What is short is read at once, all else as before.
#include "base/short_decimal.h"

extern "C" {

double __real_strtod(const char* text, char** end);

double __wrap_strtod(const char* text, char** end) {
    double value = 0;
    const char* behind = nullptr;
    if (!lanewise::short_decimal(text, value, behind)) return __real_strtod(text, end);
    if (end) *end = const_cast<char*>(behind);
    return value;
}

}  // extern "C"
