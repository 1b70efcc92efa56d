#include "ptx/parser.h"

#include <algorithm>
#include <map>
#include <set>

#include "base/error.h"
#include "ptx/body.h"
#include "ptx/cluster.h"
#include "ptx/grid_barrier.h"

namespace lanewise::ptx {

namespace {

class ModuleParser {
  public:
    explicit ModuleParser(std::string_view text) : cursor_(text) {}

    // No body is looked at but to find its end.
    Module parse_heads() {
        while (!cursor_.at_end()) directive();
        for (Entry& entry : bodies_) {
            entry.kernel.files = files_;
            module_.kernels.push_back(std::move(entry.kernel));
        }
        return std::move(module_);
    }
    // All kernels, or the one of that name: a body that cannot be read then does not matter where
    // it is another's.
    Module parse(const std::string_view* only = nullptr) {
        while (!cursor_.at_end()) directive();
        take_addresses();
        find_circles(functions_);
        place_variables();
        check_copies();
        for (auto& [kernel, body, cluster] : bodies_) {
            names_ += (names_.empty() ? "" : ", ") + kernel.name;
            if (only && kernel.name != *only) continue;
            kernel.variables = variables_;
            kernel.files = files_;
            cursor_.return_to(body);
            parse_body(cursor_, kernel, functions_);
            if (waits_for_grid(kernel)) kernel.variables.push_back(grid_workspace());
            if (cluster.blocks.x != 0 || cluster.most_rank != 0) set_cluster_size(kernel, cluster);
            module_.kernels.push_back(std::move(kernel));
        }
        return std::move(module_);
    }
    // Of all its kernels.
    const std::string& names() const { return names_; }

  private:
    void directive() {
        std::string_view name = cursor_.next();
        if (name == ".version") {
            module_.version = cursor_.next();
        } else if (name == ".target") {
            module_.target = cursor_.next();
            while (cursor_.accept(",")) cursor_.next();
        } else if (name == ".address_size") {
            if (cursor_.number() != 64) cursor_.fail("only 64-bit addresses are known");
        } else if (name == ".file") {
            file();
        } else if (name == ".entry") {
            entry();
        } else if (name == ".shared") {
            place(shared_, shared_bytes_, parse_declaration(cursor_));
        } else if (name == ".global" || name == ".const") {
            variable(name == ".const");
        } else if (name == ".func") {
            function();
        } else if (name == ".section") {
            cursor_.skip_past("}");
        } else if (name == ".pragma") {
            cursor_.skip_past(";");
        } else if (name != ".visible" && name != ".weak" && name != ".extern" &&
                   name != ".common") {
            cursor_.fail("the directive " + std::string(name) + " is not known");
        }
    }

    // Bytes that are no ASCII are written as \316, three octal digits each; others as they are.
    static std::string unescaped(std::string_view text) {
        std::string result;
        auto digit = [&](size_t at) { return text[at] >= '0' && text[at] <= '7'; };
        for (size_t at = 0; at < text.size(); ++at) {
            bool octal = text[at] == '\\' && at + 3 < text.size() && text[at + 1] <= '3' &&
                         digit(at + 1) && digit(at + 2) && digit(at + 3);
            if (!octal) {
                result += text[at];
                continue;
            }
            int value = (text[at + 1] - '0') * 64 + (text[at + 2] - '0') * 8 + text[at + 3] - '0';
            result += static_cast<char>(value);
            at += 3;
        }
        return result;
    }

