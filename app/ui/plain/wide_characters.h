// Characters beyond 16 bits in a text box: Dear ImGui counts in 16, and would put U+FFFD in the
// place of each as soon as anything is typed. In the box they are stood in for by characters of the
// private use area, and are themselves again in the text that is kept.
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace lanewise::ui {

class WideCharacters {
  public:
    // The text for the box. A character that stands in for another does so until the end.
    std::string boxed(std::string_view text);
    std::string unboxed(std::string_view boxed) const;
    // A place in bytes of the one as a place of the other.
    size_t boxed_place(std::string_view text, size_t byte);
    size_t unboxed_place(std::string_view boxed, size_t byte) const;

  private:
    std::vector<std::string> held_;  // in UTF-8; number i is stood in for by the i-th
};

}  // namespace lanewise::ui
