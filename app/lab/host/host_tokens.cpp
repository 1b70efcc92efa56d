// A small preprocessor: enough of it for the macros that launches are written with.
#include "lab/host/host_tokens.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <set>

#include "base/c_expression.h"
#include "base/text.h"
#include "base/words.h"

namespace lanewise {
namespace {

using Kind = HostToken::Kind;

constexpr size_t kMostTokens = 4'000'000;  // macros that put in each other end here
constexpr int kDeepest = 24;               // headers in headers, macros in macros

bool is_digit(char c) { return c >= '0' && c <= '9'; }

size_t past_literal(std::string_view text, size_t at) {
    const char quote = text[at];
    for (++at; at < text.size() && text[at] != quote; ++at)
        if (text[at] == '\\') ++at;
    return std::min(at + 1, text.size());
}

size_t past_number(std::string_view text, size_t at) {
    while (at < text.size()) {
        const char c = text[at];
        const bool exponent = (c == '+' || c == '-') && at > 0 &&
                              (text[at - 1] == 'e' || text[at - 1] == 'E') &&
                              !text.substr(0, at).ends_with("0xe");
        if (!is_word_part(c) && c != '.' && c != '\'' && !exponent) break;
        ++at;
    }
    return at;
}

std::string_view sign_at(std::string_view text) {
    static constexpr std::array<std::string_view, 21> kSigns = {
        "<<<", "<<=", "...", "::", "->", "++", "--", "+=", "-=", "*=", "/=",
        "%=",  "&=",  "|=",  "^=", "==", "!=", "<=", ">=", "&&", "||"};
    for (std::string_view sign : kSigns)
        if (text.starts_with(sign)) return sign;
    if (text.starts_with("<<")) return text.substr(0, 2);
    return text.substr(0, 1);
}

// Comments and spliced lines become blanks; line ends stay where they are.
std::string without_comments_or_splices(std::string_view source) {
    std::string text(source);
    for (size_t at = 0; at + 1 < text.size(); ++at)
        if (text[at] == '\\' && (text[at + 1] == '\n' || text.substr(at + 1, 2) == "\r\n"))
            text[at] = '\x01';  // the line goes on
    for (size_t at = 0; at < text.size();) {
        if (text[at] == '"' || (text[at] == '\'' && (at == 0 || !is_word_part(text[at - 1])))) {
            at = past_literal(text, at);
        } else if (text.compare(at, 2, "//") == 0) {
            while (at < text.size() && text[at] != '\n') text[at++] = ' ';
        } else if (text.compare(at, 2, "/*") == 0) {
            const size_t end = std::min(text.find("*/", at + 2), text.size() - 2) + 2;
            for (; at < end; ++at)
                if (text[at] != '\n') text[at] = ' ';
        } else {
            ++at;
        }
    }
    return text;
}

struct Macro {
    bool takes = false;  // is written with brackets
    std::vector<std::string> parameters{};
    bool variadic = false;
    std::vector<HostToken> body{};
};

class Preprocessor {
  public:
    explicit Preprocessor(const FindHeader& find) : find_(find) {
        for (const char* name : {"__CUDACC__", "__NVCC__", "__linux__", "__cplusplus"})
            macros_[name] = {.body = lexed("1", 0)};
    }

    void read(std::string_view source, const std::filesystem::path& file, bool is_main, int depth) {
        const std::string text = without_comments_or_splices(source);
        int line = 0;
        const size_t open_before = taken_.size();
        for (size_t at = 0; at < text.size();) {
            ++line;
            const int first = line;
            std::string logical;
            for (;;) {  // one line, with those that it is spliced to
                const size_t end = std::min(text.find('\n', at), text.size());
                std::string_view piece = std::string_view(text).substr(at, end - at);
                at = end + 1;
                const size_t spliced = piece.find('\x01');
                logical += piece.substr(0, spliced);
                if (spliced == std::string_view::npos || at >= text.size()) break;
                logical += ' ';
                ++line;
            }
            const std::string_view bare = trimmed(logical);
            if (bare.starts_with('#'))
                direct(trimmed(bare.substr(1)), file, is_main ? first : 0, is_main, depth);
            else if (is_taken())
                add(lexed(logical, is_main ? first : 0));
        }
        flush();
        taken_.resize(std::min(taken_.size(), open_before));
    }

    std::vector<HostToken> take() {
        out_.push_back({});
        return std::move(out_);
    }

  private:
    // Whether an #if's branch is read, and whether one of its branches was.
    struct Branch {
        bool now = false, had = false;
    };

    bool is_taken() const {
        return std::all_of(taken_.begin(), taken_.end(), [](const Branch& b) { return b.now; });
    }

    void add(std::vector<HostToken> tokens) {
        for (HostToken& token : tokens) waiting_.push_back(std::move(token));
    }