    // ".file" number "\"name\"" ["," time "," size]
    void file() {
        uint32_t number = cursor_.small_number(100'000);
        std::string_view name = cursor_.next();
        if (name.size() < 2 || name[0] != '"') cursor_.fail("expected a file name in quotes");
        if (files_.size() <= number) files_.resize(number + 1);
        files_[number] = unescaped(name.substr(1, name.size() - 2));
        while (cursor_.accept(",")) cursor_.number();
    }

    // ".entry" name ["(" parameters ")"] directives body
    void entry() {
        Kernel kernel;
        ClusterSize cluster;
        kernel.line = cursor_.line();
        kernel.name = cursor_.next();
        kernel.shared = shared_;
        kernel.shared_bytes = shared_bytes_;
        if (cursor_.accept("(") && !cursor_.accept(")")) {
            do parameter(kernel);
            while (cursor_.accept(","));
            cursor_.expect(")");
        }
        // .minnctapersm and the like concern ptxas and the driver.
        while (!cursor_.at_end() && cursor_.peek() != "{") {
            std::string_view word = cursor_.next();
            if (word == ".reqnctapercluster") cluster.blocks = up_to_three();
            if (word == ".maxclusterrank") cluster.most_rank = cursor_.small_number(kMostCluster);
            if (word == ".reqntid") kernel.required_block = up_to_three();
            if (word == ".maxntid") kernel.most_block = up_to_three();
        }
        // A body may name what comes later.
        bodies_.push_back({std::move(kernel), cursor_.mark(), cluster});
        skip_body();
    }

    // number ["," number ["," number]]
    BlockLimit up_to_three() {
        constexpr uint32_t kMost = 65'535;  // far more than a cluster or a block may have
        BlockLimit size;
        size.x = cursor_.small_number(kMost);
        if (cursor_.accept(",")) size.y = cursor_.small_number(kMost);
        if (cursor_.accept(",")) size.z = cursor_.small_number(kMost);
        return size;
    }

    // A body is read when it is needed. Names that stand alone behind a comma (mov.u64 %rd1, name;)
    // may be functions whose address is taken.
    void skip_body(std::vector<std::string>* calls = nullptr) {
        std::string_view before;
        for (int depth = 0; !cursor_.at_end();) {
            std::string_view word = cursor_.next();
            if (calls && (word == "call" || word.starts_with("call."))) add_called(*calls);
            depth += (word == "{") - (word == "}");
            if (depth == 0) return;
            if (before == "," && cursor_.peek() == ";") mentioned_.emplace(word);
            before = word;
        }
        cursor_.fail("the text ends before '}'");
    }
    // Behind a call: ["(" results ")" ","] name. The name stays.
    void add_called(std::vector<std::string>& calls) {
        if (cursor_.accept("(")) {
            while (!cursor_.at_end() && !cursor_.accept(")")) cursor_.next();
            cursor_.accept(",");
        }
        calls.emplace_back(cursor_.peek());
    }
    void take_addresses() {
        for (const auto& [declaration, line] : declarations_)
            mentioned_.insert(declaration.initial.begin(), declaration.initial.end());
        uint64_t next = kFunctionAddress;
        for (auto& [name, function] : functions_) {
            function.address = next;
            function.is_taken = mentioned_.contains(name);
            next += kFunctionBytes;
        }
    }

    // ".param" [".align" n] type [".ptr" …] name ["[" bytes "]"]
    void parameter(Kernel& kernel) {
        cursor_.expect(".param");
        uint32_t align = 1, bytes = 0;
        bool is_pointer = false;
        while (cursor_.peek().starts_with(".")) {
            std::string_view word = cursor_.next();
            if (word == ".align")
                align = std::max(align, cursor_.small_number(256));
            else if (type_bytes(word) != 0)
                bytes = type_bytes(word);
            else if (word != ".ptr" && word != ".global" && word != ".shared" && word != ".const" &&
                     word != ".local")
                cursor_.fail("the parameter's " + std::string(word) + " is not known");
            // The alignment behind .ptr is that of what the parameter points to.
            if (word == ".ptr") {
                is_pointer = true;
                while (cursor_.peek().starts_with(".") || cursor_.at_number()) cursor_.next();
            }
        }
        if (bytes == 0) cursor_.fail("the parameter has no type");
        Parameter result;
        align = std::max(align, bytes);
        result.name = cursor_.next();
        result.bytes = bytes;
        result.is_pointer = is_pointer;
        if (cursor_.accept("[")) {
            result.bytes = bytes * cursor_.small_number(32'764);
            cursor_.expect("]");
        }
        result.offset = (kernel.parameter_bytes + align - 1) / align * align;
        kernel.parameter_bytes = result.offset + result.bytes;
        kernel.parameters.push_back(std::move(result));
    }

    // .global and .const: .align 4 .u32 name [= …];
    void variable(bool is_constant) {
        int line = cursor_.line();
        Declaration declaration = parse_declaration(cursor_);
        variables_.push_back({declaration.name, 0, declaration.bytes, is_constant, {}});
        declarations_.emplace_back(std::move(declaration), line);
    }

    // Apart, so that an access past the end of one never hits the next.
    void place_variables() {
        constexpr uint64_t kAlign = 4096;
        uint64_t next = kModuleAddress;
        for (ModuleVariable& variable : variables_) {
            variable.address = next;
            addresses_.emplace(variable.name, next);
            next += (variable.bytes / kAlign + 2) * kAlign;
        }
        for (size_t i = 0; i < variables_.size(); ++i)
            initialise(variables_[i], declarations_[i].first, declarations_[i].second);
    }

    // Each kernel has a copy of the module's variables and files.
    void check_copies() {
        constexpr size_t kMost = size_t{1} << 23;  // some hundred megabytes
        size_t one = files_.size() + variables_.size();
        for (const ModuleVariable& variable : variables_) one += variable.initial.size() / 64;
        if (one > kMost / std::max<size_t>(bodies_.size(), 1))
            cursor_.fail("the module has too many kernels with too many variables and files");
    }

    // { number | [generic "("] name [")"] ["+" number], … }
    void initialise(ModuleVariable& variable, const Declaration& declaration, int line) {
        uint32_t bytes = declaration.element_bytes;
        bool adds = false, negative = false;
        uint64_t last = 0;
        for (const std::string& word : declaration.initial) {
            if (word == "-") negative = true;
            if (word == "+") adds = true;
            if (word == "{" || word == "}" || word == "," || word == "-" || word == "+" ||
                word == "(" || word == ")" || word == "generic")
                continue;
            uint64_t value =
                word[0] >= '0' && word[0] <= '9' ? Cursor(word).number() : address_of(word, line);
            if (negative) value = 0 - value;
            if (adds && variable.initial.size() < bytes)
                cursor_.fail("there is nothing to add " + word + " to", line);
            if (adds) {
                variable.initial.resize(variable.initial.size() - bytes);
                value += last;
            }
            for (uint32_t i = 0; i < bytes; ++i)
                variable.initial.push_back(i < 8 ? static_cast<uint8_t>(value >> (8 * i)) : 0);
            last = value;
            adds = negative = false;
        }
        if (variable.initial.size() > variable.bytes)
            cursor_.fail(variable.name + " has too many initial values", line);
    }
    uint64_t address_of(const std::string& name, int line) {
        if (auto found = addresses_.find(name); found != addresses_.end()) return found->second;
        if (auto it = functions_.find(name); it != functions_.end()) return it->second.address;
        cursor_.fail("there is no variable or function " + name, line);
    }

    // .func ["(" results ")"] name "(" parameters ")": a declaration ends with a semicolon, a
    // definition with its body.
    void function() {
        Function result;
        if (cursor_.peek() == "(") result.results = declarations();
        std::string name(cursor_.next());
        if (cursor_.peek() == "(") result.parameters = declarations();
        while (!cursor_.at_end() && cursor_.peek() != ";" && cursor_.peek() != "{") cursor_.next();
        result.body = cursor_.mark();
        bool defined = cursor_.peek() == "{";
        if (!defined) return cursor_.skip_past(";");
        skip_body(&result.calls);
        functions_[name] = std::move(result);
    }
    // "(" ".param" declaration ("," …)* ")"
    std::vector<Declaration> declarations() {
        std::vector<Declaration> result;
        cursor_.expect("(");
        while (!cursor_.accept(")")) {
            cursor_.expect(".param");
            result.push_back(parse_declaration(cursor_));
            cursor_.accept(",");
        }
        return result;
    }

    Cursor cursor_;
    Module module_;
    Functions functions_;
    struct Entry {
        Kernel kernel;
        size_t body;  // Cursor::mark
        ClusterSize cluster;
    };
    std::vector<Entry> bodies_;
    std::string names_;
    std::vector<ModuleVariable> variables_;
    std::map<std::string, uint64_t, std::less<>> addresses_;  // of variables_
    std::vector<std::pair<Declaration, int>> declarations_;   // of variables_, with their lines
    std::set<std::string, std::less<>> mentioned_;
    std::vector<Variable> shared_;
    uint32_t shared_bytes_ = 0;
    std::vector<std::string> files_ = {""};
};

}  // namespace

Module parse(std::string_view text) { return ModuleParser(text).parse(); }

Module parse_heads(std::string_view text) { return ModuleParser(text).parse_heads(); }

Kernel parse(std::string_view text, std::string_view kernel) {
    ModuleParser parser(text);
    Module module = parser.parse(&kernel);
    if (!module.kernels.empty()) return std::move(module.kernels.front());
    throw Error(Status::bad_input,
                "the PTX has no kernel " + std::string(kernel) +
                    (parser.names().empty() ? "" : "; it has " + parser.names()));
}

}  // namespace lanewise::ptx
