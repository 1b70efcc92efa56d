// The walk through host code (host_walk.h), as one object: its tokens, its variables and what it has found.
// Its parts stand in host_walk.cpp (functions, types, variables), host_statements.cpp, host_expressions.cpp
// host_calls.cpp and host_config.cpp. Private to the room.
#pragma once
#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "lab/host/host_walk.h"

namespace lanewise {

// The walk ends after so many steps, calls within calls, and rounds of one loop.
inline constexpr int kMostSteps = 300'000, kDeepestCall = 24, kMostRounds = 40;
// A function that launches nothing is left after so many steps: a reference on the CPU would use up
// all of them. Loops within loops have fewer rounds.
inline constexpr int kMostStepsWithoutLaunch = 6'000;
inline constexpr std::array<int, 3> kRoundsWithin = {kMostRounds, 12, 4};
inline constexpr int kMostRoundsOfLaunches = 2000;  // where every launch is wanted
inline constexpr double kAssumedCount = 1024;

struct HostTypeName {
    std::string name;
    int stars = 0;
    bool reference = false;
    std::vector<std::string> arguments{};  // of std::vector<float>: "float"
};

struct HostFunction {
    std::string name;
    size_t parameters = 0, body = 0;  // tokens: "(" and "{"
    std::vector<std::string> template_parameters;
    bool launches = false;
    size_t count = 0;  // of parameters
};

inline void merge(std::set<size_t>& into, const std::set<size_t>& more) {
    into.insert(more.begin(), more.end());
}

class HostWalker {
  public:
    HostWalker(const std::vector<HostToken>& tokens, HostWay way);
    HostWalk walk();

  private:
    using Token = HostToken;
    using TokenKind = HostToken::Kind;
    using Value = HostValue;
    using ValueKind = HostValue::Kind;

    // ---- tokens
    const Token& at(size_t i) const;
    bool is(size_t i, const char* text) const;
    bool is_name(size_t i) const;
    // Just past the bracket that closes the one at `open`.
    size_t past(size_t open) const;
    // Just past the ">" that closes the "<" at `open`, or `open` where it opens nothing.
    size_t past_angle(size_t open) const;
    std::string words(size_t begin, size_t end) const;
    // The pieces between commas, as ranges of tokens; `open` is the bracket.
    std::vector<std::pair<size_t, size_t>> pieces(size_t open) const;

    // ---- functions
    void find_functions();
    void collect_template_names(size_t open, size_t end, std::vector<std::string>& names) const;
    // Whether the function whose name is at `i` is a kernel, or of the device alone.
    bool is_for_device(size_t i) const;
    // Of overloads the one that takes so many arguments, else the first.
    const HostFunction* function_called(const std::string& name, size_t given = 0) const;
    // "using A = B;" and "typedef B A;"; returns past the semicolon.
    size_t alias(size_t i);
    // Constants outside every function.
    void walk_globals();
    bool is_function_at(size_t i) const;
    size_t enumeration(size_t i);

    // ---- variables
    using Variable = std::shared_ptr<HostVariable>;
    Variable find(const std::string& name) const;
    Variable declare(const std::string& name, Value value, const HostTypeName& type = {});
    void set(const std::string& name, Value value);
    static bool is_counting_type(const HostTypeName& type);
    // A number that the host code does not give away.
    Value assumed(const std::string& name, const std::string& why, const HostTypeName& type);
    int new_buffer(double bytes, std::set<size_t> assumed, const std::string& type);
    Value pointer_to(int buffer) const;
    HostBuffer* buffer_of(const Value& value);
    void name_buffer(const Value& value, const std::string& name);

    // ---- types
    // A type at `i`; `end` becomes the place behind it. Nothing where there is none.
    std::optional<HostTypeName> type_at(size_t i, size_t& end) const;
    static std::string last_word(const std::string& text);
    bool is_declaration(size_t i) const;

