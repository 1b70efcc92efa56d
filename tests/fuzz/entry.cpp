// libFuzzer's way in. It hands over a copy of exactly the input's size.
#include "fuzz.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    lanewise::refusing([&] { lanewise::fuzz({reinterpret_cast<const char*>(data), size}); });
    return 0;
}
