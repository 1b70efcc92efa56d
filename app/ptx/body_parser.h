// A kernel's body being read: statements and names (body.cpp), and the calls in it (calls.cpp).
// Private to ptx/.
#pragma once
#include <array>
#include <deque>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "ptx/body.h"

namespace lanewise::ptx {

// Far more than any kernel has whose block finishes; they bound the memory that one takes.
inline constexpr size_t kMostInstructions = 1u << 18;
inline constexpr size_t kMostCalls = 1u << 13;          // put in place, one within another included
inline constexpr size_t kMostBranchTargets = 1u << 16;  // of all brx.idx together
inline constexpr size_t kMostScopes = 256;              // one within another
inline constexpr uint32_t kMostLocalBytes = 512 * 1024;  // CUDA C++ Programming Guide, "Technical
                                                         // Specifications per Compute Capability"
inline constexpr uint32_t kMostBytes = 1u << 30;  // of one space, so that offsets never overflow

class Body {
  public:
    Body(Cursor& cursor, Kernel& kernel, const Functions& functions)
        : cursor_(cursor), kernel_(kernel), functions_(functions) {}

    void parse();

  private:
    // A variable or parameter in local memory; behind `frame`, where its function is recursive.
    struct Place {
        uint64_t offset = 0;
        bool has_frame = false;
        Register frame;
    };
    using Places = std::map<std::string, Place, std::less<>>;

    // A kernel's body, or that of a function where it is called.
    struct Frame {
        size_t first = 0;                                           // instruction
        std::map<std::pair<size_t, std::string>, uint32_t> labels;  // by scope and name
        std::map<std::string, std::vector<std::string>> branch_targets;
        std::vector<size_t> returns;
        Places locals;  // of a recursive function
    };

    struct Call {
        const Function* function = nullptr;  // null where the module does not define it
        bool is_indirect = false;            // through `pointer`
        Register pointer;
        std::string name;
        std::vector<std::string> results, parameters;
    };

    // body.cpp
    void frame(const Places& parameters, bool called);
    void open_scope();
    void statement();
    void label();
    void directive();
    void location();
    Position position();
    int inlined_call(const Position& at);
    void instruction();
    void push(Instruction instruction);
    void place_reserved(Operand& operand);
    void make_branch(Instruction& instruction);
    void place_local(const Declaration& declaration);
    Place place_parameter(const Declaration& declaration);
    void resolve_parameter(Operand& operand);
    void resolve_names();
    void expand_targets(Operand& operand);
    const uint32_t* find_label(const std::string& name, size_t scope) const;
    void resolve(Operand& operand, size_t scope, int line);
    void resolve_name(Operand& operand, size_t scope, int line);
    void set_place(Operand& operand, const Place& place);
    void add_frame(Instruction& instruction);

    // calls.cpp: the body of a function is put in place of its call
    Call parse_call(Instruction& instruction);
    std::vector<std::string> name_list();
    void put_call(const Call& call, const Instruction& instruction);
    void put_candidates(const Call& call, const Instruction& instruction);
    void put_direct(const Call& call, const Instruction& instruction);
    void put_body(const Function& function, const Places& parameters);
    size_t add(const Instruction& instead_of, std::vector<std::string> parts,
               std::vector<Operand> operands);
    size_t add_branch(const Instruction& instead_of, const Operand& guard, bool negated);
    void lead_here(size_t branch);
    const Place& parameter(const std::string& name) const;

    // calls.cpp: recursion. Functions that call each other in a circle are put in place once, at
    // the first call. Every further call of one of them, while that is being read, is a jump: it
    // saves the registers that belong to the whole circle, moves on to a new frame of local memory
    // behind the present one, and says in the function's `site` register where to go on. A
    // function's body ends with an indexed branch on that.
    struct Recursive {
        std::string name;
        Register frame, site;
        size_t begin = 0, leave = 0;  // instructions; leave: the indexed branch, 0 until there
        Places places;                // of results and parameters
        uint64_t used = 0;            // bytes of the frame
        std::vector<uint32_t> sites;  // instructions
    };
    struct Circle {
        int number = 0;     // Function::circle
        Register first[3];  // the registers that belong to it, by kind
        std::deque<Recursive> bodies;
        std::vector<size_t> running;  // of bodies, the innermost last
        std::vector<size_t> saves;    // instructions that save or restore its registers
        std::vector<std::pair<size_t, size_t>> sizes;  // instructions that add the size of a frame
    };
    Recursive* innermost();
    Circle* running_circle(int number);
    void put_recursive(const Call& call, const Instruction& instruction);
    void put_first(Circle& circle, const Call& call, const Instruction& instruction);
    void put_jump(Circle& circle, Recursive& body, const Call& call,
                  const Instruction& instruction);
    void finish(Circle& circle);
    Register new_register(RegisterKind kind);
    Operand behind_innermost(const Instruction& instruction);
    void copy(const Instruction& instruction, const Place& to, const Place& from, uint32_t bytes);
    void copy_parameters(const Call& call, const Recursive& body, const Place& base,
                         const Instruction& instruction);
    void copy_results(const Call& call, const Recursive& body, const Place& base,
                      const Instruction& instruction);
    void place_stack();

    struct Symbol {
        SymbolSpace space;
        uint64_t offset;
    };
    Cursor& cursor_;
    Kernel& kernel_;
    const Functions& functions_;
    Frame frame_;
    std::vector<Places> parameters_;                   // by scope
    std::vector<Circle*> circles_;                     // that are being put in place
    std::vector<size_t> stack_begins_, stack_checks_;  // instructions that wait for place_stack
    size_t calls_placed_ = 0, branch_targets_ = 0;
    bool is_called_ = false;
    std::vector<Registers> scopes_;
    std::vector<size_t> outer_scopes_ = {0};  // of each pair of braces so far; 0 is around all
    size_t scope_ = 0;                        // the present one
    std::vector<size_t> instruction_scopes_;  // by instruction
    std::map<std::string, Symbol> symbols_;
    Position position_, last_position_;
    int last_line_ = 0;
    int call_ = -1, last_call_ = -1;  // the calls of position_ and last_position_
    using PositionKey = std::array<int, 3>;
    static PositionKey key_of(const Position& at) { return {at.file, at.line, at.column}; }
    std::map<PositionKey, int> calls_at_;               // what the last .loc of the place said
    std::map<std::pair<PositionKey, int>, int> calls_;  // by place and outer call: Kernel::calls
};

}  // namespace lanewise::ptx