    // What stands between two directives, with its macros put in.
    void flush() {
        expand(waiting_, out_, {}, 0);
        waiting_.clear();
    }

    void direct(std::string_view text, const std::filesystem::path& file, int line, bool is_main,
                int depth) {
        const size_t end = text.find_first_not_of("abcdefghijklmnopqrstuvwxyz_");
        const std::string_view word = text.substr(0, end);
        const std::string_view rest = end == text.npos ? "" : trimmed(text.substr(end));
        if (word == "if" || word == "ifdef" || word == "ifndef") {
            flush();
            const bool holds = is_taken() && (word == "if"      ? is_true(rest)
                                              : word == "ifdef" ? is_defined(rest)
                                                                : !is_defined(rest));
            taken_.push_back({holds, holds});
        } else if (word == "elif" && !taken_.empty()) {
            flush();
            Branch& branch = taken_.back();
            branch.now = !branch.had && is_true(rest);
            branch.had |= branch.now;
        } else if (word == "else" && !taken_.empty()) {
            flush();
            taken_.back().now = !taken_.back().had;
        } else if (word == "endif" && !taken_.empty()) {
            flush();
            taken_.pop_back();
        } else if (is_taken()) {
            flush();
            if (word == "define") define(rest, line);
            if (word == "undef") macros_.erase(std::string(rest));
            if (word == "include") include(rest, file, is_main, depth);
        }
    }

    bool is_defined(std::string_view name) const {
        return macros_.contains(std::string(name.substr(0, name.find_first_of(" \t"))));
    }

    bool is_true(std::string_view condition) const {
        std::vector<HostToken> asked;
        const std::vector<HostToken> tokens = lexed(condition, 0);
        for (size_t i = 0; i < tokens.size(); ++i) {
            if (tokens[i].text != "defined") {
                asked.push_back(tokens[i]);
                continue;
            }
            const bool bracket = i + 1 < tokens.size() && tokens[i + 1].text == "(";
            const size_t name = i + 1 + bracket;
            const bool known = name < tokens.size() && macros_.contains(tokens[name].text);
            asked.push_back({Kind::number, known ? "1" : "0", 0, false});
            i = name + bracket;
        }
        std::vector<HostToken> expanded;
        expand(asked, expanded, {}, 0);
        std::string text;
        for (const HostToken& token : expanded)
            text += " " + (token.kind == Kind::name && token.text != "true" ? "0" : token.text);
        return c_evaluate(text, {}).value_or(0) != 0;
    }

    void define(std::string_view text, int line) {
        const size_t end = past_number(text, 0);
        const std::string name(text.substr(0, end));
        Macro macro;
        std::string_view body = text.substr(end);
        if (body.starts_with('(')) {
            macro.takes = true;
            const size_t close = body.find(')');
            if (close == body.npos) return;
            for (const HostToken& token : lexed(body.substr(1, close - 1), 0)) {
                if (token.kind == Kind::name) macro.parameters.push_back(token.text);
                macro.variadic |= token.text == "...";
            }
            body = body.substr(close + 1);
        }
        macro.body = lexed(body, line);
        if (!name.empty()) macros_[name] = std::move(macro);
    }

    void include(std::string_view text, const std::filesystem::path& from, bool, int depth) {
        if (text.size() < 3 || depth >= kDeepest) return;
        const char close = text[0] == '<' ? '>' : '"';
        const std::string name(text.substr(1, text.find(close, 1) - 1));
        std::optional<HostHeader> header = find_(name, from);
        if (!header || !read_.insert(header->file.lexically_normal().string()).second) return;
        read(header->text, header->file, false, depth + 1);
    }

    // `busy`: the macros that are being put in, which are not put in again.
    void expand(const std::vector<HostToken>& in, std::vector<HostToken>& out,
                const std::set<std::string>& busy, int depth) const {
        for (size_t i = 0; i < in.size() && out.size() < kMostTokens; ++i) {
            auto found = in[i].kind == Kind::name ? macros_.find(in[i].text) : macros_.end();
            if (found == macros_.end() || busy.contains(in[i].text) || depth > kDeepest) {
                out.push_back(in[i]);
                continue;
            }
            const Macro& macro = found->second;
            std::vector<std::vector<HostToken>> arguments;
            size_t next = i;
            if (macro.takes && !read_arguments(in, i + 1, arguments, next)) {
                out.push_back(in[i]);
                continue;
            }
            std::set<std::string> inner = busy;
            inner.insert(in[i].text);
            const std::vector<HostToken> put = put_in(macro, arguments, in[i].line);
            expand(put, out, inner, depth + 1);
            if (macro.takes) i = next;
        }
    }

