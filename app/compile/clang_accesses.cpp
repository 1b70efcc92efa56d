#include "compile/clang_accesses.h"

#include <algorithm>
#include <map>
#include <set>
#include <vector>

#include "base/text.h"
#include "compile/clang_ir.h"

namespace lanewise {

namespace {
// Bytes of a structure that its members cover, from a `!N = !{i64 offset, i64 size, !tag, …}`.
struct Members {
    uint64_t covered = 0;  // 0: there is padding between them
    uint64_t smallest = 8;
};

// Where a pointer points, as far as one function tells.
struct Place {
    bool is_local = false;       // into an alloca
    bool is_natural = true;      // its alignment is that of its type: no array or variable is known
    bool is_packed = false;      // a member of a packed structure
    std::string in_shared = {};  // the same pointer in shared memory's own address space
};

struct Copy {
    std::string_view to, from;  // operands
    uint64_t bytes = 0, to_align = 0, from_align = 0;
    std::string_view debug;   // "!dbg !12"; may be empty
    std::string_view layout;  // "!N" of its !tbaa.struct; may be empty
};
}  // namespace

// ---- Reading -----------------------------------------------------------------------------------

static constexpr uint64_t kMostMerged = 4;  // numbers in one access of ptxas's

// The number that follows `word` in `text`; 0 where there is none.
static uint64_t number_after(std::string_view text, std::string_view word) {
    size_t at = text.find(word);
    if (at == text.npos) return 0;
    at += word.size();
    size_t end = at;
    while (end < text.size() && is_digit(text[end])) ++end;
    int64_t value = 0;
    bool is_number = parse_integer(text.substr(at, end - at), value) && value > 0;
    return is_number ? static_cast<uint64_t>(value) : 0;
}

// "!12" of `…, !dbg !12, …` where key is "!dbg ".
static std::string_view node_after(std::string_view line, std::string_view key) {
    size_t at = line.find(key);
    if (at == line.npos) return {};
    size_t begin = at + key.size(), end = begin + 1;
    while (end < line.size() && is_digit(line[end])) ++end;
    return line.substr(begin, end - begin);
}

// The pieces of a list up to the bracket that closes it; they may have brackets of their own.
static std::vector<std::string_view> list_from(std::string_view text) {
    std::vector<std::string_view> list;
    int depth = 0;
    size_t begin = 0;
    for (size_t i = 0; i <= text.size(); ++i) {
        char c = i < text.size() ? text[i] : ')';
        bool opens = c == '(' || c == '{' || c == '[' || c == '<';
        bool closes = c == ')' || c == '}' || c == ']' || c == '>';
        if (depth == 0 && (closes || c == ',')) {
            list.push_back(trimmed(text.substr(begin, i - begin)));
            begin = i + 1;
        }
        depth += opens ? 1 : closes ? -1 : 0;
        if (depth < 0) break;
    }
    return list;
}

// "%12" of `ptr noundef nonnull align 16 dereferenceable(16) %12`: what follows the attributes.
static std::string_view operand_of(std::string_view argument) {
    for (std::string_view attribute :
         {"ptr ", "noundef ", "nonnull ", "align ", "dereferenceable("}) {
        if (!argument.starts_with(attribute)) continue;
        bool has_value = attribute == "align " || attribute == "dereferenceable(";
        argument.remove_prefix(attribute.size());
        if (has_value) argument.remove_prefix(std::min(argument.find(' ') + 1, argument.size()));
    }
    return argument;
}

static bool parse_members(std::string_view line, std::string_view& node, Members& members) {
    size_t open = line.find(" = !{i64 ");
    if (!line.starts_with("!") || open == line.npos) return false;
    node = line.substr(0, open);
    std::vector<uint64_t> numbers;
    for (std::string_view item : list_from(line.substr(open + 5)))
        if (item.starts_with("i64 ")) numbers.push_back(number_after(item, "i64 "));
    for (size_t i = 0; i + 1 < numbers.size(); i += 2) {
        members.smallest = std::min(members.smallest, numbers[i + 1]);
        if (numbers[i] > members.covered) {
            members.covered = 0;
            break;
        }
        members.covered = std::max(members.covered, numbers[i] + numbers[i + 1]);
    }
    return true;
}

static bool parse_copy(std::string_view line, Copy& copy) {
    constexpr std::string_view kCall = "call void @llvm.memcpy.p0.p0.i64(";
    size_t call = line.find(kCall);
    if (call == line.npos) return false;
    auto arguments = list_from(line.substr(call + kCall.size()));
    if (arguments.size() != 4 || arguments[3] != "i1 false") return false;
    copy.to = operand_of(arguments[0]);
    copy.from = operand_of(arguments[1]);
    copy.to_align = number_after(arguments[0], " align ");
    copy.from_align = number_after(arguments[1], " align ");
    copy.bytes = number_after(arguments[2], "i64 ");
    copy.debug = node_after(line, "!dbg ");
    copy.layout = node_after(line, "!tbaa.struct ");
    return true;
}

static uint64_t bytes_of_number(std::string_view type) {
    static const std::map<std::string_view, uint64_t> kBytes = {
        {"i16", 2},   {"half", 2}, {"bfloat", 2}, {"i32", 4},
        {"float", 4}, {"i64", 8},  {"double", 8}, {"ptr", 8}};
    auto found = kBytes.find(type);
    return found == kBytes.end() ? 0 : found->second;
}

using Sizes = std::map<std::string_view, uint64_t>;

// Of "[4 x [8 x float]]" and "[4 x %struct.half]", of numbers and structures in `sizes`; 0 of
// anything else.
static uint64_t bytes_of_array(std::string_view type, const Sizes& sizes) {
    if (type == "i8") return 1;
    if (auto found = sizes.find(type); found != sizes.end()) return found->second;
    if (uint64_t bytes = bytes_of_number(type)) return bytes;
    size_t by = type.find(" x ");
    if (!type.starts_with('[') || !type.ends_with(']') || by == type.npos) return 0;
    return number_after(type, "[") *
           bytes_of_array(type.substr(by + 3, type.size() - by - 4), sizes);
}

// Notes the bytes of `%struct.float2 = type { float, float }` where its members are of one size.
static void note_size(std::string_view line, Sizes& sizes) {
    constexpr std::string_view kType = " = type { ";
    size_t at = line.find(kType);
    if (!line.starts_with("%") || at == line.npos) return;
    uint64_t sum = 0, one = 0;
    for (std::string_view member : list_from(line.substr(at + kType.size()))) {
        uint64_t bytes = bytes_of_array(member, sizes);
        if (bytes == 0 || (one != 0 && bytes != one)) return;
        one = bytes;
        sum += bytes;
    }
    sizes[line.substr(0, at)] = sum;
}

// ---- Writing -----------------------------------------------------------------------------------

namespace {
class Rewriter {
  public:
    explicit Rewriter(std::string_view ir) : lines_(split(ir, '\n')) {
        for (std::string_view line : lines_) {
            std::string_view node;
            Members members;
            if (parse_members(line, node, members)) layouts_.emplace(node, members);
            note_size(line, sizes_);
            if (line.find(" = type <{") != line.npos)
                packed_.insert(line.substr(0, line.find(' ')));
        }
        while (ir.find(prefix_) != ir.npos) prefix_ += 'x';
        result_.reserve(ir.size() + ir.size() / 8);
    }
    std::string run() {
        for (std::string_view line : lines_) rewrite(line);
        if (!result_.empty()) result_.pop_back();  // split() saw one line more than there are ends
        return std::move(result_);
    }

