// Follows the source from the kernel's brace to the access, giving every name the value that it has
// for one thread. Loops around the access are tried value by value, until the index is the one that
// the machine saw.
#include "lab/kernel/index_expression.h"

#include <algorithm>
#include <cstdlib>

#include "base/c_expression.h"

namespace lanewise {
namespace {

constexpr int kMostTries = 4096;       // combinations of loops' values
constexpr int kMostLoopValues = 1024;  // of one loop
constexpr int kLinesAround = 4;        // a statement may be longer than its line

using Tokens = std::vector<CToken>;

size_t closing(const Tokens& tokens, size_t open) {
    int depth = 0;
    for (size_t i = open; i < tokens.size(); ++i) {
        std::string_view t = tokens[i].text;
        if (tokens[i].kind != CToken::Kind::sign) continue;
        depth += t == "(" || t == "[" || t == "{";
        depth -= t == ")" || t == "]" || t == "}";
        if (depth == 0) return i;
    }
    return tokens.size() - 1;
}

// The token after the statement that begins at `i`.
size_t end_of_statement(const Tokens& tokens, size_t i) {
    const size_t last = tokens.size() - 1;
    if (i >= last) return last;
    std::string_view t = tokens[i].text;
    if (t == "{") return closing(tokens, i) + 1;
    if (t == "for" || t == "if" || t == "while") {
        size_t open = i + 1;
        if (tokens[open].text == "constexpr") ++open;
        size_t end = end_of_statement(tokens, closing(tokens, open) + 1);
        if (t == "if" && end < last && tokens[end].text == "else")
            return end_of_statement(tokens, end + 1);
        return end;
    }
    for (; i < last; ++i) {
        if (tokens[i].kind != CToken::Kind::sign) continue;
        std::string_view sign = tokens[i].text;
        if (sign == "(" || sign == "[" || sign == "{") i = closing(tokens, i);
        if (sign == ";") return i + 1;
        if (sign == "}") return i;
    }
    return last;
}

// One place in the source where the array is indexed: tokens [begin, end), and each subscript's.
struct Place {
    size_t begin = 0, end = 0;
    std::vector<std::pair<size_t, size_t>> subscripts;
    bool assigned = false;
    int distance = 0;  // in lines
};

class Follower {
  public:
    explicit Follower(const IndexQuestion& question)
        : q_(question), text_(*question.source), tokens_(c_tokens(text_)) {}

    std::optional<IndexAnswer> answer() {
        if (!find_body()) return std::nullopt;
        for (const Place& place : places()) {
            target_ = &place;
            tries_ = 0;
            if (walk(body_ + 1, names_at_entry())) return answer_;
        }
        return std::nullopt;
    }

  private:
    std::string_view text(size_t i) const { return tokens_[i].text; }
    std::string_view range(size_t begin, size_t end) const {
        if (begin >= end) return {};
        const CToken& last = tokens_[end - 1];
        return std::string_view(text_).substr(tokens_[begin].at,
                                              last.at + last.text.size() - tokens_[begin].at);
    }
    bool is_sign(size_t i, std::string_view sign) const {
        return tokens_[i].kind == CToken::Kind::sign && tokens_[i].text == sign;
    }

    bool find_body() {
        for (size_t i = 0; i + 1 < tokens_.size(); ++i) {
            if (text(i) != q_.kernel || !is_sign(i + 1, "(")) continue;
            size_t open = closing(tokens_, i + 1) + 1;
            if (open >= tokens_.size() || !is_sign(open, "{")) continue;
            body_ = open;
            body_end_ = closing(tokens_, open);
            return true;
        }
        return false;
    }

