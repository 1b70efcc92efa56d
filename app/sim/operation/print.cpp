#include "sim/operation/print.h"

#include <bit>
#include <cstdio>
#include <string>

#include "sim/warp/work.h"

namespace lanewise {

namespace {

constexpr size_t kLongestText = 4096;

// One lane's memory, read through generic addresses.
class LaneMemory {
  public:
    LaneMemory(Warp& w, int lane)
        : w_(w), local_(w.local + static_cast<uint64_t>(lane) * w.local_bytes) {}

    // False where it is out of bounds; that is no fault of an access in the kernel.
    bool read(uint64_t address, void* to, uint64_t bytes) const {
        const std::byte* from = nullptr;
        if (address - kLocalWindow < kWindowBytes)
            from = within(local_, w_.local_bytes, address - kLocalWindow, bytes);
        else if (address - kSharedWindow < kWindowBytes)
            from =
                within(w_.memory->shared, w_.memory->shared_bytes, address - kSharedWindow, bytes);
        else if (const Memory::Buffer* buffer = w_.memory->global->find(address, bytes))
            from = buffer->storage ? buffer->storage + (address - buffer->address) : nullptr;
        if (from) std::memcpy(to, from, bytes);
        return from != nullptr;
    }
    bool read_text(uint64_t address, std::string& text) const {
        for (char c; text.size() < kLongestText; text += c) {
            if (!read(address + text.size(), &c, 1)) return false;
            if (c == 0) return true;
        }
        return true;
    }

  private:
    static const std::byte* within(const std::byte* base, uint64_t size, uint64_t at,
                                   uint64_t bytes) {
        return at <= size && size - at >= bytes ? base + at : nullptr;
    }
    Warp& w_;
    const std::byte* local_;
};

// The arguments as vprintf packs them: each at its natural alignment, floats as doubles.
class PackedArguments {
  public:
    PackedArguments(const LaneMemory& memory, uint64_t address)
        : memory_(memory), address_(address) {}
    template <class T>
    T next() {
        address_ = (address_ + sizeof(T) - 1) / sizeof(T) * sizeof(T);
        T value{};
        memory_.read(address_, &value, sizeof(T));
        address_ += sizeof(T);
        ++count_;
        return value;
    }
    int32_t count() const { return count_; }