  private:
    void rewrite(std::string_view line) {
        if (line.starts_with("define ")) places_.clear();
        Copy copy;
        if (parse_copy(line, copy) && write_copy(copy)) return;
        if (write_address(line)) return;
        if (line.starts_with("@"))
            result_ += aligned_array(line);
        else if (line.starts_with("  "))
            result_ += aligned_access(line);
        else
            result_ += line;
        result_ += '\n';
        if (line.starts_with("  %")) note_place(line);
    }

    // ---- what is known of pointers
    Place place_of(std::string_view operand) const {
        auto found = places_.find(operand);
        if (found != places_.end()) return found->second;
        Place place;
        place.is_natural = operand.find('@') == operand.npos;
        constexpr std::string_view kCast = "addrspacecast (ptr addrspace(3) @";
        if (operand.starts_with(kCast) && operand.ends_with(" to ptr)"))
            place.in_shared =
                operand.substr(kCast.size() - 1, operand.find(" to ptr)") - kCast.size() + 1);
        return place;
    }
    // An operand with its type, in shared memory's own address space where it is known to lie
    // there: only then the optimiser knows how well it is aligned.
    std::string pointer(std::string_view operand) const {
        std::string shared = place_of(operand).in_shared;
        return shared.empty() ? "ptr " + std::string(operand) : "ptr addrspace(3) " + shared;
    }
    // `  %3 = alloca …` and `  %4 = addrspacecast ptr addrspace(3) %lanewise5 to ptr`.
    void note_place(std::string_view line) {
        constexpr std::string_view kCast = "addrspacecast ptr addrspace(3) ";
        size_t at = line.find(" = ");
        if (at == line.npos) return;
        std::string_view name = line.substr(2, at - 2), what = line.substr(at + 3);
        if (what.starts_with("alloca ")) places_[name] = {true, true, false};
        size_t end = what.find(" to ptr");
        if (what.starts_with(kCast) && end != what.npos)
            places_[name] = {false, true, false,
                             std::string(what.substr(kCast.size(), end - kCast.size()))};
    }
    // `%12 = getelementptr inbounds T, ptr %11, …`; false where nothing was written.
    bool write_address(std::string_view line) {
        constexpr std::string_view kWord = " = getelementptr ";
        size_t at = line.find(kWord);
        if (!line.starts_with("  %") || at == line.npos) return false;
        std::string_view name = line.substr(2, at - 2), what = line.substr(at + kWord.size());
        size_t flags = 0;
        for (std::string_view flag : {"inbounds ", "nusw ", "nuw "})
            if (what.substr(flags).starts_with(flag)) flags += flag.size();
        auto list = list_from(what.substr(flags));
        if (list.size() < 2 || !list[1].starts_with("ptr ")) return false;
        Place base = place_of(list[1].substr(4)), place = base;
        bool is_whole_local = base.is_local && base.is_natural;  // the variable itself, not in it
        place.is_natural = base.is_natural && !is_whole_local;
        place.is_packed = base.is_packed || packed_.count(list[0]) > 0;
        if (!base.in_shared.empty()) {
            place.in_shared = new_name();
            size_t begin = static_cast<size_t>(list[1].data() - line.data());
            result_ += "  " + place.in_shared + std::string(line.substr(at, begin - at)) +
                       "ptr addrspace(3) " + base.in_shared +
                       std::string(line.substr(begin + list[1].size())) + "\n  " +
                       std::string(name) + " = addrspacecast ptr addrspace(3) " + place.in_shared +
                       " to ptr\n";
        }
        places_[name] = place;
        return !base.in_shared.empty();
    }

