// How a loop looks with it:
//   { int i_4 = 0;
//     if (every pointer is aligned) { i_4 = n / 4 * 4; for (int i = 4 * FIRST; i < i_4; i += 4 * STEP) … }
//     for (int i = i_4 + FIRST; i < n; i += STEP) as before }
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>

#include "base/text.h"
#include "lab/change/kernel_text.h"
#include "lab/change/source_changes.h"
#include "lab/kernel/index_expression.h"
#include "lab/kernel/source_names.h"

namespace lanewise {
namespace {

struct Vector {
    const char *element, *name;
    int width;
};
constexpr Vector kVectors[] = {{"float", "float4", 4},        {"int", "int4", 4},
                               {"unsigned", "uint4", 4},      {"uint32_t", "uint4", 4},
                               {"int32_t", "int4", 4},        {"double", "double2", 2}};
constexpr int kWidth = 4;  // elements; a double2 goes twice

const Vector* vector_of(std::string_view element) {
    for (const Vector& each : kVectors)
        if (element == each.element) return &each;
    return nullptr;
}

struct Loop {
    size_t keyword = 0;          // the token "for"
    std::string type, i;         // "int i"
    std::string first, limit, step;
    size_t body = 0, body_end = 0;  // its tokens, brackets included
    size_t limit_begin = 0, limit_end = 0;
};

// What the loop does with one pointer: everywhere at the same element, [base + i].
struct Use {
    const Vector* vector = nullptr;
    std::string base;  // "" or "blockIdx.x * cols"
    bool is_read = false, is_written = false;
    bool is_apart = false;  // it is not always written: element by element, as before
    std::vector<std::pair<size_t, size_t>> places;  // tokens: the name to behind its bracket
};

class Widener {
  public:
    explicit Widener(const Job& job)
        : job_(job), source_(job.stage.source), text_(source_, kernel_name(job)) {
        add_constants(source_, constants_);
    }

    std::vector<SourceChange> find() {
        const Dim3 block = job_.own.shape.block;
        // Of a stage the head says how it is launched, and its loops are over knobs.
        if (!job_.own.is_used() || block.y * block.z != 1) return {};
        std::vector<TextEdit> edits;
        for (size_t i = text_.body_begin(); i < text_.body_end(); ++i) {
            const std::optional<Loop> loop = read_loop(i);
            if (!loop) continue;
            if (std::optional<TextEdit> edit = change(*loop)) {
                edits.push_back(std::move(*edit));
                i = loop->body_end - 1;
            }
        }
        if (edits.size() == 1) return {{"Its loop moves 16 bytes at a time", edited(source_, edits)}};
        std::vector<SourceChange> changes;  // of several, each alone and all of them
        for (const TextEdit& edit : edits)
            changes.push_back({fmt::format("Its loop in line {} moves 16 bytes at a time", line_of(edit.begin)),
                               edited(source_, {edit})});
        if (!edits.empty()) changes.push_back({"Its loops move 16 bytes at a time", edited(source_, edits)});
        return changes;
    }

  private:
    std::string_view word(size_t token) const { return text_.text(token); }
    int64_t line_of(size_t at) const {
        return 1 + std::count(source_.begin(), source_.begin() + static_cast<std::ptrdiff_t>(at), '\n');
    }
    bool is_name(size_t token) const {
        return token < text_.tokens().size() && text_.tokens()[token].kind == CToken::Kind::name;
    }

    // ---- "for (int i = FIRST; i < LIMIT; i += STEP) BODY"

    std::optional<Loop> read_loop(size_t at) const {
        if (word(at) != "for" || word(at + 1) != "(" || !text_.begins_line(at)) return {};
        const std::string_view before = word(at - 1);
        if (before != ";" && before != "{" && before != "}") return {};
        const size_t close = text_.closing(at + 1);
        std::vector<size_t> ends;  // the two semicolons
        for (size_t i = at + 2; i < close; ++i)
            if (word(i) == ";") ends.push_back(i);
        if (close >= text_.body_end() || ends.size() != 2) return {};
        Loop loop;
        loop.keyword = at;
        size_t equals = at + 2;
        while (equals < ends[0] && word(equals) != "=") ++equals;
        if (equals < at + 4 || equals == ends[0]) return {};
        loop.i = std::string(word(equals - 1));
        loop.type = text_.between(at + 2, equals - 1);
        loop.first = text_.between(equals + 1, ends[0]);
        loop.limit_begin = ends[0] + 3;
        loop.limit_end = ends[1];
        loop.limit = text_.between(loop.limit_begin, loop.limit_end);
        if (word(ends[0] + 1) != loop.i || word(ends[0] + 2) != "<") return {};
        if (word(ends[1] + 1) != loop.i || word(ends[1] + 2) != "+=") return {};
        loop.step = text_.between(ends[1] + 3, close);
        static constexpr std::string_view kTypes[] = {"int", "unsigned", "unsigned int", "size_t",
                                                      "long long", "int64_t"};
        if (std::find(std::begin(kTypes), std::end(kTypes), loop.type) == std::end(kTypes)) return {};
        loop.body = close + 1;
        if (word(loop.body) == "{") {
            loop.body_end = text_.closing(loop.body) + 1;
        } else {
            loop.body_end = loop.body;
            while (loop.body_end < text_.body_end() && word(loop.body_end) != ";") ++loop.body_end;
            ++loop.body_end;
        }
        if (loop.body_end > text_.body_end()) return {};
        return walks_side_by_side(loop) ? std::optional(loop) : std::nullopt;
    }