  private:
    const LaneMemory& memory_;
    uint64_t address_;
    int32_t count_ = 0;
};

// "%5.2f" and its like; `begin` stands behind the percent sign.
struct Conversion {
    std::string flags;  // with width and precision
    bool wide = false;
    char letter = 0;
    size_t end = 0;
};
Conversion conversion_at(const std::string& format, size_t begin, PackedArguments& arguments) {
    Conversion result;
    size_t i = begin;
    auto is = [&](const char* set) {
        return i < format.size() && std::string_view(set).find(format[i]) != std::string::npos;
    };
    for (; is("-+ #0123456789.*"); ++i)
        if (format[i] == '*')
            result.flags += std::to_string(arguments.next<int32_t>());
        else
            result.flags += format[i];
    int longs = 0;
    for (; is("hlLjzt"); ++i) longs += format[i] != 'h';
    result.wide = longs > 0;
    if (i < format.size()) result.letter = format[i++];
    result.end = i;
    return result;
}

template <class T>
std::string formatted(const std::string& spec, T value) {
    char text[512];
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
    int length = std::snprintf(text, sizeof text, spec.c_str(), value);
#pragma GCC diagnostic pop
    return length < 0 ? "" : std::string(text, std::min<size_t>(static_cast<size_t>(length), 511));
}

std::string one(const Conversion& c, PackedArguments& arguments, const LaneMemory& memory) {
    std::string spec = "%" + c.flags;
    switch (c.letter) {
        case 'd':
        case 'i':
            return formatted(spec + "lld", c.wide
                                               ? static_cast<long long>(arguments.next<int64_t>())
                                               : arguments.next<int32_t>());
        case 'u':
        case 'x':
        case 'X':
        case 'o':
            return formatted(spec + "ll" + c.letter,
                             c.wide ? static_cast<unsigned long long>(arguments.next<uint64_t>())
                                    : arguments.next<uint32_t>());
        case 'c':
            return formatted(spec + "c", arguments.next<int32_t>());
        case 'p':
            return formatted("%#llx", static_cast<unsigned long long>(arguments.next<uint64_t>()));
        case 's': {
            std::string text;
            if (!memory.read_text(arguments.next<uint64_t>(), text)) text = "(unreadable)";
            return formatted(spec + "s", text.c_str());
        }
        case 'f':
        case 'F':
        case 'e':
        case 'E':
        case 'g':
        case 'G':
        case 'a':
        case 'A':
            return formatted(spec + c.letter, arguments.next<double>());
        case '%':
            return "%";
        default:  // not a conversion: as it stands
            return spec + (c.letter != 0 ? std::string(1, c.letter) : "");
    }
}

std::string text_of(const std::string& format, PackedArguments& arguments,
                    const LaneMemory& memory) {
    std::string text;
    for (size_t i = 0; i < format.size() && text.size() < kLongestText;) {
        if (format[i] != '%') {
            text += format[i++];
            continue;
        }
        Conversion conversion = conversion_at(format, i + 1, arguments);
        text += one(conversion, arguments, memory);
        i = conversion.end;
    }
    return text;
}

int32_t print(Warp& w, int lane, uint64_t format_address, uint64_t arguments_address) {
    LaneMemory memory(w, lane);
    std::string format;
    if (!memory.read_text(format_address, format)) return -1;
    PackedArguments arguments(memory, arguments_address);
    std::string text = text_of(format, arguments, memory);
    w.memory->work += kWorkOfCharacter * (8 + format.size() + text.size());
    w.memory->observer->on_print(
        {w.memory->block, w.index * kLanes + static_cast<uint32_t>(lane), text});
    return arguments.count();
}

}  // namespace

namespace {

// Parameter `i` of the call, or its result, in the lane's local memory; null where a recursive call
// has gone beyond its end.
std::byte* parameter_at(Warp& w, const Op& op, int lane, size_t i, uint32_t bytes) {
    uint64_t place = op.vector[i] + (op.has_base ? w.wides(op.a)[lane] : 0);
    if (place > w.local_bytes || w.local_bytes - place < bytes) return nullptr;
    return w.local + static_cast<uint64_t>(lane) * w.local_bytes + place;
}
uint64_t parameter(Warp& w, const Op& op, int lane, size_t i) {
    uint64_t value = 0;
    if (const std::byte* place = parameter_at(w, op, lane, i, 8)) std::memcpy(&value, place, 8);
    return value;
}
std::string text_at(Warp& w, int lane, uint64_t address) {
    std::string text;
    return LaneMemory(w, lane).read_text(address, text) ? text : "(unreadable)";
}
void report_trap(Warp& w, const Op& op, int lane, std::string text) {
    BlockMemory& memory = *w.memory;
    memory.observer->on_fault({Fault::Kind::trap, Space::global, false, 0, op.instruction,
                               memory.block, w.index * kLanes + static_cast<uint32_t>(lane), 0,
                               std::move(text)});
}

}  // namespace

void run_vprintf(Warp& w, const Op& op) {
    for (uint32_t rest = w.lanes; rest != 0; rest &= rest - 1) {
        int lane = std::countr_zero(rest);
        int32_t count = print(w, lane, parameter(w, op, lane, 1), parameter(w, op, lane, 2));
        if (std::byte* result = parameter_at(w, op, lane, 0, 4)) std::memcpy(result, &count, 4);
    }
}

void run_malloc(Warp& w, const Op& op) {
    BlockMemory& memory = *w.memory;
    for (uint32_t rest = w.lanes; rest != 0; rest &= rest - 1) {
        int lane = std::countr_zero(rest);
        uint64_t bytes = parameter(w, op, lane, 1);
        uint64_t address = memory.global->heap().allocate(memory.block, bytes);
        memory.work += kWorkOfAllocation + bytes / 64;
        if (std::byte* result = parameter_at(w, op, lane, 0, 8)) std::memcpy(result, &address, 8);
    }
}

void run_free(Warp& w, const Op& op) {
    BlockMemory& memory = *w.memory;
    for (uint32_t rest = w.lanes; rest != 0; rest &= rest - 1) {
        int lane = std::countr_zero(rest);
        uint64_t address = parameter(w, op, lane, 0);
        memory.work += kWorkOfAllocation;
        if (address == 0) continue;
        Heap::Freed freed = memory.global->heap().release(address);
        if (freed != Heap::Freed::now)
            report_trap(w, op, lane,
                        freed == Heap::Freed::before
                            ? "free of what was freed before"
                            : "free of an address at which no memory of malloc begins");
    }
    memory.recent = nullptr;  // it may be of what was freed
}

void run_assertion(Warp& w, const Op& op) {
    for (uint32_t rest = w.lanes; rest != 0; rest &= rest - 1) {
        int lane = std::countr_zero(rest);
        std::string text = text_at(w, lane, parameter(w, op, lane, 0));
        report_trap(w, op, lane, "assertion failed: " + text);
    }
}

void run_trap(Warp& w, const Op& op) {
    for (uint32_t rest = w.lanes; rest != 0; rest &= rest - 1)
        report_trap(w, op, std::countr_zero(rest), "");
}

void run_lost_call(Warp& w, const Op& op) {
    for (uint32_t rest = w.lanes; rest != 0; rest &= rest - 1)
        report_trap(w, op, std::countr_zero(rest),
                    "this call goes through a pointer to no function that takes these arguments");
}

void run_full_stack(Warp& w, const Op& op) {
    for (uint32_t rest = w.lanes; rest != 0; rest &= rest - 1)
        report_trap(w, op, std::countr_zero(rest),
                    "the recursion goes deeper than its stack of 16 KiB a thread");
}

}  // namespace lanewise
