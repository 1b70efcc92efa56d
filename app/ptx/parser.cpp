#include "ptx/parser.h"

#include "base/error.h"
#include "ptx/body.h"

namespace lanewise::ptx {

namespace {

class ModuleParser {
  public:
    explicit ModuleParser(std::string_view text) : cursor_(text) {}

    Module parse() {
        while (!cursor_.at_end()) directive();
        for (Kernel& kernel : module_.kernels) kernel.files = files_;
        return std::move(module_);
    }

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
            skip_variable();
        } else if (name == ".func") {
            skip_function();
        } else if (name == ".section") {
            cursor_.skip_past("}");
        } else if (name == ".pragma") {
            cursor_.skip_past(";");
        } else if (name != ".visible" && name != ".weak" && name != ".extern" &&
                   name != ".common") {
            cursor_.fail("the directive " + std::string(name) + " is not known");
        }
    }

    // ".file" number "\"name\"" ["," time "," size]
    void file() {
        uint32_t number = cursor_.small_number(100'000);
        std::string_view name = cursor_.next();
        if (name.size() < 2 || name[0] != '"') cursor_.fail("expected a file name in quotes");
        if (files_.size() <= number) files_.resize(number + 1);
        files_[number] = name.substr(1, name.size() - 2);
        while (cursor_.accept(",")) cursor_.number();
    }

    // ".entry" name ["(" parameters ")"] directives body
    void entry() {
        Kernel kernel;
        kernel.name = cursor_.next();
        kernel.shared = shared_;
        kernel.shared_bytes = shared_bytes_;
        if (cursor_.accept("(") && !cursor_.accept(")")) {
            do parameter(kernel);
            while (cursor_.accept(","));
            cursor_.expect(")");
        }
        // .maxntid, .minnctapersm and the like concern the launch; ptxas and the driver check them.
        while (!cursor_.at_end() && cursor_.peek() != "{") cursor_.next();
        parse_body(cursor_, kernel);
        module_.kernels.push_back(std::move(kernel));
    }

    // ".param" [".align" n] type [".ptr" …] name ["[" bytes "]"]
    void parameter(Kernel& kernel) {
        cursor_.expect(".param");
        uint32_t align = 1, bytes = 0;
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
                while (cursor_.peek().starts_with(".") || cursor_.at_number()) cursor_.next();
            }
        }
        if (bytes == 0) cursor_.fail("the parameter has no type");
        Parameter result;
        align = std::max(align, bytes);
        result.name = cursor_.next();
        result.bytes = bytes;
        if (cursor_.accept("[")) {
            result.bytes = bytes * cursor_.small_number(32'764);
            cursor_.expect("]");
        }
        result.offset = (kernel.parameter_bytes + align - 1) / align * align;
        kernel.parameter_bytes = result.offset + result.bytes;
        kernel.parameters.push_back(std::move(result));
    }

    // A kernel that uses such a variable names a symbol that is not known; the machine says so.
    void skip_variable() { cursor_.skip_past(";"); }

    // A declaration ends with a semicolon, a definition with its body.
    void skip_function() {
        while (!cursor_.at_end() && cursor_.peek() != ";" && cursor_.peek() != "{") cursor_.next();
        cursor_.skip_past(cursor_.peek() == "{" ? "}" : ";");
    }

    Cursor cursor_;
    Module module_;
    std::vector<Variable> shared_;
    uint32_t shared_bytes_ = 0;
    std::vector<std::string> files_ = {""};
};

}  // namespace

Module parse(std::string_view text) { return ModuleParser(text).parse(); }

Kernel parse(std::string_view text, std::string_view kernel) {
    Module module = parse(text);
    std::string present;
    for (Kernel& candidate : module.kernels) {
        if (candidate.name == kernel) return std::move(candidate);
        present += (present.empty() ? "" : ", ") + candidate.name;
    }
    throw Error(Status::bad_input, "the PTX has no kernel " + std::string(kernel) +
                                       (present.empty() ? "" : "; it has " + present));
}

}  // namespace lanewise::ptx
