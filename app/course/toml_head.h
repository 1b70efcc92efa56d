// The TOML head of a stage or a lesson, read with errors that name file, line and key. The only
// place that sees toml++.
#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lanewise {

// One table of the head. Cheap to copy; keeps the parsed document alive.
// Every reader throws Error(bad_input), "FILE:LINE: …", where the value has the wrong type.
class TomlTable {
  public:
    // Parses `text`, whose first line is line `first_line` of `file`.
    static TomlTable parse(std::string_view text, const std::string& file, int first_line);

    bool has(const std::string& key) const;
    std::vector<std::string> keys() const;
    std::string text(const std::string& key) const;                // missing: empty
    std::vector<std::string> texts(const std::string& key) const;  // missing: empty
    std::optional<int64_t> integer(const std::string& key) const;  // missing: nothing
    std::vector<int64_t> integers(const std::string& key) const;   // missing: empty
    bool flag(const std::string& key) const;                       // missing: false
    TomlTable table(const std::string& key) const;                 // missing: an empty table
    std::vector<TomlTable> tables(const std::string& key) const;   // missing: empty

    // Throws at the first key that is not among `known`, with the closest that is.
    void only(const std::vector<std::string>& known) const;
    // Throws where the key is missing or empty. `example` shows how to write it.
    void need(const std::string& key, const std::string& example) const;

    // "FILE:LINE" of the key, or of the table where there is no such key.
    std::string place_of(const std::string& key) const;
    // "FILE:LINE: message", the line being that of `key`, or of the table where there is no key.
    [[noreturn]] void fail(const std::string& key, const std::string& message) const;

  private:
    struct Node;
    std::shared_ptr<const Node> node_;
};

}  // namespace lanewise
