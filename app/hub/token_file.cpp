#include "hub/token_file.h"

#include <fmt/format.h>
#include <sys/random.h>
#include <sys/stat.h>

#include <array>
#include <cerrno>
#include <cstring>

#include "base/error.h"
#include "base/files.h"
#include "base/text.h"

namespace lanewise {

namespace {

constexpr size_t kLongestName = 32;
constexpr std::string_view kMarks =
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_";

bool is_of(std::string_view text, std::string_view more) {
    for (char c : text)
        if (kMarks.find(c) == kMarks.npos && more.find(c) == more.npos) return false;
    return true;
}

std::vector<std::string> words_of(std::string_view line) {
    std::vector<std::string> words;
    for (size_t at = 0; at < line.size();) {
        size_t end = std::min(line.find_first_of(" \t", at), line.size());
        if (end > at) words.emplace_back(line.substr(at, end - at));
        at = end + 1;
    }
    return words;
}

HolderKind kind_of(const std::string& word, const std::string& place) {
    if (word == "class") return HolderKind::everybody;
    if (word == "teacher") return HolderKind::teacher;
    throw Error(Status::bad_input,
                place + ": behind a token stands nothing, class or teacher, not \"" + word + "\"");
}

// Every byte of both is looked at, however early they differ.
bool same(std::string_view a, std::string_view b) {
    unsigned char difference = a.size() == b.size() ? 0 : 1;
    for (size_t i = 0; i < kLongestToken; ++i) {
        char one = i < a.size() ? a[i] : '\0', other = i < b.size() ? b[i] : '\0';
        difference = static_cast<unsigned char>(difference | (one ^ other));
    }
    return difference == 0;
}

}  // namespace

bool is_student_name(std::string_view name) {
    return !name.empty() && name.size() <= kLongestName && name[0] != '-' && is_of(name, "");
}

TokenFile::TokenFile(const std::filesystem::path& file) {
    std::string text = read_file(file);
    struct stat about = {};
    if (::stat(file.c_str(), &about) == 0 && (about.st_mode & (S_IRWXG | S_IRWXO)) != 0)
        throw Error(
            Status::bad_input,
            file.string() + " holds tokens and is open to others: chmod 600 " + file.string());
    *this = parse(text, file.string());
}

TokenFile TokenFile::parse(std::string_view text, const std::string& name) {
    TokenFile tokens;
    int number = 0;
    for (std::string_view line : lines_of(text)) {
        std::string place = fmt::format("{}:{}", name, ++number);
        auto fail = [&](const std::string& why) {
            throw Error(Status::bad_input, place + ": " + why);
        };
        std::vector<std::string> words = words_of(line);
        if (words.empty() || words[0][0] == '#') continue;
        if (words.size() < 2 || words.size() > 3)
            fail("a line has a name and a token, and class or teacher where it is for these");
        if (!is_student_name(words[0]))
            fail("\"" + words[0] + "\" is no name: up to 32 letters, digits, - and _");
        if (words[1].size() < kShortestToken || words[1].size() > kLongestToken ||
            !is_of(words[1], ".~"))
            fail(
                fmt::format("the token of {} is not of {} to {} letters, digits and -_.~; "
                            "lanewise-engine tokens {} makes one",
                            words[0], kShortestToken, kLongestToken, words[0]));
        for (const Line& other : tokens.lines_) {
            if (other.holder.name == words[0]) fail(words[0] + " has a token already");
            if (other.token == words[1])
                fail(words[0] + " has the token of " + other.holder.name + ": each needs its own");
        }
        HolderKind kind = words.size() == 3 ? kind_of(words[2], place) : HolderKind::student;
        tokens.lines_.push_back({{words[0], kind}, words[1]});
    }
    if (tokens.lines_.empty())
        throw Error(Status::bad_input,
                    name + " has no token; lanewise-engine tokens NAME makes a line of it");
    return tokens;
}

const TokenHolder* TokenFile::holder_of(std::string_view token) const {
    const TokenHolder* holder = nullptr;
    for (const Line& line : lines_)
        if (same(line.token, token.substr(0, kLongestToken + 1))) holder = &line.holder;
    return holder;
}

std::string new_token() {
    std::array<unsigned char, 32> bytes;
    if (::getrandom(bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size()))
        throw Error(Status::bad_input,
                    std::string("the system gives no random bytes: ") + std::strerror(errno));
    std::string token;
    for (unsigned char byte : bytes) token += kMarks[byte % kMarks.size()];
    return token;
}

}  // namespace lanewise
