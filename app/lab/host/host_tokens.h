// The host code of a CUDA program as tokens: comments gone, directives followed, macros put in. A scan
// of C++ for the launches that a program makes (launch_proposals.h), no compiler: what it misreads costs
// a blank in a proposal.
#pragma once
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lanewise {

struct HostToken {
    enum class Kind : uint8_t { name, number, text, sign, end } kind = Kind::end;
    std::string text;    // of a string literal without its quotes
    int line = 0;        // of the main file, 1-based; 0 in a header
    bool glued = false;  // nothing stands between it and the token before
};

// What #include "name" brings; nothing where there is no such file. `from`: the including file.
struct HostHeader {
    std::filesystem::path file;
    std::string text;
};
using FindHeader = std::function<std::optional<HostHeader>(const std::string& name,
                                                           const std::filesystem::path& from)>;

// Every token of the file and of the local headers that it includes, once each. #if is decided by
// the macros that are known; unknown names are 0, as in C. ">" is always a token of its own, "<<<"
// one. Ends with a token of Kind::end.
std::vector<HostToken> host_tokens(std::string_view source, const std::filesystem::path& file,
                                   const FindHeader& find);

// Of a text without directives; for tests and for macros' bodies.
std::vector<HostToken> lexed(std::string_view text, int line);

}  // namespace lanewise
