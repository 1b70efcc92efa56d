#include "lab/step/source_variables.h"

#include <algorithm>
#include <array>

#include "base/c_expression.h"

namespace lanewise {

namespace {

constexpr std::string_view kNoTypes[] = {
    "return", "goto",    "if",       "else",          "for",   "while",   "do",       "switch",
    "case",   "default", "break",    "continue",      "using", "typedef", "template", "namespace",
    "struct", "class",   "enum",     "union",         "asm",   "delete",  "new",      "throw",
    "public", "private", "operator", "static_assert", "sizeof"};
constexpr std::string_view kQualifiers[] = {"const",        "constexpr",    "static",   "volatile",
                                            "__shared__",   "__restrict__", "register", "extern",
                                            "__constant__", "__device__"};

template <size_t n>
bool is_in(std::string_view word, const std::string_view (&words)[n]) {
    return std::find(std::begin(words), std::end(words), word) != std::end(words);
}

bool is_assignment(std::string_view sign) {
    return sign == "=" || (sign.size() >= 2 && sign.back() == '=' && sign != "==" && sign != "!=" &&
                           sign != "<=" && sign != ">=");
}

class Scanner {
  public:
    explicit Scanner(std::string_view source) : source_(source), tokens_(c_tokens(source)) {
        lines_.reserve(tokens_.size());
        int line = 1;
        size_t at = 0;
        for (const CToken& token : tokens_) {
            for (; at < token.at; ++at) line += source[at] == '\n';
            lines_.push_back(line);
        }
    }

    SourceScan take() {
        while (next_ + 1 < tokens_.size()) one();
        while (!open_.empty()) close(tokens_.size() - 1);
        return std::move(scan_);
    }

  private:
    std::string_view text(size_t i) const { return tokens_[std::min(i, tokens_.size() - 1)].text; }
    bool is_name(size_t i) const {
        return i < tokens_.size() && tokens_[i].kind == CToken::Kind::name;
    }
    bool is_sign(size_t i, std::string_view sign) const {
        return i < tokens_.size() && tokens_[i].kind == CToken::Kind::sign &&
               tokens_[i].text == sign;
    }
    std::string range(size_t begin, size_t end) const {
        if (begin >= end) return {};
        const CToken& last = tokens_[end - 1];
        size_t from = tokens_[begin].at;
        std::string out;
        for (char c : source_.substr(from, last.at + last.text.size() - from)) {
            bool blank = c == ' ' || c == '\n' || c == '\t' || c == '\r';
            if (blank && (out.empty() || out.back() == ' ')) continue;
            out += blank ? ' ' : c;
        }
        return out;
    }

    // One token, or one statement.
    void one() {
        if (is_sign(next_, "{")) {
            open_.push_back({scan_.variables.size(), false, next_++});
            at_start_ = true;
        } else if (is_sign(next_, "}")) {
            close(next_++);
            at_start_ = true;
        } else if (is_sign(next_, ";")) {
            end_statement(next_++);
            at_start_ = true;
        } else if (is_sign(next_, "#")) {
            skip_line();
        } else if (open_.empty()) {
            ++next_;  // outside all functions
        } else if (text(next_) == "for" && is_sign(next_ + 1, "(")) {
            open_.push_back({scan_.variables.size(), true, next_});
            next_ += 2;
            at_start_ = true;
        } else if (is_name(next_) &&
                   (text(next_) == "if" || text(next_) == "while" || text(next_) == "switch")) {
            next_ = closing(is_name(next_ + 1) ? next_ + 2 : next_ + 1) + 1;
            at_start_ = true;
        } else if (is_name(next_) && (text(next_) == "else" || text(next_) == "do")) {
            ++next_;
            at_start_ = true;
        } else {
            if (!(at_start_ && declaration())) assignment();
            at_start_ = false;
        }
    }

    void skip_line() {
        int line = lines_[next_];
        while (next_ + 1 < tokens_.size() && lines_[next_] == line) {
            if (text(next_) == "\\" && lines_[next_ + 1] == line + 1) ++line;
            ++next_;
        }
        at_start_ = true;
    }

    size_t closing(size_t open) const {
        int depth = 0;
        for (size_t i = open; i + 1 < tokens_.size(); ++i) {
            if (tokens_[i].kind != CToken::Kind::sign) continue;
            std::string_view t = tokens_[i].text;
            depth += t == "(" || t == "[" || t == "{";
            depth -= t == ")" || t == "]" || t == "}";
            if (depth <= 0) return i;
        }
        return tokens_.size() - 1;
    }

    // The end of what stands from `begin` up to a "," or ";" or a bracket that closes.
    size_t end_of_part(size_t begin) const {
        for (size_t i = begin; i + 1 < tokens_.size(); ++i) {
            if (tokens_[i].kind != CToken::Kind::sign) continue;
            std::string_view t = tokens_[i].text;
            if (t == "," || t == ";" || t == ")" || t == "}" || t == "]") return i;
            if (t == "(" || t == "[" || t == "{") i = closing(i);
        }
        return tokens_.size() - 1;
    }

    struct Open {
        size_t variables;  // how many there were before
        bool is_for;       // a loop that has no brace of its own (yet)
        size_t begin;
    };

    // Variables of a scope end with it. A for's go with its statement.
    void close(size_t at) {
        while (!open_.empty() && open_.back().is_for) close_last(at);
        if (!open_.empty()) close_last(at);
        if (!open_.empty() && open_.back().is_for) close_last(at);
    }
    void close_last(size_t at) {
        for (size_t i = open_.back().variables; i < scan_.variables.size(); ++i)
            if (scan_.variables[i].last_line == 0) scan_.variables[i].last_line = lines_[at];
        open_.pop_back();
    }
    // A ";" behind a for's header ends the loop where no brace has begun.
    void end_statement(size_t at) {
        while (!open_.empty() && open_.back().is_for && at > closing(open_.back().begin + 1))
            close_last(at);
    }