    // ---- statements
    enum class Flow : uint8_t { on, stop_round, leave_loop, leave };
    size_t end_of_statement(size_t i) const;
    // Past the statement at `i`, which is not walked.
    size_t skip(size_t i) const;
    size_t block(size_t open, Flow& flow);
    size_t statement(size_t i, Flow& flow);
    // 1 or 0 where it is certain.
    std::optional<bool> truth(const Value& value) const;
    size_t condition(size_t i, Flow& flow);
    bool asks_for_arguments(size_t begin, size_t end) const;
    // A launch, or a call of a function with one.
    bool may_launch(size_t begin, size_t end) const;
    // Walks what the program passes over, with all of its effects unsure.
    void as_well(size_t i, const Flow& flow);
    bool has_launch(size_t begin, size_t end) const;
    size_t for_loop(size_t i, Flow& flow);
    size_t while_loop(size_t i, Flow& flow);
    void rounds(size_t from, size_t to, size_t step, size_t step_end, size_t body, size_t end,
                Flow& flow);
    size_t choice(size_t i, Flow& flow);

    // ---- declarations
    size_t declaration(size_t i);
    // "n = 5", "grid(4, 4)", "h[N]", "v{…}"; returns past it, at "," or ";".
    size_t one_declared(const HostTypeName& type, size_t name);
    void declare_as(const HostTypeName& type, const std::string& name, Value value,
                    const std::string& written);
    static Value converted(Value value, const std::string& type);
    size_t array(const HostTypeName& type, size_t name);
    // A buffer of so many elements.
    Value allocated(const Value& count, const std::string& type, int stars = 0);
    // T name(…) and T name{…}
    Value constructed(const HostTypeName& type, size_t open);
    std::string plain(std::string type) const;
    static Value converted_if_number(const Value& value, const std::string& type);
    static Value dim(std::vector<Value> parts);

    // ---- expressions
    // Tokens [begin, end) as one expression; what is left of it behind a comma is evaluated, too.
    Value evaluate(size_t begin, size_t end);
    bool here(const char* text) const;
    Value assignment();
    Value ternary();
    // By C's precedence; 0 of what is no operator between two values.
    static int strength(const std::string& sign);
    // The operator at hand, and how many tokens it has.
    std::string operator_here(size_t& length) const;
    Value binary(int least);
    static Value combined(const std::string& sign, const Value& a, const Value& b);
    static double apply(const std::string& sign, double a, double b, bool real);
    Value unary();
    bool is_cast() const;
    Value size_of();
    Value new_object();
    Value postfix();
    Value element_of(const Value& pointer);
    Value method(const Value& object, const std::string& name, size_t open, size_t begin);
    // A tensor of PyTorch: its sizes are the caller's, and its data has as many elements as the
    // product of those that the function asks for.
    Value size_of_tensor(const std::string& tensor, size_t begin);
    Value data_of_tensor(const std::string& tensor);
    // Before ".data_ptr<float>(": where the tensor's own name ends.
    size_t data_begin(size_t begin, size_t open) const;
    Value primary();
    static Value number(const std::string& text);
    // A name, with its scopes and template arguments: a variable, a call, a launch.
    Value named();
    std::vector<std::string> template_arguments(size_t open, size_t close);

    // ---- storing
    // The path of what is written at [begin, end): "p.n", "d[1]"; empty where it has none.
    std::string path_at(size_t begin, size_t end);
    Variable variable_at(size_t begin, size_t end);
    void store(size_t begin, size_t end, Value value, size_t value_begin, size_t value_end);
    // The "[" of "h[i]"; `begin` where there is none.
    size_t last_index(size_t begin, size_t end) const;
    static HostFill same(const Value& value);
    // One more element: of a loop's first rounds they come one after the other.
    void fill(HostBuffer& buffer, const Value& value);