    // ---- copies of structures
    // Clang knows of a pointer into a variable what that is aligned to, of others what their type
    // is.
    uint64_t alignment_of(const Copy& copy) const {
        Place to = place_of(copy.to), from = place_of(copy.from);
        if (to.is_packed || from.is_packed) return 0;
        if (to.is_natural != from.is_natural)
            return to.is_natural ? copy.to_align : copy.from_align;
        return std::min(copy.to_align, copy.from_align);
    }
    bool write_copy(const Copy& copy) {
        Place to = place_of(copy.to), from = place_of(copy.from);
        if (to.is_local && from.is_local) return false;  // the optimiser's own
        uint64_t number = 4;                             // bytes of the numbers in a word
        if (auto found = layouts_.find(copy.layout); found != layouts_.end()) {
            if (found->second.covered != copy.bytes) return false;
            if (found->second.smallest == 8) number = 8;
        }
        uint64_t word = std::min<uint64_t>({16, alignment_of(copy), copy.bytes});
        bool is_whole = copy.bytes > 0 && copy.bytes <= kMostCopied && word >= 4 &&
                        copy.bytes % word == 0 && (word >= 8 || word == copy.bytes);
        if (!is_whole) return false;
        for (uint64_t at = 0; at < copy.bytes; at += word)
            write_word(copy, at, word, std::min(number, word), from.is_local, to.is_local);
        return true;
    }
    // In local memory number by number, which the optimiser keeps in registers; else at once.
    void write_word(const Copy& copy, uint64_t at, uint64_t word, uint64_t number, bool from_local,
                    bool to_local) {
        std::string debug = copy.debug.empty() ? "" : ", !dbg " + std::string(copy.debug);
        std::string element = number == 8 ? "i64" : "i32";
        uint64_t count = word / number;
        std::string whole =
            count == 1 ? element : "<" + std::to_string(count) + " x " + element + ">";
        auto put = [&](const std::string& text) { result_ += "  " + text + debug + "\n"; };
        auto moved = [&](std::string_view operand, uint64_t by) {  // with its type
            std::string from = pointer(operand);
            if (by == 0) return from;
            std::string name = new_name();
            put(name + " = getelementptr inbounds i8, " + from + ", i64 " + std::to_string(by));
            return from.substr(0, from.rfind(' ') + 1) + name;
        };
        auto aligned = [](uint64_t bytes) { return ", align " + std::to_string(bytes); };
        std::string value = "poison";
        if (!from_local || count == 1) {
            std::string from = moved(copy.from, at);
            value = new_name();
            put(value + " = load " + whole + ", " + from + aligned(word));
        } else {
            for (uint64_t i = 0; i < count; ++i) {
                std::string from = moved(copy.from, at + i * number), one = new_name();
                put(one + " = load " + element + ", " + from + aligned(number));
                std::string next = new_name();
                put(next + " = insertelement " + whole + " " + value + ", " + element + " " + one +
                    ", i64 " + std::to_string(i));
                value = next;
            }
        }
        if (!to_local || count == 1) {
            std::string to = moved(copy.to, at);
            put("store " + whole + " " + value + ", " + to + aligned(word));
            return;
        }
        // Frozen, or the optimiser loads again what belongs together, by itself.
        std::string frozen = new_name();
        put(frozen + " = freeze " + whole + " " + value);
        value = frozen;
        for (uint64_t i = 0; i < count; ++i) {
            std::string to = moved(copy.to, at + i * number), one = new_name();
            put(one + " = extractelement " + whole + " " + value + ", i64 " + std::to_string(i));
            put("store " + element + " " + one + ", " + to + aligned(number));
        }
    }
    std::string new_name() { return prefix_ + std::to_string(names_++); }