    // "const int row = …, col = …;" False where there is none; the scan then stands where it was.
    bool declaration() {
        size_t at = next_;
        while (is_name(at) && is_in(text(at), kQualifiers)) ++at;
        size_t type_begin = at, words = 0;
        while (is_name(at) && !is_in(text(at), kNoTypes)) {
            ++words, ++at;
            if (is_sign(at, "<")) {
                size_t behind = behind_angle(at);
                if (behind == at) return false;  // "i < count"
                at = behind;
            }
            while (is_sign(at, "*") || is_sign(at, "&") || text(at) == "const" ||
                   text(at) == "__restrict__")
                ++at, words = std::max<size_t>(words, 1);
            if (at > type_begin && is_name(at) && ends_declarator(at + 1)) break;
        }
        if (words == 0 || !is_name(at) || !ends_declarator(at + 1)) return false;
        std::string type = range(next_, at);
        size_t begin = next_;
        for (;;) {
            while (is_sign(at, "*")) ++at;
            if (!is_name(at)) break;
            at = declarator(at, type, begin);
            if (!is_sign(at, ",")) break;
            ++at;
        }
        next_ = at;
        return true;
    }
    bool ends_declarator(size_t i) const {
        return is_sign(i, "=") || is_sign(i, ";") || is_sign(i, ",") || is_sign(i, "[") ||
               is_sign(i, "{");
    }
    size_t behind_angle(size_t open) const {
        int depth = 0;
        constexpr size_t kMost = 64;  // tokens of template arguments
        for (size_t i = open; i + 1 < tokens_.size() && i < open + kMost; ++i) {
            if (is_sign(i, ";")) break;
            depth += is_sign(i, "<");
            depth -= is_sign(i, ">") ? 1 : is_sign(i, ">>") ? 2 : 0;
            if (depth <= 0) return i + 1;
        }
        return open;
    }
    // One name with its extents and its value; returns what is behind it.
    size_t declarator(size_t at, const std::string& type, size_t begin) {
        SourceVariable variable;
        variable.name = text(at);
        variable.type = type;
        variable.line = lines_[begin];
        variable.first_line = lines_[open_.back().begin];
        for (++at; is_sign(at, "["); at = closing(at) + 1) variable.is_array = true;
        if (is_sign(at, "=") || is_sign(at, "{")) {
            size_t from = is_sign(at, "=") ? at + 1 : at, end = end_of_part(from);
            if (!variable.is_array)
                variable.assignments.push_back(
                    {lines_[begin], lines_[end - 1], variable.name, range(from, end)});
            at = end;
        }
        scan_.variables.push_back(std::move(variable));
        return at;
    }

    // "row = …", "i += 2", "++i", "tile[…][…] = …", "*p = …".
    void assignment() {
        size_t begin = next_;
        if (is_sign(begin, "++") || is_sign(begin, "--")) {
            change(begin + 1, begin, begin + 2, text(begin).substr(0, 1), "1");
            next_ += 2;
            return;
        }
        size_t at = begin;
        while (is_sign(at, "*")) ++at;
        if (!is_name(at)) {
            ++next_;
            return;
        }
        size_t name = at++;
        while (is_sign(at, "[")) at = closing(at) + 1;
        if (is_sign(at, "++") || is_sign(at, "--")) {
            if (at == name + 1) change(name, begin, at + 1, text(at).substr(0, 1), "1");
            next_ = at + 1;
        } else if (at < tokens_.size() && tokens_[at].kind == CToken::Kind::sign &&
                   is_assignment(text(at))) {
            size_t end = end_of_part(at + 1);
            std::string_view sign = text(at);
            std::string value = range(at + 1, end);
            if (at == name + 1 && name == begin)
                change(name, begin, end, sign.substr(0, sign.size() - 1), value);
            else
                scan_.elements.push_back({lines_[begin], lines_[end - 1], range(begin, at), value});
            next_ = end;
        } else {
            next_ = begin + 1;
        }
    }
    void change(size_t name, size_t begin, size_t end, std::string_view sign,
                const std::string& by) {
        std::string target(text(name));
        std::string value = sign.empty() ? by : target + " " + std::string(sign) + " (" + by + ")";
        SourceAssignment made{lines_[begin], lines_[end - 1], target, value};
        for (size_t i = scan_.variables.size(); i-- > 0;) {
            SourceVariable& variable = scan_.variables[i];
            if (variable.name != target || variable.last_line != 0) continue;
            variable.assignments.push_back(made);
            return;
        }
        scan_.others.push_back(made);
    }

    std::string_view source_;
    std::vector<CToken> tokens_;
    std::vector<int> lines_;
    size_t next_ = 0;
    bool at_start_ = true;
    std::vector<Open> open_;
    SourceScan scan_;
};

}  // namespace

SourceScan scan_source(std::string_view source) { return Scanner(source).take(); }

// Compiled code comes to lines out of order, so that a variable counts in all of its braces; but of
// two of one name the one that is declared before.
const SourceVariable* variable_at(const SourceScan& scan, std::string_view name, int line) {
    const SourceVariable* found = nullptr;
    for (const SourceVariable& variable : scan.variables)
        if (variable.name == name && variable.is_seen_at(line))
            if (!found || variable.line <= line || found->line > line) found = &variable;
    return found;
}

}  // namespace lanewise
