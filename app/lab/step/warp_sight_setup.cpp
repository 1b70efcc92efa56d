// WarpSight: what the launch gives names to, found out once: parameters, constants, shared arrays, types.
#include <algorithm>
#include <filesystem>
#include <set>

#include "lab/job/operation_code.h"
#include "lab/kernel/index_expression.h"
#include "lab/kernel/kernel_list.h"
#include "lab/kernel/ptx_parameters.h"
#include "lab/kernel/source_names.h"
#include "lab/step/memory_look.h"
#include "lab/step/warp_sight.h"
#include "ptx/parts.h"
#include "trace/places.h"

namespace lanewise {

namespace {

// Without const, __restrict__ and blanks at its ends; is_pointer where it ends in a star.
std::string plain_type(std::string type, bool& is_pointer) {
    is_pointer = type.find('*') != type.npos;
    std::string out;
    std::string word;
    auto add = [&] {
        static constexpr std::string_view kLeftOut[] = {"const",      "constexpr",  "static",
                                                        "volatile",   "__shared__", "__restrict__",
                                                        "__restrict", "extern",     "register"};
        bool left_out =
            std::find(std::begin(kLeftOut), std::end(kLeftOut), word) != std::end(kLeftOut);
        if (!word.empty() && !left_out) out += (out.empty() ? "" : " ") + word;
        word.clear();
    };
    for (char c : type) {
        if (c == ' ' || c == '*' || c == '&')
            add();
        else
            word += c;
    }
    add();
    return out;
}

// "int" for the T of `template <typename T>` where the name expression says histogram<int>.
std::map<std::string, std::string> template_types(const Job& job) {
    std::map<std::string, std::string> types;
    if (!job.own.is_used()) {
        for (const std::string& name : job.stage.template_parameters)
            if (name == "T" && find_element_type(job.type)) types[name] = job.type;
        return types;
    }
    auto inside = [](const std::string& text) {
        size_t open = text.find('<'), close = text.rfind('>');
        bool has = open != text.npos && close != text.npos && close > open;
        return comma_separated(has ? text.substr(open + 1, close - open - 1) : "");
    };
    std::vector<std::string> given = inside(job.own.kernel);
    for (const KernelInSource& kernel : kernels_in_source(job.stage.source)) {
        if (kernel.name != kernel_name(job)) continue;
        std::vector<std::string> declared = inside(kernel.template_line);
        for (size_t i = 0; i < declared.size(); ++i) {
            size_t equals = declared[i].find('=');
            std::string name = parameter_name(declared[i].substr(0, equals));
            std::string value = i < given.size()              ? given[i]
                                : equals != std::string::npos ? declared[i].substr(equals + 1)
                                                              : "";
            bool is_pointer = false;
            std::string_view element = element_of(plain_type(value, is_pointer));
            bool is_type = declared[i].starts_with("typename") || declared[i].starts_with("class");
            if (is_type && !element.empty() && !is_pointer) types[name] = element;
        }
        break;
    }
    return types;
}

}  // namespace

WarpSight::WarpSight(const LaunchRecording& recording)
    : recording_(recording),
      kernel_(recording.prepared().kernel),
      uses_(kernel_),
      scan_(scan_source(recording.job().stage.source)),
      constants_(names_of(recording.job())),
      types_(template_types(recording.job())) {
    const Job& job = recording.job();
    for (size_t i = 0; i < kernel_.files.size(); ++i)
        if (std::filesystem::path(kernel_.files[i]).filename() == job.stage.file)
            file_ = static_cast<int>(i);
    take_shared(job);
    take_parameters(job);
    find_statements();
}

// What a line is for: all but arithmetic.
static bool is_work(const ptx::Instruction& instruction) {
    static constexpr std::string_view kNames[] = {
        "ld", "st",       "atom", "red",  "bra",  "brx", "bar",  "barrier",  "shfl",
        "cp", "mbarrier", "mma",  "wmma", "vote", "ret", "call", "ldmatrix", "wgmma"};
    bool is_named =
        std::find(std::begin(kNames), std::end(kNames), instruction.parts[0]) != std::end(kNames);
    return is_named && !ptx::has_part(instruction, "param");
}

void WarpSight::find_statements() {
    const size_t count = kernel_.instructions.size();
    std::vector<bool> stretch_works(count, false);
    std::set<int> lines_that_work;
    for (uint32_t begin = 0, end = 0; begin < count; begin = end) {
        int line = line_of(begin);
        bool works = false;
        for (end = begin; end < count && line_of(end) == line; ++end)
            works = works || is_work(kernel_.instructions[end]);
        std::fill(stretch_works.begin() + begin, stretch_works.begin() + end, works);
        if (works) lines_that_work.insert(line);
    }
    of_statement_.resize(count + 1, true);
    for (uint32_t i = 0; i < count; ++i)
        of_statement_[i] = stretch_works[i] || lines_that_work.count(line_of(i)) == 0;
}

std::string WarpSight::element_of_type(const std::string& type, bool& is_pointer) const {
    std::string plain = plain_type(type, is_pointer);
    auto named = types_.find(plain);
    return named != types_.end() ? named->second : std::string(element_of(plain));
}

void WarpSight::take_shared(const Job& job) {
    std::vector<SharedArray> declared = shared_arrays(job.stage.source, kernel_name(job));
    for (const ptx::Variable& variable : kernel_.shared) {
        NamedMemory memory;
        memory.name = source_name(variable.name);
        memory.address = shared_address(variable.offset);
        memory.bytes =
            variable.bytes > 0 ? variable.bytes : recording_.shape().dynamic_shared_bytes;
        for (const SharedArray& array : declared) {
            if (array.name != memory.name) continue;
            bool is_pointer = false;
            memory.pointee.element = element_of_type(array.type, is_pointer);
            for (size_t i = 1; i < array.extents.size(); ++i)
                memory.pointee.extents.push_back(c_value(array.extents[i], constants_).value_or(0));
        }
        bool is_known =
            !memory.pointee.element.empty() &&
            std::count(memory.pointee.extents.begin(), memory.pointee.extents.end(), 0) == 0;
        if (!is_known) memory.pointee = {"u32", {}};
        memories_.push_back(std::move(memory));
    }
}

void WarpSight::take_parameters(const Job& job) {
    bool is_own = job.own.is_used();
    parameters_ =
        is_own && !job.own.ptx.empty()
            ? ptx_parameters(kernel_, job.stage, job.own.kernel)
            : kernel_parameters(kernel_, job.stage, is_own ? job.own.kernel : job.stage.kernel);
    const StageLaunch& launch = recording_.launch();
    const auto& buffers = launch.memory.buffers();
    std::vector<KernelBuffer> of_stage;
    if (!is_own) of_stage = code_of(job.stage).buffers(job);
    for (size_t i = 0; i < buffers.size(); ++i) {
        NamedMemory memory{buffers[i].name, buffers[i].address, {}, buffers[i].bytes, false};
        if (i < launch.types.size()) memory.pointee.element = launch.types[i];
        if (i < of_stage.size() && find_element_type(of_stage[i].type))
            memory.pointee.element = of_stage[i].type;
        for (const KernelParameter& parameter : parameters_) {
            if (parameter.name != memory.name) continue;
            bool is_pointer = false;
            std::string element = element_of_type(parameter.type, is_pointer);
            if (is_pointer && !element.empty()) memory.pointee.element = element;
            memory.is_constant = parameter.type.find("const") != std::string::npos;
        }
        if (!find_element_type(memory.pointee.element)) memory.pointee.element = "f32";
        memories_.push_back(std::move(memory));
    }
    for (const KernelParameter& parameter : parameters_) {
        SourceVariable changed;
        changed.name = parameter.name;
        changed.type = parameter.type;
        for (const SourceAssignment& each : scan_.others)
            if (each.target == parameter.name) changed.assignments.push_back(each);
        if (!changed.assignments.empty()) changed_parameters_.push_back(std::move(changed));
    }
}

}  // namespace lanewise
