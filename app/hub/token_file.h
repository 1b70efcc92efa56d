// Who may come in. A token file has a line for each, and may be read by its owner alone:
//   # name   token                              what for
//   ada      6Zk0v2…                            one student
//   guests   Qw81bN…                            class: everybody, each with a folder that is not kept
//   board    99xcVt…                            teacher: the board, and an engine
// `lanewise-engine tokens ada bert` makes such lines.
#pragma once
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace lanewise {

// Letters, digits, "-", "_", "." and "~", so that an address, a header and a line can hold it.
inline constexpr size_t kShortestToken = 16, kLongestToken = 128;

enum class HolderKind { student, everybody, teacher };

struct TokenHolder {
    std::string name;  // up to 32 letters, digits, "-" and "_"; a folder is called so
    HolderKind kind = HolderKind::student;
};

class TokenFile {
  public:
    // Nobody is in it.
    TokenFile() = default;
    // Throws Error(bad_input): "FILE:LINE: …" for the first line that cannot be used, and where
    // others than its owner may read the file.
    explicit TokenFile(const std::filesystem::path& file);
    // The lines, of a file of this name.
    static TokenFile parse(std::string_view text, const std::string& name);

    // Whose token it is; null where it is nobody's. Takes as long for any token of any length,
    // whether it is nearly right or not.
    const TokenHolder* holder_of(std::string_view token) const;
    bool is_empty() const { return lines_.empty(); }

  private:
    struct Line {
        TokenHolder holder;
        std::string token;
    };
    std::vector<Line> lines_;
};

// 32 characters of 6 random bits each. Throws Error(bad_input) where the system has no randomness.
std::string new_token();
// Whether a student can be called so.
bool is_student_name(std::string_view name);

}  // namespace lanewise