    std::vector<Place> places() const {
        std::vector<Place> found;
        for (size_t i = body_; i < body_end_; ++i) {
            if (text(i) != q_.array || !is_sign(i + 1, "[")) continue;
            auto at = static_cast<std::ptrdiff_t>(tokens_[i].at);
            int line = 1 + static_cast<int>(std::count(text_.begin(), text_.begin() + at, '\n'));
            Place place{i, i + 1, {}, false, std::abs(line - q_.line)};
            if (place.distance > kLinesAround || is_declaration(i)) continue;
            while (is_sign(place.end, "[")) {
                size_t close = closing(tokens_, place.end);
                place.subscripts.emplace_back(place.end + 1, close);
                place.end = close + 1;
            }
            place.assigned = is_sign(place.end, "=");
            found.push_back(std::move(place));
        }
        std::stable_sort(found.begin(), found.end(), [&](const Place& a, const Place& b) {
            bool fits_a = a.assigned == q_.is_store, fits_b = b.assigned == q_.is_store;
            return fits_a != fits_b ? fits_a : a.distance < b.distance;
        });
        return found;
    }

    // "__shared__ T tile[TILE][TILE + PAD];": a name before the array's.
    bool is_declaration(size_t i) const {
        return i > 0 && (tokens_[i - 1].kind == CToken::Kind::name || is_sign(i - 1, ">")) &&
               text(i - 1) != "return";
    }

    CNames names_at_entry() const {
        const Dim3 &grid = q_.at.grid, &block = q_.at.block;
        CNames names;
        for (const auto& [name, value] : q_.at.names) names.values[name] = value;
        auto put = [&](const std::string& name, uint64_t value) {
            names.values[name] = static_cast<int64_t>(value);
        };
        uint64_t b = q_.at.block_index, t = q_.at.thread;
        uint64_t gx = std::max(grid.x, 1u), gy = std::max(grid.y, 1u);
        uint64_t bx = std::max(block.x, 1u), by = std::max(block.y, 1u);
        put("blockIdx.x", b % gx), put("blockIdx.y", b / gx % gy), put("blockIdx.z", b / gx / gy);
        put("threadIdx.x", t % bx), put("threadIdx.y", t / bx % by);
        put("threadIdx.z", t / bx / by);
        put("gridDim.x", grid.x), put("gridDim.y", grid.y), put("gridDim.z", grid.z);
        put("blockDim.x", block.x), put("blockDim.y", block.y), put("blockDim.z", block.z);
        return names;
    }

    // ---- statement by statement; true once the index agrees

    bool walk(size_t i, CNames names) {
        while (i < target_->begin) {
            if (is_sign(i, "{") || is_sign(i, "}") || is_sign(i, ";")) {
                ++i;
                continue;
            }
            if (text(i) == "for" && encloses(i)) return walk_loop(i, names);
            if (text(i) == "if" || text(i) == "while" || text(i) == "else" || text(i) == "for") {
                if (!encloses(i)) {
                    forget_assigned(i, end_of_statement(tokens_, i), names);
                    i = end_of_statement(tokens_, i);
                    continue;
                }
                size_t open = i + 1;
                if (text(open) == "constexpr") ++open;
                size_t inside = text(i) == "else" ? i + 1 : closing(tokens_, open) + 1;
                if (target_->begin < inside) break;  // within the condition
                i = inside;
                continue;
            }
            size_t end = end_of_statement(tokens_, i);
            if (end > target_->begin) break;  // the access's own statement
            take_statement(i, end - 1, names);
            i = end;
        }
        return ++tries_ <= kMostTries && agrees(names);
    }

    bool encloses(size_t i) const { return end_of_statement(tokens_, i) > target_->begin; }

    bool walk_loop(size_t i, const CNames& outside) {
        size_t open = i + 1, close = closing(tokens_, open);
        std::vector<size_t> parts = {open + 1};
        for (size_t k = open + 1; k < close; ++k)
            if (is_sign(k, ";")) parts.push_back(k + 1);
        if (parts.size() != 3 || target_->begin < close) return false;
        CNames names = outside;
        size_t assign = parts[0];
        while (assign < parts[1] && !is_sign(assign, "=")) ++assign;
        if (assign == parts[1] || assign == parts[0]) return false;
        std::string counter(text(assign - 1));
        take_statement(parts[0], parts[1] - 1, names);
        for (int n = 0; n < kMostLoopValues && tries_ < kMostTries; ++n) {
            auto goes_on = c_evaluate(range(parts[1], parts[2] - 1), names);
            if (!goes_on || !*goes_on) return false;
            if (walk(close + 1, names)) return true;
            if (!step(parts[2], close, counter, names)) return false;
        }
        return false;
    }