    // Without blanks, with the block's size in place of what says the same, and with the names of
    // what was set once.
    std::string plain(const std::string& expression, int depth = 0) const {
        std::string all;
        for (const CToken& token : c_tokens(expression)) {
            std::string text(token.text);
            if (text == "blockDim.x" || c_value(text, constants_) == int64_t{job_.own.shape.block.x})
                text = "B";
            else if (token.kind == CToken::Kind::name && depth == 0)
                text = set_once(text).value_or(text);
            all += text;
        }
        return all;
    }

    std::optional<std::string> set_once(const std::string& name) const {
        std::optional<std::string> value;
        for (size_t i = text_.body_begin(); i + 1 < text_.body_end(); ++i) {
            if (word(i) != name || !(is_assignment(word(i + 1)) || word(i + 1) == "++")) continue;
            if (value || word(i + 1) != "=" || !is_name(i - 1)) return {};
            size_t end = i + 2;
            while (end < text_.body_end() && word(end) != ";" && word(end) != ",") ++end;
            value = plain(text_.between(i + 2, end), 1);
        }
        return value;
    }

    bool walks_side_by_side(const Loop& loop) const {
        const std::string first = plain(loop.first), step = plain(loop.step);
        if (first == "threadIdx.x") return step == "B";
        const bool of_grid = first == "blockIdx.x*B+threadIdx.x" || first == "B*blockIdx.x+threadIdx.x" ||
                             first == "threadIdx.x+blockIdx.x*B" || first == "threadIdx.x+B*blockIdx.x";
        const Dim3 grid = job_.own.shape.grid;
        return of_grid && grid.y * grid.z == 1 && (step == "gridDim.x*B" || step == "B*gridDim.x");
    }

    // ---- what the body does

    // The element type of the pointer that the token declares: "const float* __restrict__ x"; "" where
    // it declares none of a type that there are vectors of.
    std::string_view declared_here(size_t token) const {
        size_t star = token - 1;
        while (word(star) == "__restrict__" || word(star) == "const") --star;
        if (word(star) != "*") return "";
        const std::string_view type = word(star - 1) == "const" ? word(star - 2) : word(star - 1);
        return vector_of(type) ? type : "";
    }

    // From its declaration as a parameter or in the body.
    std::string element_of(const std::string& pointer) const {
        std::string element;
        for (size_t i = text_.parameters_begin(); i < text_.body_end(); ++i) {
            if (word(i) != pointer || declared_here(i).empty()) continue;
            if (!element.empty()) return "";  // a second one of this name
            element = declared_here(i);
            for (size_t back = 1; back < 5 && back < i; ++back)
                if (word(i - back) == "volatile") return "";
        }
        return element;
    }

    bool is_parameter(std::string_view name) const {
        for (size_t i = text_.parameters_begin(); i < text_.parameters_end(); ++i)
            if (word(i) == name) return true;
        return false;
    }

    // Whether what stands there, besides in the loop itself, is changed in the body.
    bool changes(const Loop& loop, std::string_view name) const {
        for (size_t i = loop.body; i < loop.body_end; ++i)
            if (word(i) == name && (is_assignment(word(i + 1)) || word(i + 1) == "++" ||
                                    word(i + 1) == "--" || word(i - 1) == "++" ||
                                    word(i - 1) == "--" || word(i - 1) == "&"))
                return true;
        return false;
    }

    // "i" or "… + i", where the rest stays as it is during the loop.
    std::optional<std::string> base_of(const Loop& loop, size_t first, size_t last) const {
        if (first >= last || word(last - 1) != loop.i) return {};
        if (last - first == 1) return "";
        if (word(last - 2) != "+") return {};
        int depth = 0;
        for (size_t i = first; i + 2 < last; ++i) {
            const std::string_view sign = word(i);
            if (sign == loop.i || sign == "[" || sign == "++" || sign == "--" || is_assignment(sign)) return {};
            depth += (sign == "(") - (sign == ")");
            const bool is_sum = sign == "+" || sign == "-" || sign == "*" || sign == "/" || sign == "%";
            const bool is_sign = text_.tokens()[i].kind == CToken::Kind::sign;
            if (is_sign && depth == 0 && !is_sum && sign != ")") return {};
            if (is_name(i) && changes(loop, sign)) return {};
        }
        return text_.between(first, last - 2);
    }

