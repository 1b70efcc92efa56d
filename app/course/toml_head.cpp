// toml++ behind a small reader: the only file that sees it.
#include "course/toml_head.h"

#include <stdexcept>

// toml++ 3.3 asserts on some malformed texts, such as one that breaks off where a value should be,
// and in a release build takes its assertions for granted. Here they are errors of the text: they
// throw, in every kind of build.
static constexpr void check_toml(bool holds) {
    if (!holds) throw std::runtime_error("it breaks off where a value should be");
}
#undef NDEBUG
#define TOML_ASSERT(condition) check_toml(static_cast<bool>(condition))
#include <toml++/toml.h>

#include <algorithm>

#include "base/error.h"
#include "base/text.h"
#include "course/foreign_letters.h"

namespace lanewise {

struct TomlTable::Node {
    std::shared_ptr<const toml::table> document;  // owns what `table` points into
    const toml::table* table = nullptr;
    std::string file;
    int first_line = 1;

    const toml::node* find(const std::string& key) const { return table->get(key); }
    int line_of(const toml::node* node) const {
        const toml::node* at = node ? node : table;
        int line = static_cast<int>(at->source().begin.line);
        return first_line + std::max(line, 1) - 1;
    }
};

static std::string place(const std::string& file, int line) {
    return file + ":" + std::to_string(line) + ": ";
}

TomlTable TomlTable::parse(std::string_view text, const std::string& file, int first_line) {
    if (int line = line_of_foreign_letter(text); line >= 0)
        throw Error(Status::bad_input,
                    place(file, first_line + line) +
                        "the head is not valid TOML: a key consists of letters from A to Z, "
                        "digits, - and _; put other letters between quotes");
    auto node = std::make_shared<Node>();
    node->file = file;
    node->first_line = first_line;
    try {
        node->document = std::make_shared<const toml::table>(toml::parse(text));
    } catch (const toml::parse_error& error) {
        int line = first_line + static_cast<int>(error.source().begin.line) - 1;
        throw Error(Status::bad_input, place(file, line) + "the head is not valid TOML: " +
                                           std::string(error.description()));
    } catch (const std::runtime_error& error) {
        throw Error(Status::bad_input,
                    place(file, first_line) + "the head is not valid TOML: " + error.what());
    }
    node->table = node->document.get();
    TomlTable result;
    result.node_ = node;
    return result;
}

bool TomlTable::has(const std::string& key) const { return node_->find(key) != nullptr; }

std::vector<std::string> TomlTable::keys() const {
    std::vector<std::string> keys;
    for (const auto& [key, value] : *node_->table) keys.emplace_back(key.str());
    return keys;
}

void TomlTable::fail(const std::string& key, const std::string& message) const {
    const toml::node* value = key.empty() ? nullptr : node_->find(key);
    throw Error(Status::bad_input, place(node_->file, node_->line_of(value)) + message);
}

std::string TomlTable::place_of(const std::string& key) const {
    return node_->file + ":" + std::to_string(node_->line_of(node_->find(key)));
}

bool TomlTable::flag(const std::string& key) const {
    const toml::node* value = node_->find(key);
    if (!value) return false;
    if (!value->is_boolean()) fail(key, key + " must be true or false, without quotes");
    return value->as_boolean()->get();
}

std::string TomlTable::text(const std::string& key) const {
    const toml::node* value = node_->find(key);
    if (!value) return {};
    if (!value->is_string()) fail(key, key + " must be a text in quotes");
    return value->as_string()->get();
}

std::vector<std::string> TomlTable::texts(const std::string& key) const {
    std::vector<std::string> texts;
    const toml::node* value = node_->find(key);
    if (!value) return texts;
    if (!value->is_array()) fail(key, key + " must be a list of texts, like [\"a\", \"b\"]");
    for (const toml::node& item : *value->as_array()) {
        if (!item.is_string()) fail(key, key + " must be a list of texts, like [\"a\", \"b\"]");
        texts.push_back(item.as_string()->get());
    }
    return texts;
}

std::optional<int64_t> TomlTable::integer(const std::string& key) const {
    const toml::node* value = node_->find(key);
    if (!value) return std::nullopt;
    if (!value->is_integer()) fail(key, key + " must be a whole number, like 30");
    return value->as_integer()->get();
}

std::vector<int64_t> TomlTable::integers(const std::string& key) const {
    std::vector<int64_t> integers;
    const toml::node* value = node_->find(key);
    if (!value) return integers;
    if (!value->is_array()) fail(key, key + " must be a list of whole numbers, like [8, 16]");
    for (const toml::node& item : *value->as_array()) {
        if (!item.is_integer()) fail(key, key + " must be a list of whole numbers, like [8, 16]");
        integers.push_back(item.as_integer()->get());
    }
    return integers;
}

TomlTable TomlTable::table(const std::string& key) const {
    static const toml::table kEmpty;
    const toml::node* value = node_->find(key);
    if (value && !value->is_table()) fail(key, key + " must be a table, [" + key + "]");
    auto node = std::make_shared<Node>(*node_);
    node->table = value ? value->as_table() : &kEmpty;
    TomlTable result;
    result.node_ = node;
    return result;
}

std::vector<TomlTable> TomlTable::tables(const std::string& key) const {
    std::vector<TomlTable> tables;
    const toml::node* value = node_->find(key);
    if (!value) return tables;
    if (!value->is_array()) fail(key, key + " must be a list of tables, like [{ … }, { … }]");
    for (const toml::node& item : *value->as_array()) {
        if (!item.is_table()) fail(key, key + " must be a list of tables, like [{ … }, { … }]");
        auto node = std::make_shared<Node>(*node_);
        node->table = item.as_table();
        tables.emplace_back().node_ = node;
    }
    return tables;
}

void TomlTable::only(const std::vector<std::string>& known) const {
    for (const std::string& key : keys()) {
        if (std::find(known.begin(), known.end(), key) != known.end()) continue;
        std::string near = closest(key, known), all;
        for (const std::string& name : known) all += (all.empty() ? "" : ", ") + name;
        fail(key, "unknown key \"" + key + "\"" +
                      (near.empty() ? "; the keys here are " + all
                                    : "; did you mean \"" + near + "\"?"));
    }
}

void TomlTable::need(const std::string& key, const std::string& example) const {
    const toml::node* value = node_->find(key);
    bool empty = value && ((value->is_array() && value->as_array()->empty()) ||
                           (value->is_string() && value->as_string()->get().empty()));
    if (!value || empty) fail(key, key + " is missing; write it like " + example);
}

}  // namespace lanewise
