#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "base/error.h"
#include "lab/change/kernel_text.h"
#include "lab/change/source_changes.h"
#include "lab/kernel/kernel_arguments.h"
#include "lab/kernel/kernel_list.h"
#include "lab/kernel/source_names.h"

namespace lanewise {
namespace {

constexpr uint64_t kMostBins = 1024;  // of the copy: 4 KiB of shared memory

struct Bins {
    std::string name, type;  // "bins", "unsigned"
    uint64_t count = 0;      // elements of its buffer in this launch
};

// The pointers to whole numbers of 32 bits, with what the launch has for each.
std::vector<Bins> whole_numbers(const Job& job) {
    std::vector<Bins> found;
    const std::string name = kernel_name(job);
    for (const KernelInSource& kernel : kernels_in_source(job.stage.source)) {
        if (kernel.name != name) continue;
        for (size_t i = 0; i < std::min(kernel.parameters.size(), job.own.arguments.size()); ++i) {
            std::string type;
            size_t stars = 0;
            const std::string whole = parameter_type(kernel.parameters[i]);
            for (const CToken& token : c_tokens(whole)) {
                if (token.text == "*") ++stars;
                if (token.kind == CToken::Kind::name && token.text != "__restrict__")
                    type += (type.empty() ? "" : " ") + std::string(token.text);
            }
            const bool fits = type == "int" || type == "unsigned" || type == "unsigned int" ||
                              type == "uint32_t" || type == "int32_t";
            if (stars != 1 || !fits) continue;
            try {
                const KernelArgument argument = parse_argument(job.own.arguments[i]);
                if (argument.is_buffer)
                    found.push_back({parameter_name(kernel.parameters[i]), type, argument.count});
            } catch (const Error&) {
                // The launch itself says what is wrong with it.
            }
        }
        break;
    }
    return found;
}

// "atomicAdd(&bins[INDEX], VALUE);" as a statement of its own.
struct Addition {
    size_t first = 0, last = 0;  // tokens, the semicolon included
    std::string index, value;
};

class Gatherer {
  public:
    explicit Gatherer(const Job& job) : source_(job.stage.source), text_(source_, kernel_name(job)) {}

    std::optional<SourceChange> change(const Bins& bins, const Dim3& block) const {
        const std::string here = bins.name + "_here", bin = bins.name + "_bin", k = bins.name + "_k";
        for (const std::string& name : {here, bin, k})
            if (text_.has_name(name)) return {};
        std::vector<TextEdit> edits;
        bool is_flat = block.y * block.z == 1;
        for (size_t i = text_.body_begin(); i < text_.body_end(); ++i) {
            const std::string_view word = text_.text(i);
            if (word == "return" || word == "goto" || word == "asm") return {};
            if (word == "threadIdx.y" || word == "threadIdx.z") is_flat = false;
            if (word != bins.name) continue;
            const std::optional<Addition> addition = read(i);
            if (!addition) return {};  // it is used in another way
            edits.push_back(
                {text_.begin_of(addition->first), text_.end_of(addition->last),
                 fmt::format("{{ const unsigned {0} = {1}; if ({0} < {2}) atomicAdd(&{3}[{0}], {5}); "
                             "else atomicAdd(&{4}[{0}], {5}); }}",
                             bin, addition->index, count_of(bins), here, bins.name,
                             addition->value)});
            i = addition->last;
        }
        if (edits.empty()) return {};
        frame(bins, is_flat, here, k, edits);
        return SourceChange{fmt::format("What is added to {} is added in shared memory first", bins.name),
                            edited(source_, edits)};
    }

  private:
    static uint64_t count_of(const Bins& bins) { return std::min(bins.count, kMostBins); }

    // The copy begins as zeros, and goes to the buffer at the end.
    void frame(const Bins& bins, bool is_flat, const std::string& here, const std::string& k,
               std::vector<TextEdit>& edits) const {
        const std::string thread =
            is_flat ? "threadIdx.x" : "threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z)";
        const std::string threads = is_flat ? "blockDim.x" : "blockDim.x * blockDim.y * blockDim.z";
        const std::string walk = fmt::format("for (unsigned {0} = {1}; {0} < {2}; {0} += {3})", k, thread,
                                             count_of(bins), threads);
        const size_t open = text_.end_of(text_.body_begin() - 1), close = text_.begin_of(text_.body_end());
        edits.push_back({open, open,
                         fmt::format("\n    __shared__ {} {}[{}];\n    {} {}[{}] = 0;\n    __syncthreads();",
                                     bins.type, here, count_of(bins), walk, here, k)});
        edits.push_back({close, close,
                         fmt::format("{}    __syncthreads();\n    {}\n        if ({}[{}] != 0) atomicAdd(&{}[{}], {}[{}]);\n",
                                     source_[close - 1] == '\n' ? "" : "\n", walk, here, k, bins.name, k, here, k)});
    }

    // Of the buffer's name at this token.
    std::optional<Addition> read(size_t name) const {
        size_t call = name;
        if (text_.text(call - 1) == "&") --call;
        if (call < 2 || text_.text(call - 1) != "(" || text_.text(call - 2) != "atomicAdd") return {};
        const size_t open = call - 1, close = text_.closing(open);
        Addition addition;
        addition.first = call - 2;
        addition.last = close + 1;
        if (text_.text(close + 1) != ";" || !is_statement(addition.first)) return {};
        size_t comma = name + 1;
        if (text_.text(name + 1) == "[") {
            if (call == name) return {};
            comma = text_.closing(name + 1) + 1;
            addition.index = text_.between(name + 2, comma - 1);
        } else if (text_.text(name + 1) == "+") {
            if (call != name) return {};
            int depth = 0;
            for (comma = name + 2; comma < close; ++comma) {
                const std::string_view sign = text_.text(comma);
                if (sign == "," && depth == 0) break;
                depth += (sign == "(" || sign == "[") - (sign == ")" || sign == "]");
            }
            addition.index = text_.between(name + 2, comma);
        } else {
            addition.index = "0";
            if (call != name) return {};
        }
        if (text_.text(comma) != "," || comma >= close) return {};
        addition.value = text_.between(comma + 1, close);
        return addition;
    }

    // What it returns is nobody's.
    bool is_statement(size_t first) const {
        const std::string_view before = text_.text(first - 1);
        if (before == ";" || before == "{" || before == "}" || before == "else") return true;
        if (before != ")") return false;
        // The bracket of "if (…)" or "for (…)", not that of a conversion.
        int depth = 0;
        for (size_t i = first - 1; i > text_.body_begin(); --i) {
            depth += (text_.text(i) == ")") - (text_.text(i) == "(");
            if (depth > 0) continue;
            const std::string_view word = text_.text(i - 1);
            return word == "if" || word == "for" || word == "while";
        }
        return false;
    }

    const std::string& source_;
    const KernelText text_;
};

}  // namespace

std::vector<SourceChange> histogram_changes(const Job& job) {
    std::vector<SourceChange> changes;
    const Gatherer changer(job);
    for (const Bins& bins : whole_numbers(job))
        if (auto change = changer.change(bins, job.own.shape.block)) changes.push_back(std::move(*change));
    return changes;
}

}  // namespace lanewise
