// What a kernel's text says of it before a compiler has read it.
#pragma once
#include <string_view>

namespace lanewise {

// Whether the text can only mean a function by the kernel of this name expression, such as
// "ns::scale<float, 4>": wherever the name has a bracket behind it, the first word in there is one of
// C++'s own, as in "scale(const T* in". In "scale(half* q" that is a name, and where nobody declares it
// the compiler takes the whole for a variable. False where the name has no bracket anywhere.
bool is_surely_function(std::string_view text, std::string_view kernel);

}  // namespace lanewise
