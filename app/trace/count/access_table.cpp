#include "trace/count/access_table.h"

#include <charconv>
#include <optional>

#include "base/error.h"
#include "base/text.h"
#include "trace/count/rules.h"

namespace lanewise {

namespace {

constexpr std::string_view kHeader =
    "op,bytes_per_lane,case,active_mask,requests,sectors,wavefronts,bank_conflicts,offset0";
enum Column { op, bytes_per_lane, name, active_mask, requests, sectors_, wavefronts_, offset0 = 8 };
constexpr size_t kColumns = 40;

struct RecordedAccess {
    bool is_global = true, is_store = false;
    int bytes_per_lane = 4;
    uint32_t mask = 0;
    std::optional<int> requests, sectors, wavefronts;
    LaneAddresses offsets{};
};

// Reads one line; `fail` is called with the reason and throws.
template <typename Fail>
class LineReader {
  public:
    LineReader(std::string_view line, Fail fail) : cells_(split(line, ',')), fail_(fail) {
        if (cells_.size() != kColumns)
            fail_("has " + std::to_string(cells_.size()) + " columns instead of " +
                  std::to_string(kColumns));
    }

    RecordedAccess access() {
        RecordedAccess access;
        std::string_view kind = cells_[op];
        if (kind != "ld.global" && kind != "st.global" && kind != "ld.shared" &&
            kind != "st.shared")
            fail_("has the unknown op " + std::string(kind));
        access.is_global = kind.ends_with("global");
        access.is_store = kind.starts_with("st");
        access.bytes_per_lane = static_cast<int>(number(bytes_per_lane));
        int width = access.bytes_per_lane;
        if (width != 1 && width != 2 && width != 4 && width != 8 && width != 16)
            fail_("has " + std::to_string(width) + " bytes a lane; 1, 2, 4, 8 and 16 exist");
        access.mask = static_cast<uint32_t>(number(active_mask, 16));
        access.requests = count(requests);
        access.sectors = count(sectors_);
        access.wavefronts = count(wavefronts_);
        for (size_t lane = 0; lane < 32; ++lane) access.offsets[lane] = number(offset0 + lane);
        return access;
    }
    std::string description() const {
        return std::string(cells_[op]) + ", " + std::string(cells_[bytes_per_lane]) +
               " bytes a lane, " + std::string(cells_[name]);
    }

  private:
    uint64_t number(size_t column, int base = 10) {
        std::string_view cell = cells_[column];
        uint32_t value = 0;
        auto [end, error] = std::from_chars(cell.data(), cell.data() + cell.size(), value, base);
        if (error != std::errc() || end != cell.data() + cell.size())
            fail_("has \"" + std::string(cell) + "\" where a number belongs");
        return value;
    }
    std::optional<int> count(size_t column) {
        if (cells_[column].empty()) return std::nullopt;
        return static_cast<int>(number(column));
    }

    std::vector<std::string_view> cells_;
    Fail fail_;
};

}  // namespace

AccessTableResult check_access_table(std::string_view table, const std::string& name) {
    auto lines = lines_of(table);
    if (lines.empty() || !lines[0].starts_with(kHeader))
        throw Error(Status::bad_input, name +
                                           " is not an access table: its first line must start "
                                           "with " +
                                           std::string(kHeader));
    AccessTableResult result;
    for (size_t i = 1; i < lines.size(); ++i) {
        int line = static_cast<int>(i) + 1;
        auto fail = [&](const std::string& reason) {
            throw Error(Status::bad_input,
                        name + ":" + std::to_string(line) + ": the row " + reason);
        };
        LineReader reader(lines[i], fail);
        RecordedAccess a = reader.access();
        auto check = [&](const char* count, const std::optional<int>& recorded, int predicted) {
            if (recorded && *recorded != predicted)
                result.mismatches.push_back(
                    {line, reader.description(), count, *recorded, predicted});
        };
        if (a.is_global) {
            check("requests", a.requests, a.mask != 0);
            check("sectors", a.sectors, sectors(a.offsets, a.bytes_per_lane, a.mask));
        } else {
            check("wavefronts", a.wavefronts,
                  wavefronts(a.offsets, a.bytes_per_lane, a.mask, a.is_store));
        }
        ++result.cases;
    }
    return result;
}

}  // namespace lanewise