    // From "(" at `at` on; `last` becomes the place of its ")".
    static bool read_arguments(const std::vector<HostToken>& in, size_t at,
                               std::vector<std::vector<HostToken>>& arguments, size_t& last) {
        if (at >= in.size() || in[at].text != "(" || in[at].kind != Kind::sign) return false;
        int depth = 0;
        arguments.emplace_back();
        for (; at < in.size(); ++at) {
            const HostToken& token = in[at];
            const bool is_sign = token.kind == Kind::sign;
            const bool opens =
                is_sign && (token.text == "(" || token.text == "[" || token.text == "{");
            const bool closes =
                is_sign && (token.text == ")" || token.text == "]" || token.text == "}");
            if (opens && depth++ == 0) continue;
            if (closes && --depth == 0) {
                last = at;
                return true;
            }
            if (is_sign && token.text == "," && depth == 1)
                arguments.emplace_back();
            else
                arguments.back().push_back(token);
        }
        return false;
    }

    static std::vector<HostToken> put_in(const Macro& macro,
                                         const std::vector<std::vector<HostToken>>& arguments,
                                         int line) {
        std::vector<HostToken> put;
        auto place_of = [&](const std::string& name) {
            return static_cast<size_t>(
                std::find(macro.parameters.begin(), macro.parameters.end(), name) -
                macro.parameters.begin());
        };
        auto add_argument = [&](size_t place) {
            if (place < arguments.size())
                put.insert(put.end(), arguments[place].begin(), arguments[place].end());
        };
        for (size_t i = 0; i < macro.body.size(); ++i) {
            HostToken token = macro.body[i];
            token.line = line;
            if (token.text == "#" && token.kind == Kind::sign) {  // #x and ##
                const bool pastes = i + 1 < macro.body.size() && macro.body[i + 1].text == "#";
                if (pastes && !put.empty() && i + 2 < macro.body.size()) {
                    std::vector<HostToken> rest;
                    const size_t place = place_of(macro.body[i + 2].text);
                    std::string pasted = place < arguments.size() && !arguments[place].empty()
                                             ? arguments[place].front().text
                                             : macro.body[i + 2].text;
                    put.back().text += pasted;
                    i += 2;
                } else if (!pastes && i + 1 < macro.body.size()) {
                    put.push_back({Kind::text, macro.body[i + 1].text, line, false});
                    ++i;
                }
                continue;
            }
            const size_t place =
                token.kind == Kind::name ? place_of(token.text) : macro.parameters.size();
            if (token.kind == Kind::name && token.text == "__VA_ARGS__") {
                for (size_t n = macro.parameters.size(); n < arguments.size(); ++n) {
                    if (n > macro.parameters.size()) put.push_back({Kind::sign, ",", line, false});
                    add_argument(n);
                }
            } else if (place < macro.parameters.size()) {
                add_argument(place);
            } else {
                put.push_back(token);
            }
        }
        for (HostToken& token : put) token.line = line;
        return put;
    }

    const FindHeader& find_;
    std::map<std::string, Macro> macros_;
    std::set<std::string> read_;
    std::vector<Branch> taken_;
    std::vector<HostToken> waiting_, out_;
};

}  // namespace

std::vector<HostToken> lexed(std::string_view text, int line) {
    std::vector<HostToken> tokens;
    bool glued = false;
    for (size_t at = 0; at < text.size();) {
        const char c = text[at];
        if (std::isspace(static_cast<unsigned char>(c)) || c == '\x01') {
            ++at;
            glued = false;
            continue;
        }
        HostToken token{Kind::sign, {}, line, glued};
        size_t end = at;
        if (c == '"' || c == '\'') {
            end = past_literal(text, at);
            token.kind = c == '"' ? Kind::text : Kind::number;
            token.text = text.substr(at + 1, end - at >= 2 ? end - at - 2 : 0);
            if (c == '\'') token.text = std::to_string(token.text.empty() ? 0 : token.text[0]);
        } else if (is_digit(c) || (c == '.' && at + 1 < text.size() && is_digit(text[at + 1]))) {
            end = past_number(text, at);
            token.kind = Kind::number;
            token.text = text.substr(at, end - at);
            std::erase(token.text, '\'');
        } else if (is_word_part(c)) {
            while (end < text.size() && is_word_part(text[end])) ++end;
            token.kind = Kind::name;
            token.text = text.substr(at, end - at);
        } else {
            token.text = sign_at(text.substr(at));
            end = at + token.text.size();
        }
        tokens.push_back(std::move(token));
        at = end;
        glued = true;
    }
    return tokens;
}

std::vector<HostToken> host_tokens(std::string_view source, const std::filesystem::path& file,
                                   const FindHeader& find) {
    Preprocessor preprocessor(find);
    preprocessor.read(source, file, true, 0);
    return preprocessor.take();
}

}  // namespace lanewise
