// A small scan, not a C++ parser; see kernel_list.cpp.
#include "lab/kernel/struct_in_source.h"

#include <algorithm>
#include <optional>

#include "base/c_expression.h"
#include "base/text.h"
#include "lab/kernel/index_expression.h"
#include "lab/kernel/source_names.h"

namespace lanewise {

namespace {

constexpr int kMostDepth = 8;
constexpr size_t kMostMembers = 64;        // of one struct
constexpr size_t kMostMembersInAll = 256;  // of those in it, too

struct Unreadable {};  // the scan gives up; caught in struct_in_source

constexpr struct {
    std::string_view name;
    uint32_t bytes;
} kVectorsOf[] = {{"char", 1},          {"uchar", 1},     {"short", 2}, {"ushort", 2},
                  {"int", 4},           {"uint", 4},      {"long", 8},  {"ulong", 8},
                  {"longlong", 8},      {"ulonglong", 8}, {"float", 4}, {"double", 8},
                  {"__nv_bfloat16", 2}, {"__half", 2},    {"half", 2}};

// float3, uchar4, __half2 and the like, and dim3. Alignments: table of built-in vector types in the
// CUDA C++ Programming Guide.
std::optional<StructMember> cuda_vector(std::string_view type) {
    if (type == "dim3") type = "uint3";
    if (type.empty() || type.back() < '1' || type.back() > '4') return std::nullopt;
    auto count = static_cast<uint32_t>(type.back() - '0');
    type.remove_suffix(1);
    for (const auto& element : kVectorsOf) {
        if (type != element.name) continue;
        StructMember vector{.is_struct = true};
        if (count % 2 == 0) vector.align = std::min(16u, count * element.bytes);
        for (uint32_t i = 0; i < count; ++i)
            vector.members.push_back({.type = std::string(type), .name = {"xyzw"[i]}});
        return vector;
    }
    return std::nullopt;
}

bool is_one_of(std::string_view word, std::initializer_list<std::string_view> words) {
    return std::find(words.begin(), words.end(), word) != words.end();
}

// The type without what says nothing of its layout: "const struct ns::Params" -> "Params".
std::string bare_name(std::string_view type) {
    std::string bare;
    for (std::string_view word : split(type, ' '))
        if (!word.empty() && !is_one_of(word, {"const", "volatile", "struct", "class",
                                               "__grid_constant__", "__restrict__", "__restrict"}))
            bare += (bare.empty() ? "" : " ") + std::string(word);
    size_t scope = bare.rfind("::");
    return bare.find('<') == bare.npos && scope != bare.npos ? bare.substr(scope + 2) : bare;
}

class StructScan {
  public:
    explicit StructScan(std::string_view source) : source_(source), tokens_(c_tokens(source)) {
        add_constants(std::string(source), names_);
    }

    StructMember resolved(StructMember member, int depth) {
        if (depth > kMostDepth || ++resolved_ > kMostMembersInAll) throw Unreadable{};
        if (member.type.find('*') != member.type.npos) return member;
        std::string name = bare_name(member.type);
        std::optional<StructMember> found = cuda_vector(name);
        if (!found) found = written_out(name, depth);
        if (!found) return member;
        found->type = member.type;
        found->name = member.name;
        return *found;
    }

  private:
    std::string_view text(size_t at) const { return tokens_[at].text; }
    bool ended(size_t at) const { return tokens_[at].kind == CToken::Kind::end; }

    // The index of what closes the bracket at `open`.
    size_t closing(size_t open) const {
        int depth = 0;
        for (size_t at = open; !ended(at); ++at) {
            if (is_one_of(text(at), {"(", "[", "{"})) ++depth;
            if (is_one_of(text(at), {")", "]", "}"}) && --depth == 0) return at;
        }
        throw Unreadable{};
    }

    // struct [alignas(N)] [NAME] "{" members "}" [NAME]
    std::optional<StructMember> written_out(std::string_view name, int depth) {
        for (size_t i = 0; !ended(i); ++i) {
            if (!is_one_of(text(i), {"struct", "class"})) continue;
            StructMember found{.is_struct = true};
            size_t at = i + 1;
            if (is_one_of(text(at), {"alignas", "__align__"})) {
                size_t close = closing(at + 1);
                found.align = static_cast<uint32_t>(number_between(at + 1, close, 1, 128));
                at = close + 1;
            }
            bool is_it = text(at) == name;
            if (tokens_[at].kind == CToken::Kind::name) ++at;
            if (text(at) == "final") ++at;
            if (text(at) != "{") continue;  // only declared, or with bases, which have members too
            size_t close = closing(at);
            bool is_typedef = i > 0 && text(i - 1) == "typedef" && text(close + 1) == name;
            if (!is_it && !is_typedef) continue;
            take_members(at + 1, close, depth, found);
            return found;
        }
        return std::nullopt;
    }

