// Reads the CSV of a calibration: comments with the card, a head that names the columns, rows.
#include "model/calibration.h"

#include <algorithm>
#include <charconv>
#include <map>

#include "base/error.h"
#include "base/files.h"
#include "base/text.h"

namespace lanewise {
namespace {

// One row under the names of its columns.
class Cells {
  public:
    Cells(const std::vector<std::string_view>& head, std::string_view line, std::string where)
        : where_(std::move(where)) {
        std::vector<std::string_view> cells = split(line, ';');
        if (cells.size() != head.size())
            throw Error(Status::bad_input, where_ + ": " + std::to_string(cells.size()) +
                                               " cells under " + std::to_string(head.size()) +
                                               " columns; is the line cut short?");
        for (size_t i = 0; i < head.size(); ++i) cells_[head[i]] = cells[i];
    }

    std::string text(std::string_view column) const { return std::string(cell(column)); }

    template <typename T>
    T number(std::string_view column) const {
        std::string_view text = cell(column);
        T value = {};
        auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), value);
        if (failed != std::errc() || end != text.data() + text.size())
            throw Error(Status::bad_input, where_ + ": \"" + std::string(text) +
                                               "\" is no number, as " + std::string(column) +
                                               " must be");
        return value;
    }

  private:
    std::string_view cell(std::string_view column) const {
        auto found = cells_.find(column);
        if (found == cells_.end())
            throw Error(Status::bad_input,
                        where_ + ": there is no column " + std::string(column) +
                            "; is this a file of lanewise-engine calibrate --out?");
        return found->second;
    }
    std::string where_;
    std::map<std::string_view, std::string_view> cells_;
};

CalibrationRow row_of(const Cells& cells) {
    CalibrationRow row;
    row.name = cells.text("name");
    row.kernel = cells.text("kernel");
    row.blocks = cells.number<double>("blocks");
    row.threads = cells.number<double>("threads");
    row.blocks_per_sm = cells.number<double>("blocks_per_sm");
    row.bytes = cells.number<uint64_t>("bytes");
    row.a = cells.number<uint64_t>("a");
    row.b = cells.number<uint64_t>("b");
    row.work = cells.number<double>("work");
    row.us = cells.number<double>("us");
    return row;
}

}  // namespace

std::string CalibrationRow::argument(size_t index) const {
    size_t open = kernel.find('<'), close = kernel.rfind('>');
    if (open == std::string::npos || close == std::string::npos) return "";
    std::string inside = kernel.substr(open + 1, close - open - 1);
    std::vector<std::string_view> arguments = split(inside, ',');
    return index < arguments.size() ? std::string(trimmed(arguments[index])) : "";
}

int CalibrationRow::number(size_t index) const {
    int64_t value = 0;
    return parse_integer(argument(index), value) ? static_cast<int>(value) : 0;
}

Calibration parse_calibration(std::string_view csv, const std::string& name) {
    Calibration calibration;
    std::vector<std::string_view> head;
    int number = 0;
    for (std::string_view line : lines_of(csv)) {
        ++number;
        if (trimmed(line).empty()) continue;
        if (line.starts_with('#')) {
            if (calibration.card.empty())
                calibration.card = trimmed(split(line.substr(1), ',').front());
        } else if (head.empty()) {
            head = split(line, ';');
        } else {
            calibration.rows.push_back(row_of({head, line, name + ":" + std::to_string(number)}));
        }
    }
    if (calibration.rows.empty())
        throw Error(Status::bad_input, name +
                                           " holds no measurement; lanewise-engine calibrate "
                                           "--out FILE.csv writes such a file");
    return calibration;
}

Calibration read_calibration(const std::filesystem::path& file) {
    return parse_calibration(read_file(file), file.string());
}

}  // namespace lanewise