    // Whether the pointer is written, or its address taken, outside the loop; `any`: or used at all.
    bool is_used_elsewhere(const Loop& loop, std::string_view pointer, bool any) const {
        for (size_t i = text_.body_begin(); i < text_.body_end(); ++i) {
            if (i == loop.keyword) i = loop.body_end;
            if (word(i) != pointer || !declared_here(i).empty()) continue;
            if (any || word(i - 1) == "&" || word(i + 1) != "[") return true;
            const size_t close = text_.closing(i + 1);
            if (is_assignment(word(close + 1)) || word(close + 1) == "++") return true;
        }
        return false;
    }

    // Whether the assignment to the place at tokens [at, end) is made for every element.
    bool is_always_made(const Loop& loop, size_t at) const {
        int depth = 0;
        for (size_t i = loop.body; i < at; ++i) depth += (word(i) == "{") - (word(i) == "}");
        const bool in_block = word(loop.body) == "{";
        if (depth != (in_block ? 1 : 0)) return false;
        const std::string_view before = word(at - 1);
        return at == loop.body || before == ";" || before == "{" || before == "}";
    }

    std::map<std::string, Use> uses_in(const Loop& loop) const {
        std::map<std::string, Use> uses;
        std::vector<std::string> refused;
        for (size_t i = loop.body; i < loop.body_end; ++i) {
            if (!is_name(i) || word(i + 1) != "[") continue;
            const std::string pointer(word(i));
            const size_t close = text_.closing(i + 1);
            const Vector* vector = vector_of(element_of(pointer));
            const auto base = base_of(loop, i + 2, close);
            Use& use = uses[pointer];
            const bool fits = vector && base && (use.places.empty() || use.base == *base) &&
                              word(i - 1) != "&" && word(close + 1) != "[" && word(close + 1) != "." &&
                              word(close + 1) != "++" && word(close + 1) != "--" &&
                              word(i - 1) != "++" && word(i - 1) != "--";
            if (!fits) {
                refused.push_back(pointer);
                continue;
            }
            use.vector = vector;
            use.base = *base;
            const bool assigned = is_assignment(word(close + 1));
            use.is_apart |= assigned && !is_always_made(loop, i);
            use.is_written |= assigned;
            use.is_read |= !assigned || word(close + 1) != "=";
            use.places.emplace_back(i, close + 1);
        }
        for (size_t i = loop.body; i < loop.body_end; ++i)  // used without a bracket
            if (uses.contains(std::string(word(i))) && word(i + 1) != "[")
                refused.emplace_back(word(i));
        for (auto& [pointer, use] : uses)
            if (is_used_elsewhere(loop, pointer, use.is_written) || (use.is_written && !is_parameter(pointer)))
                refused.push_back(pointer);
        for (const std::string& pointer : refused) uses.erase(pointer);
        return uses;
    }

    bool is_about_elements_alone(const Loop& loop, const std::map<std::string, Use>& uses) const {
        static constexpr std::string_view kNot[] = {"break",  "continue", "return", "goto",   "asm",
                                                    "threadIdx.x", "threadIdx.y", "threadIdx.z", "#"};
        for (size_t i = loop.body; i < loop.body_end; ++i) {
            const std::string_view sign = word(i);
            if (std::find(std::begin(kNot), std::end(kNot), sign) != std::end(kNot)) return false;
            // Lanes that do something together; and loops within, which may be other than it seems.
            if (sign.starts_with("__") && (sign.find("sync") != sign.npos || sign.ends_with("fence")))
                return false;
            if (sign == "for" || sign == "while" || sign == "do" || sign == "static") return false;
            // Another array is written: somebody may count on who writes what.
            if (sign == "]" && is_assignment(word(i + 1)) && !is_place_of(uses, i + 1)) return false;
            if (sign == "*" && (word(i - 1) == ";" || word(i - 1) == "{" || word(i - 1) == ")")) return false;
        }
        return !changes(loop, loop.i);
    }
    static bool is_place_of(const std::map<std::string, Use>& uses, size_t end) {
        for (const auto& [pointer, use] : uses)
            for (const auto& place : use.places)
                if (place.second == end) return true;
        return false;
    }

    bool limit_stays(const Loop& loop) const {
        for (size_t i = loop.limit_begin; i < loop.limit_end; ++i) {
            const std::string_view sign = word(i);
            if (is_name(i) ? changes(loop, sign) || word(i + 1) == "(" : sign == "[" || sign == "?")
                return false;
        }
        return true;
    }