    // ---- calls
    Value called(const std::string& name, const std::vector<std::string>& types, size_t open);
    static std::optional<Value> arithmetic(const std::string& name, const std::vector<Value>& v);
    // What the CUDA runtime and C's library do to memory.
    std::optional<Value> runtime(const std::string& name, const std::vector<Value>& v,
                                 const std::vector<std::string>& types,
                                 const std::vector<std::pair<size_t, size_t>>& list);
    // What the card in use has: of cudaDeviceProp's members and cudaDevAttr… that launches ask for.
    static std::optional<Value> of_the_card(const std::string& member);
    // Functions with a launch that no other such function calls come first.
    std::vector<const HostFunction*> uncalled_first() const;
    // cudaMemcpyToSymbol(symbol, from, bytes)
    void set_symbol(const std::vector<Value>& v,
                    const std::vector<std::pair<size_t, size_t>>& list);
    // Past "(void**)" and "&".
    size_t skip_casts(size_t i) const;
    Value lambda(size_t open, const std::vector<Value>& values);
    Value run_body(size_t body);
    // The values of what is not given are assumed.
    // `assumes`: also those that are given, but not known, of a function that launches.
    void take_parameters(size_t open, const std::vector<Value>& values, const std::string& whose,
                         bool assumes, const std::vector<Variable>& variables = {});
    Value call(const HostFunction& function, const std::vector<Value>& values,
               const std::vector<std::string>& types, const std::vector<Variable>& variables = {});

    // ---- launches
    void add(HostLaunch launch);
    // At "<<<".
    Value launch(const std::string& kernel, int line);
    static Value as_dim(Value value);
    // cudaLaunchKernel(kernel, grid, block, args, shared, stream)
    Value launch_by_call(const std::vector<std::pair<size_t, size_t>>& list);
    // ---- launches with a configuration (host_config.cpp)
    // Whether a variable of this type is followed member by member.
    static bool is_config_type(const std::string& type);
    // "cudaLaunchConfig_t config = {…}", or without one, where `open` is no "{".
    void declare_config(const std::string& type, const std::string& path, size_t open);
    // Elements of "cudaLaunchAttribute attrs[2] = {…}", whose name stands at `name`.
    void array_of_configs(const HostTypeName& type, const std::string& word, const Value& count,
                          size_t name);
    void clear_config(const std::string& type, const std::string& path, bool is_new);
    void put_member(const std::string& path, Value value);
    // What its list in braces says, and that of an attribute's value.
    void take_config(const std::string& type, const std::string& path, size_t open);
    void take_value(const std::string& path, size_t open);
    // "attrs[1] = {…}" of such a variable: false where it is none. Goes past the braces.
    bool assign_config(size_t begin, size_t end, size_t value);
    // cudaLaunchKernelEx(&config, kernel, arguments…), …ExC(&config, kernel, args), or
    // cuLaunchKernelEx(&config, function, args, extra)
    Value launch_by_config(const std::string& call,
                           const std::vector<std::pair<size_t, size_t>>& list);
    // cuLaunchKernel(function, gridDimX, …, blockDimX, …, shared, stream, args, extra)
    Value launch_by_driver(const std::vector<std::pair<size_t, size_t>>& list);
    bool take_function(const std::string& call, const std::vector<Value>& v,
                       const std::vector<std::pair<size_t, size_t>>& list);
    static std::string kernel_of_symbol(const std::string& symbol);
    Value member_dim(const std::string& path) const;
    Value driver_dim(const std::string& path) const;
    // Of the attributes that the configuration points to; nothing where none sets it.
    std::optional<Value> cluster_of(const std::string& config) const;
    // "attrs[1]": the path of attribute `i` of those at `list`; empty where it is not known.
    std::string attribute_path(const Value& list, int i) const;
    std::string kernel_in(std::pair<size_t, size_t> piece);
    // What args[0], args[1], … point to.
    void take_argument_array(size_t begin, size_t end, HostLaunch& made);

    const std::vector<Token>& t_;
    const HostWay way_;
    std::map<std::string, HostSymbol> symbols_;
    bool beyond_main_ = false;  // what main() did not come to is walked by itself
    HostWalk out_;
    std::vector<HostFunction> functions_;
    std::set<size_t> called_;  // bodies
    std::vector<std::map<std::string, Variable>> scopes_;
    std::map<std::string, std::string> types_;          // of template parameters
    std::map<std::ptrdiff_t, int> fills_;               // elements seen, by buffer; -1: no pattern
    std::map<std::string, Value> sizes_, elements_of_;  // of tensors, as written
    Value returned_;
    size_t at_ = 0, end_ = 0;  // of the expression that is read
    int steps_ = 0, depth_ = 0, unsure_ = 0, most_steps_ = kMostSteps, loops_ = 0;
};

}  // namespace lanewise
