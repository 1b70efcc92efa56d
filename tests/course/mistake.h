// One mistake made in a good text, and what is said of it.
#pragma once
#include <ostream>

namespace lanewise {

struct Mistake {
    const char *from, *to;  // the change to the good text
    const char* message;
};
inline void PrintTo(const Mistake& mistake, std::ostream* to) { *to << mistake.message; }

}  // namespace lanewise