    // ---- single numbers
    // `  %4 = load float, ptr %3, align 1, …` or `  store float %4, ptr %3, align 1, …`.
    std::string aligned_access(std::string_view line) const {
        size_t load = line.find(" = load "), store = line.starts_with("  store ") ? 2 : line.npos;
        if (load == line.npos && store == line.npos) return std::string(line);
        std::string_view rest = load != line.npos ? line.substr(load + 8) : line.substr(store + 6);
        auto list = list_from(rest);
        if (list.size() < 3 || !list[1].starts_with("ptr ") || !list[2].starts_with("align "))
            return std::string(line);
        std::string_view type = load != line.npos ? list[0] : list[0].substr(0, list[0].find(' '));
        std::string_view operand = list[1].substr(4);
        uint64_t bytes = bytes_of_number(type), align = number_after(list[2], "align ");
        std::string result(line);
        size_t at = static_cast<size_t>(list[2].data() - line.data());
        if (align < bytes && !place_of(operand).is_packed)
            result.replace(at, list[2].size(), "align " + std::to_string(bytes));
        return result.replace(static_cast<size_t>(list[1].data() - line.data()), list[1].size(),
                              pointer(operand));
    }

    // ---- shared memory
    // `@tile = internal addrspace(3) global [32 x [33 x float]] undef, align 4`.
    std::string aligned_array(std::string_view line) const {
        constexpr std::string_view kShared = " addrspace(3) global [";
        size_t at = line.find(kShared), align = line.rfind(", align ");
        std::string result(line);
        if (at == line.npos || align == line.npos) return result;
        std::string_view type = line.substr(at + kShared.size() - 1);
        size_t end = 0;
        for (int depth = 0; end < type.size(); ++end) {
            depth += type[end] == '[' ? 1 : type[end] == ']' ? -1 : 0;
            if (depth == 0) break;
        }
        type = type.substr(0, end + 1);
        std::string_view element = type;
        while (element.starts_with('[') && element.find(" x ") != element.npos)
            element = trimmed(element.substr(element.find(" x ") + 3));
        while (element.ends_with(']')) element.remove_suffix(1);
        bool is_dynamic = type.starts_with("[0 x ");
        uint64_t bytes = bytes_of_array(type, sizes_), one = bytes_of_array(element, sizes_);
        if (is_dynamic) bytes = one = 16;
        uint64_t wanted = std::min<uint64_t>(16, kMostMerged * one);
        if (bytes == 0 || bytes % 16 != 0) return result;
        if (number_after(line.substr(align), ", align ") >= wanted) return result;
        return result.replace(align, result.size() - align, ", align " + std::to_string(wanted));
    }

    std::vector<std::string_view> lines_;
    std::map<std::string, Members, std::less<>> layouts_;  // by "!N"
    Sizes sizes_;
    std::set<std::string_view> packed_;         // types
    std::map<std::string_view, Place> places_;  // of the function's pointers
    std::string result_;
    std::string prefix_ = "%lanewise";  // of names that nobody has
    int names_ = 0;
};
}  // namespace

std::string with_whole_accesses(std::string_view ir) { return Rewriter(ir).run(); }

}  // namespace lanewise