    // "++j", "j++", "j += ROWS", "j >>= 1".
    bool step(size_t begin, size_t end, const std::string& counter, CNames& names) const {
        auto found = names.values.find(counter);
        if (found == names.values.end() || end - begin < 2) return false;
        std::string_view sign =
            is_sign(begin, "++") || is_sign(begin, "--") ? text(begin) : text(begin + 1);
        if (sign == "++" || sign == "--") {
            found->second += sign == "++" ? 1 : -1;
            return true;
        }
        take_statement(begin, end, names);
        return names.values.count(counter) > 0;
    }

    // "int col = …", "col = …", "col += …", "auto place = [](int a) { return …; }", several by
    // commas.
    void take_statement(size_t begin, size_t end, CNames& names) const {
        for (size_t from = begin; from < end;) {
            size_t comma = from;
            while (comma < end && !is_sign(comma, ",")) {
                bool opens = is_sign(comma, "(") || is_sign(comma, "[") || is_sign(comma, "{");
                comma = opens ? closing(tokens_, comma) + 1 : comma + 1;
            }
            take_assignment(from, std::min(comma, end), names);
            from = comma + 1;
        }
    }

    static bool is_assignment(std::string_view sign) {
        return sign == "=" || (sign.size() >= 2 && sign.back() == '=' && sign != "==" &&
                               sign != "!=" && sign != "<=" && sign != ">=");
    }

    void take_assignment(size_t begin, size_t end, CNames& names) const {
        size_t sign = begin;
        while (sign < end &&
               !(tokens_[sign].kind == CToken::Kind::sign && is_assignment(text(sign)))) {
            if (is_sign(sign, "[") || is_sign(sign, "(")) return;  // of an element, or a call
            ++sign;
        }
        if (sign >= end || sign == begin || tokens_[sign - 1].kind != CToken::Kind::name) return;
        std::string name(text(sign - 1)), value(range(sign + 1, end));
        bool pointer = sign >= begin + 2 && (is_sign(sign - 2, "*") || is_sign(sign - 2, "&"));
        if (is_sign(sign + 1, "[")) return take_lambda(name, sign + 1, end, names);
        if (text(sign) != "=") {  // "+=": the operator without its "="
            std::string_view change = text(sign);
            value = name + std::string(change.substr(0, change.size() - 1)) + "(" + value + ")";
        }
        auto result = pointer ? std::nullopt : c_evaluate(value, names);
        if (result)
            names.values[name] = *result;
        else
            names.values.erase(name);
        made_of_[name] = text(sign) == "=" ? std::pair(sign + 1, end) : std::pair(end, end);
    }

    void take_lambda(const std::string& name, size_t open, size_t end, CNames& names) const {
        size_t list = closing(tokens_, open) + 1;
        if (list >= end || !is_sign(list, "(")) return;
        size_t list_end = closing(tokens_, list), body = list_end + 1;
        while (body < end && !is_sign(body, "{")) ++body;
        if (body + 2 >= end || text(body + 1) != "return") return;
        CFunction function;
        for (size_t i = list + 1; i <= list_end; ++i)
            if ((is_sign(i, ",") || i == list_end) && tokens_[i - 1].kind == CToken::Kind::name)
                function.parameters.emplace_back(text(i - 1));
        size_t semicolon = body + 2;
        while (semicolon < end && !is_sign(semicolon, ";")) ++semicolon;
        function.body = range(body + 2, semicolon);
        names.functions[name] = std::move(function);
    }

    // What a statement that may or may not have run leaves behind.
    void forget_assigned(size_t begin, size_t end, CNames& names) const {
        for (size_t i = begin + 1; i < end; ++i)
            if (tokens_[i].kind == CToken::Kind::sign &&
                (is_assignment(text(i)) || text(i) == "++" || text(i) == "--"))
                for (size_t name : {i - 1, i + 1})
                    if (name == i - 1 || text(i) == "++" || text(i) == "--")
                        names.values.erase(std::string(text(name)));
    }

