// What a CUDA program's host code launches, found by walking through it: main() first, statement by
// statement, with the values that are known; then every function with a launch that main() did not come
// to. Where a value is not known (the command line's, a parameter's), a plausible one is assumed and its
// name remembered. Nothing is run: calls of libraries give unknown values.
// base/c_expression.h evaluates whole numbers alone; here values are also fractions, ranges of
// random numbers and pointers, and a call has effects.
#pragma once
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "lab/host/host_tokens.h"

namespace lanewise {

// What was assumed, since the host code does not say it.
struct HostAssumption {
    std::string name;        // "n"
    std::string why;         // "it comes from atoi(argv[1])"
    std::string suggestion;  // "1024"
};

// What a buffer holds when it was filled plainly.
struct HostFill {
    enum class Kind : uint8_t { unknown, same, sequence, range } kind = Kind::unknown;
    double first = 0, second = 0;  // the value; the first and the step; the bounds
    bool is_real = false;
};

struct HostBuffer {
    std::string name;   // of the variable that it was first kept in
    std::string type;   // of an element, as the host has it: "float"; may be empty
    double bytes = -1;  // negative: not known
    std::set<size_t> assumed;
    HostFill fill;
};

struct HostVariable;

// A number is an interval, so that rand() % 10 is 0 to 9; most have low == high.
struct HostValue {
    enum class Kind : uint8_t { unknown, number, pointer, address, dim, function, text };
    Kind kind = Kind::unknown;
    bool is_real = false;
    double low = 0, high = 0;
    int buffer = -1;                       // pointer: into HostWalk::buffers; -1: null
    double offset = 0;                     // pointer: bytes
    std::shared_ptr<HostVariable> target;  // address
    std::vector<HostValue> parts;          // dim: x, y and z
    std::string text;                      // function, text: its name or itself; unknown: why
    std::set<size_t> assumed;              // into HostWalk::assumptions

    static HostValue of(double value, bool is_real = false);
    static HostValue not_known(std::string why);
    bool is_number() const { return kind == Kind::number; }
    bool is_exact() const { return is_number() && low == high; }
};

struct HostVariable {
    HostValue value;
    std::string type;  // as declared, without const, & and *
    int stars = 0;
};

// A variable of the module that the host code sets: cudaMemcpyToSymbol(filter, host, bytes).
struct HostSymbol {
    std::string name, type;  // as the kernel's file calls it; of an element, as the host has it
    HostValue value;         // a number, or a pointer to what is copied
    double bytes = -1;       // negative: not known
};

struct HostLaunch {
    int line = 0;
    std::string kernel;  // with its template arguments, resolved: "scale<float, 32>"
    HostValue grid, block, shared;
    std::optional<HostValue> cluster;  // where the launch says one (cudaLaunchKernelEx)
    std::vector<HostValue> arguments;
    std::vector<std::string> argument_texts;  // as written
    std::vector<HostSymbol> symbols;          // set before it
};

struct HostWalk {
    std::vector<HostLaunch> launches;  // the first that was come to at each line, by line
    std::vector<HostBuffer> buffers;
    std::vector<HostAssumption> assumptions;
    std::map<std::string, std::string> aliases;  // of types: "floatX" -> "__nv_bfloat16"
};

// How the walk goes: each launch's line once, whatever the program takes as its way; or every launch in
// the order in which main() makes them, loops and all, at most kMostLaunches.
enum class HostWay : uint8_t { lines, launches };
inline constexpr size_t kMostLaunches = 500;

// Never throws; ends after so many steps in any case.
HostWalk walk_host(const std::vector<HostToken>& tokens, HostWay way = HostWay::lines);

// Bytes of a type as the host has it; 0 where it is not known.
double host_type_bytes(const std::string& type);

}  // namespace lanewise
