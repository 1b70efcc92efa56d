#include "compile/clang_ir.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <vector>

#include "base/text.h"

namespace lanewise {

static bool is_name(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '.' || c == '$';
}

// ---- The kernel --------------------------------------------------------------------------------

// The line that defines the marker; "" where there is none.
static std::string_view marker_line(std::string_view ir) {
    std::string start = "@_Z" + std::to_string(kEntryMarker.size()) + std::string(kEntryMarker);
    for (std::string_view line : lines_of(ir))
        if (line.starts_with(start)) return line;
    return {};
}

// A mangled name without its references to earlier parts (S_, S0_, …): within the marker's name
// they are counted from another beginning.
static std::string without_references(std::string_view name) {
    std::string result;
    for (size_t i = 0; i < name.size(); ++i) {
        size_t end = i + 1;
        while (name[i] == 'S' && end < name.size() &&
               (is_digit(name[end]) || std::isupper(static_cast<unsigned char>(name[end]))))
            ++end;
        if (name[i] == 'S' && end < name.size() && name[end] == '_') {
            result += "S_";
            i = end;
        } else {
            result += name[i];
        }
    }
    return result;
}

// "k" is `k` for a function of C, as the marker has it.
static std::string as_marked(std::string_view name) {
    if (name.starts_with("_Z")) return without_references(name);
    return "_Z" + std::to_string(name.size()) + std::string(name);
}

static bool is_kernel(std::string_view ir, std::string_view define, std::string_view name) {
    std::string said = "ptr @" + std::string(name) + ", !\"kernel\"";
    return define.find("ptx_kernel ") != define.npos || ir.find(said) != ir.npos;
}

std::string entry_in(std::string_view ir) {
    std::string_view line = marker_line(ir);
    // @_Z14lanewise_entry…XadL_Z…EEE = …
    size_t begin = line.find("XadL"), end = line.find("EEE = ");
    if (begin == line.npos || end == line.npos) return "";
    std::string wanted = without_references(line.substr(begin + 4, end - begin - 4));
    for (std::string_view define : lines_of(ir)) {
        if (!define.starts_with("define ")) continue;
        size_t at = define.find('@') + 1, stop = at;
        while (stop < define.size() && is_name(define[stop])) ++stop;
        std::string_view name = define.substr(at, stop - at);
        if (as_marked(name) == wanted) return is_kernel(ir, define, name) ? std::string(name) : "";
    }
    return "";
}

std::string without_marker(std::string_view ir) {
    std::string_view line = marker_line(ir);
    if (line.empty()) return std::string(ir);
    size_t at = static_cast<size_t>(line.data() - ir.data());
    return std::string(ir.substr(0, at)) + std::string(ir.substr(at + line.size()));
}

// ---- Parameters that a kernel may not change ---------------------------------------------------

// 2 of "ptr %0, ptr byval(…) %1)" for "%1": from 1 on; 0 where there is no such parameter.
static int parameter_number(std::string_view define, std::string_view name) {
    int number = 1, depth = 0;
    std::string wanted = " " + std::string(name);
    for (size_t i = define.find('('); i < define.size(); ++i) {
        depth += define[i] == '(' ? 1 : define[i] == ')' ? -1 : 0;
        if (depth == 0) return 0;
        if (depth == 1 && define[i] == ',') ++number;
        bool ends = i + wanted.size() == define.size() || !is_name(define[i + wanted.size()]);
        if (depth == 1 && ends && define.substr(i).starts_with(wanted)) return number;
    }
    return 0;
}

std::string with_grid_constants(std::string_view ir) {
    constexpr std::string_view kCall = "call void @llvm.var.annotation.p0.p0(ptr ";
    std::string marked;  // the global that holds the word
    std::string result;
    std::string_view define;
    std::map<std::string, std::vector<int>> constants;  // by the kernel's name
    for (std::string_view line : split(ir, '\n')) {
        if (line.starts_with("define ")) define = line;
        if (line.find("c\"" + std::string(kGridConstant) + "\\00\"") != line.npos)
            marked = "ptr " + std::string(line.substr(0, line.find(' ')));
        size_t call = line.find(kCall);
        if (call == line.npos || marked.empty() || line.find(marked + ",") == line.npos) {
            (result += line) += '\n';
            continue;
        }
        std::string_view name = line.substr(call + kCall.size());
        size_t at = define.find('@') + 1, end = define.find('(', at);
        int number = parameter_number(define, name.substr(0, name.find(',')));
        if (number > 0) constants[std::string(define.substr(at, end - at))].push_back(number);
    }
    // Two numbers far beyond those that clang gives: the kernel's entry, and its list.
    int node = 900000000;
    for (const auto& [kernel, numbers] : constants) {
        std::string entry = "!" + std::to_string(node++), list = "!" + std::to_string(node++);
        std::string all;
        for (int number : numbers)
            all += (all.empty() ? "i32 " : ", i32 ") + std::to_string(number);
        result += entry + " = !{ptr @" + kernel + ", !\"grid_constant\", " + list + "}\n";
        result += list + " = !{" + all + "}\n";
        constexpr std::string_view kAll = "!nvvm.annotations = !{";
        if (size_t at = result.find(kAll); at != result.npos)
            result.insert(at + kAll.size(), entry + ", ");
    }
    return result;
}

// ---- Clusters ----------------------------------------------------------------------------------

// The name of what the line defines: "@.str" of "@.str = private …".
static std::string_view defined_in(std::string_view line) { return line.substr(0, line.find(' ')); }

// "2, 1, 1" of "@.args = private unnamed_addr constant { i32, i32, i32 } { i32 2, i32 1, i32 1 }, …".
static std::string numbers_in(std::string_view line) {
    size_t types = line.find('{'), values = line.find('{', types + 1);
    if (types == line.npos || values == line.npos) return "";
    std::string numbers;
    const std::string_view inside = line.substr(values + 1, line.find('}', values) - values - 1);
    for (std::string_view value : split(inside, ',')) {
        value = trimmed(value);
        value = value.substr(value.find(' ') + 1);
        if (value.empty() || !std::all_of(value.begin(), value.end(), is_digit)) return "";
        numbers += (numbers.empty() ? "" : ", ") + std::string(value);
    }
    return numbers;
}

std::string with_cluster(std::string_view ptx, std::string_view ir, std::string_view kernel) {
    std::string result(ptx);
    std::string mark, numbers;
    std::string_view notes;
    std::map<std::string_view, std::string_view> lines;
    for (std::string_view line : split(ir, '\n')) {
        if (!line.starts_with("@")) continue;
        lines[defined_in(line)] = line;
        if (line.find("c\"" + std::string(kClusterMark) + "\\00\"") != line.npos)
            mark = defined_in(line);
        if (line.starts_with("@llvm.global.annotations ")) notes = line;
    }
    const std::string noted = "{ ptr @" + std::string(kernel) + ", ptr " + mark + ",";
    size_t at = mark.empty() ? notes.npos : notes.find(noted);
    if (at == notes.npos) return result;
    std::string_view note = notes.substr(at, notes.find('}', at) - at);
    std::string_view last = trimmed(note.substr(note.rfind("ptr ") + 4));
    if (auto found = lines.find(last); found != lines.end()) numbers = numbers_in(found->second);
    // The last one has a body: device functions may stand between it and a declaration before them.
    size_t entry = result.rfind(".entry " + std::string(kernel) + "(");
    size_t body = entry == result.npos ? entry : result.find("\n{", entry);
    if (body == result.npos || numbers.empty()) return result;
    return result.insert(body, "\n.explicitcluster\n.reqnctapercluster " + numbers);
}

}  // namespace lanewise