    // ---- the index

    // The extents behind the first of "tile[TILE][TILE + PAD]", from its declaration.
    std::vector<int64_t> extents(const CNames& names) const {
        std::vector<int64_t> found;
        for (size_t i = 1; i < target_->begin; ++i) {
            if (text(i) != q_.array || !is_sign(i + 1, "[") || !is_declaration(i)) continue;
            found.clear();
            size_t at = closing(tokens_, i + 1) + 1;
            for (; is_sign(at, "["); at = closing(tokens_, at) + 1) {
                auto extent = c_evaluate(range(at + 1, closing(tokens_, at)), names);
                found.push_back(extent.value_or(0));
            }
        }
        return found;
    }

    bool agrees(const CNames& names) {
        std::vector<int64_t> inner = extents(names);
        if (target_->subscripts.size() != inner.size() + 1) return false;
        int64_t element = 0;
        for (size_t i = 0; i < target_->subscripts.size(); ++i) {
            auto [begin, end] = target_->subscripts[i];
            auto value = c_evaluate(range(begin, end), names);
            if (!value || *value < 0 || *value > int64_t{1} << 40) return false;
            if (i > 0 && inner[i - 1] <= 0) return false;
            element = (i > 0 ? element * inner[i - 1] : 0) + *value;
        }
        if (element * q_.element_bytes != static_cast<int64_t>(q_.offset)) return false;
        answer_ = {collapsed(range(target_->begin, target_->end)), with_numbers(names), element};
        return true;
    }

    static std::string collapsed(std::string_view text) {
        std::string out;
        for (char c : text) {
            bool blank = c == ' ' || c == '\n' || c == '\t' || c == '\r';
            if (blank && (out.empty() || out.back() == ' ')) continue;
            out += blank ? ' ' : c;
        }
        return out;
    }

    std::string numbers_of(size_t begin, size_t end, const CNames& names) const {
        std::string out;
        for (size_t i = begin; i < end; ++i) {
            if (i > begin) {
                size_t from = tokens_[i - 1].at + tokens_[i - 1].text.size();
                if (from < tokens_[i].at) out += ' ';
            }
            auto found = names.values.find(text(i));
            bool value = i != target_->begin && tokens_[i].kind == CToken::Kind::name &&
                         found != names.values.end() && !is_sign(i + 1, "(");
            out += value ? std::to_string(found->second) : std::string(text(i));
        }
        return out;
    }

    // Of "in[i]" what i was made of: a single number would hide the thread's place in it.
    std::string with_numbers(const CNames& names) const {
        auto [begin, end] = target_->subscripts.front();
        auto made = made_of_.find(std::string(text(begin)));
        bool is_name = target_->subscripts.size() == 1 && end == begin + 1;
        if (!is_name || made == made_of_.end())
            return numbers_of(target_->begin, target_->end, names);
        auto [from, to] = made->second;
        auto value = names.values.find(text(begin));
        bool is_so = to > from + 1 && value != names.values.end() &&
                     c_evaluate(range(from, to), names) == value->second;
        if (!is_so) return numbers_of(target_->begin, target_->end, names);
        return q_.array + "[" + numbers_of(from, to, names) + "]";
    }

    const IndexQuestion& q_;
    const std::string& text_;
    Tokens tokens_;
    size_t body_ = 0, body_end_ = 0;
    const Place* target_ = nullptr;
    int tries_ = 0;
    // By name: the tokens that it was last set to; none after "+=" and the like.
    mutable std::map<std::string, std::pair<size_t, size_t>> made_of_;
    IndexAnswer answer_;
};

}  // namespace

std::optional<IndexAnswer> substituted_index(const IndexQuestion& question) {
    if (!question.source || question.array.empty() || question.element_bytes <= 0)
        return std::nullopt;
    return Follower(question).answer();
}

std::optional<int64_t> c_value(const std::string& expression,
                               const std::map<std::string, int64_t>& names) {
    CNames known;
    for (const auto& [name, value] : names) known.values[name] = value;
    return c_evaluate(expression, known);
}

}  // namespace lanewise