    int64_t number_between(size_t open, size_t close, int64_t least, int64_t most) const {
        size_t from = tokens_[open].at + 1;
        auto value = c_value(std::string(source_.substr(from, tokens_[close].at - from)), names_);
        if (!value || *value < least || *value > most) throw Unreadable{};
        return *value;
    }

    // The semicolon of the declaration at `begin`, or the brace that ends a function's body.
    size_t end_of(size_t begin, size_t end) const {
        bool is_function = false;
        for (size_t at = begin; at < end; ++at) {
            if (text(at) == ";") return at;
            if (text(at) == "=") is_function = false;
            if (!is_one_of(text(at), {"(", "[", "{"})) continue;
            is_function = is_function || text(at) == "(";
            bool is_body = is_function && text(at) == "{";
            at = closing(at);
            // After a member's initializer comes the next one's, or the body.
            if (is_body && !is_one_of(text(at + 1), {",", "{", ";"})) return at;
        }
        throw Unreadable{};
    }

    void take_members(size_t begin, size_t end, int depth, StructMember& found) {
        for (size_t at = begin; at < end;) {
            if (text(at) == ";") {
                ++at;
            } else if (is_one_of(text(at), {"public", "private", "protected"})) {
                at += 2;
            } else {
                size_t last = end_of(at, end);
                take_declaration(at, last, depth, found);
                at = last + 1;
            }
        }
    }

    void take_declaration(size_t begin, size_t end, int depth, StructMember& found) {
        if (is_one_of(text(begin), {"static", "using", "typedef", "friend", "template"})) return;
        if (is_one_of(text(begin), {"union", "virtual", "alignas", "__align__"}))
            throw Unreadable{};
        bool defines = is_one_of(text(begin), {"struct", "class", "enum"});
        size_t declarator = begin;  // the first that is no part of the type
        for (; declarator < end; ++declarator) {
            if (text(declarator) == "(" || text(declarator) == "operator") return;  // a function
            if (text(declarator) == "{" && defines) {
                if (closing(declarator) + 1 == end) return;  // a type, and no member of it
                throw Unreadable{};
            }
            if (text(declarator) == ":" || text(declarator) == "<") {
                if (defines) continue;  // enum Kind : int { … }
                throw Unreadable{};     // a bit field, a template's instance
            }
            if (is_one_of(text(declarator), {"*", "&", ",", "[", "=", "{"})) break;
        }
        if (declarator == end || !is_one_of(text(declarator), {"*", "&"})) --declarator;
        std::string type;
        for (size_t at = begin; at < declarator; ++at)
            type += (type.empty() ? "" : " ") + std::string(text(at));
        if (type.empty()) throw Unreadable{};
        while (declarator < end) declarator = take_declarator(declarator, end, type, depth, found);
    }

    // {"*"} name {"[" extent "]"} ["=" …], and the comma behind it; the index past that.
    size_t take_declarator(size_t at, size_t end, std::string type, int depth,
                           StructMember& found) {
        for (; at < end && (is_one_of(text(at), {"*", "&", "const", "__restrict__", "__restrict"}));
             ++at)
            if (tokens_[at].kind == CToken::Kind::sign) type += '*';  // a reference is one, too
        if (at >= end || tokens_[at].kind != CToken::Kind::name) throw Unreadable{};
        std::vector<std::string> names = {std::string(text(at++))};
        while (at < end && text(at) == "[") {
            size_t close = closing(at);
            auto extent = number_between(at, close, 1, kMostMembers);
            std::vector<std::string> elements;
            for (const std::string& name : names)
                for (int64_t i = 0; i < extent; ++i)
                    elements.push_back(name + "[" + std::to_string(i) + "]");
            if (elements.size() > kMostMembers) throw Unreadable{};
            names = std::move(elements);
            at = close + 1;
        }
        if (at < end && text(at) == ":") throw Unreadable{};
        for (const std::string& name : names)
            found.members.push_back(resolved({.type = type, .name = name}, depth + 1));
        if (found.members.size() > kMostMembers) throw Unreadable{};
        for (; at < end && text(at) != ","; ++at)
            if (is_one_of(text(at), {"(", "[", "{"})) at = closing(at);
        return at + 1;
    }

    std::string_view source_;
    std::vector<CToken> tokens_;
    SourceNames names_;
    size_t resolved_ = 0;
};

}  // namespace

StructMember struct_in_source(std::string_view source, std::string_view type) {
    StructMember itself{.type = std::string(type)};
    try {
        return StructScan(source).resolved(itself, 0);
    } catch (const Unreadable&) {
        return itself;
    }
}

std::string struct_form(const StructMember& member,
                        const std::function<std::string(const StructMember&)>& leaf) {
    if (!member.is_struct) return leaf(member);
    std::string text;
    for (const StructMember& each : member.members)
        text += (text.empty() ? "" : ",") + struct_form(each, leaf);
    return (member.align > 0 ? "align" + std::to_string(member.align) : "") + "{" + text + "}";
}

}  // namespace lanewise