    // ---- the loop with it

    std::optional<TextEdit> change(const Loop& loop) const {
        const std::map<std::string, Use> uses = uses_in(loop);
        const bool all_apart = std::all_of(uses.begin(), uses.end(),
                                           [](const auto& use) { return use.second.is_apart; });
        if (all_apart || !is_about_elements_alone(loop, uses) || !limit_stays(loop)) return {};
        const std::string i4 = loop.i + "_4", k = "k_4";
        for (const std::string& name : {i4, k})
            if (text_.has_name(name)) return {};
        for (const auto& [pointer, use] : uses)
            if (text_.has_name(pointer + "_4")) return {};

        const std::string in = text_.indentation(loop.keyword);
        std::string aligned, begins, ends;
        for (const auto& [pointer, use] : uses) {
            if (use.is_apart) continue;
            const std::string at = use.base.empty() ? pointer : fmt::format("&{}[{}]", pointer, use.base);
            aligned += fmt::format("{}size_t({})", aligned.empty() ? "" : " | ", at);
            begins += fmt::format("{}        alignas(16) {} {}_4[{}];\n", in, use.vector->element, pointer, kWidth);
            for (int part = 0; part < kWidth; part += use.vector->width) {
                const std::string index = (use.base.empty() ? "" : use.base + " + ") + loop.i +
                                          (part ? fmt::format(" + {}", part) : "");
                const std::string place = part ? fmt::format("({}_4 + {})", pointer, part)
                                               : fmt::format("({}_4)", pointer);
                const char* name = use.vector->name;
                if (use.is_read)
                    begins += fmt::format("{0}        *reinterpret_cast<{1}*>{2} = *reinterpret_cast<const {1}*>(&{3}[{4}]);\n",
                                          in, name, place, pointer, index);
                if (use.is_written)
                    ends += fmt::format("{0}        *reinterpret_cast<{1}*>(&{3}[{4}]) = *reinterpret_cast<{1}*>{2};\n",
                                        in, name, place, pointer, index);
            }
        }
        const std::string body = text_.between(loop.body, loop.body_end);
        std::string text = fmt::format("{{\n{0}    {1} {2} = 0;  // so many elements go four at a time\n"
                                       "{0}    if (({3}) % 16 == 0) {2} = {4} / {5} * {5};\n"
                                       "{0}    for ({1} {6} = {5} * ({7}); {6} < {2}; {6} += {5} * ({8})) {{\n",
                                       in, loop.type, i4, aligned, in_brackets(loop.limit), kWidth, loop.i,
                                       loop.first, loop.step);
        text += begins;
        text += fmt::format("#pragma unroll\n{0}        for (int {1} = 0; {1} < {2}; ++{1}) {3}\n", in, k, kWidth,
                            body_for_one(loop, uses, k));
        text += ends;
        text += fmt::format("{0}    }}\n{0}    for ({1} {2} = {3} + {4}; {2} < {5}; {2} += {6}) {7}\n{0}}}", in,
                            loop.type, loop.i, i4, loop.first, loop.limit, loop.step, body);
        return TextEdit{text_.begin_of(loop.keyword), text_.end_of(loop.body_end - 1), text};
    }

    // x[i] is x_4[k], and i elsewhere is i + k.
    std::string body_for_one(const Loop& loop, const std::map<std::string, Use>& uses,
                             const std::string& k) const {
        std::vector<TextEdit> edits;
        const size_t base = text_.begin_of(loop.body);
        std::vector<std::pair<size_t, size_t>> taken;
        for (const auto& [pointer, use] : uses)
            for (const auto& [first, last] : use.places) {
                if (use.is_apart) continue;
                edits.push_back({text_.begin_of(first) - base, text_.end_of(last - 1) - base,
                                 fmt::format("{}_4[{}]", pointer, k)});
                taken.emplace_back(first, last);
            }
        for (size_t i = loop.body; i < loop.body_end; ++i) {
            const bool is_taken = std::any_of(taken.begin(), taken.end(), [&](const auto& place) {
                return i >= place.first && i < place.second;
            });
            if (is_taken || word(i) != loop.i) continue;
            edits.push_back({text_.begin_of(i) - base, text_.end_of(i) - base,
                             fmt::format("({} + {})", loop.i, k)});
        }
        return edited(text_.between(loop.body, loop.body_end), edits);
    }

    const Job& job_;
    const std::string& source_;
    const KernelText text_;
    SourceNames constants_;
};

}  // namespace

std::vector<SourceChange> vector_changes(const Job& job) { return Widener(job).find(); }

}  // namespace lanewise
