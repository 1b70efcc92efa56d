#include "lab/record/counted.h"

#include <algorithm>

#include "base/error.h"
#include "base/files.h"
#include "base/text.h"

namespace lanewise {

namespace fs = std::filesystem;

namespace {

struct Reader {
    const fs::path& file;
    size_t line = 0;

    [[noreturn]] void fail(const std::string& reason) const {
        throw Error(Status::bad_input, file.string() + ":" + std::to_string(line) + ": " + reason);
    }
    int64_t integer(std::string_view text) const {
        int64_t value = 0;
        if (!parse_integer(text, value) || value < 0)
            fail("\"" + std::string(text) + "\" is not a count");
        return value;
    }
    // "# CARD, TOOL, DATE"
    void head(std::string_view text, CounterRecording& recording) const {
        std::vector<std::string_view> parts = split(text.substr(1), ',');
        if (parts.size() != 3) fail("expected # CARD, TOOL, DATE");
        recording.card = trimmed(parts[0]);
        recording.tool = trimmed(parts[1]);
        recording.date = trimmed(parts[2]);
    }
    // "transpose/30_padded 1000x50 f32 PAD=0"
    CountedLaunch launch(std::string_view text) const {
        std::vector<std::string_view> words = split(text, ' ');
        if (words.size() < 3) fail("expected STAGE ROWSxCOLS TYPE [KNOB=VALUE …]");
        CountedLaunch result;
        result.stage = words[0];
        result.type = words[2];
        std::vector<std::string_view> matrix = split(words[1], 'x');
        if (matrix.size() != 2 && matrix.size() != 3)
            fail("expected ROWSxCOLS or MxNxK, not " + std::string(words[1]));
        if (matrix.size() == 3) result.inner = integer(matrix[2]);
        result.rows = integer(matrix[0]);
        result.cols = integer(matrix[1]);
        for (size_t i = 3; i < words.size(); ++i) {
            std::vector<std::string_view> knob = split(words[i], '=');
            if (knob.size() != 2) fail("expected KNOB=VALUE, not " + std::string(words[i]));
            result.knobs[std::string(knob[0])] = integer(knob[1]);
        }
        return result;
    }
};

// The columns are named as the rows of the counts table, with underscores.
std::vector<std::string> column_names(std::string_view line) {
    std::vector<std::string> names;
    for (std::string_view name : split(line, ',')) {
        names.emplace_back(name);
        std::replace(names.back().begin(), names.back().end(), '_', ' ');
    }
    return names;
}

KnobValues with_defaults(const Stage& stage, const KnobValues& knobs) {
    KnobValues all = default_knobs(stage);
    for (const auto& [name, value] : knobs) all[name] = value;
    return all;
}

}  // namespace

CounterRecording read_counter_recording(const fs::path& file) {
    CounterRecording recording;
    Reader reader{file};
    std::vector<std::string> columns;
    std::string text = read_file(file);
    for (std::string_view line : lines_of(text)) {
        ++reader.line;
        if (line.starts_with('#')) {
            reader.head(line, recording);
        } else if (columns.empty()) {
            columns = column_names(line);
        } else {
            std::vector<std::string_view> cells = split(line, ',');
            if (cells.size() != columns.size())
                reader.fail("expected " + std::to_string(columns.size()) + " columns, found " +
                            std::to_string(cells.size()) + "; take the recording again");
            CountedLaunch launch = reader.launch(cells[0]);
            for (size_t i = 1; i < cells.size(); ++i)
                launch.counts[columns[i]] = static_cast<uint64_t>(reader.integer(cells[i]));
            recording.launches.push_back(std::move(launch));
        }
    }
    if (recording.launches.empty()) reader.fail("no counts; take the recording again");
    return recording;
}

std::vector<CounterRecording> read_counter_recordings(const fs::path& folder,
                                                      std::vector<std::string>& problems) {
    std::vector<CounterRecording> recordings;
    for (const fs::path& file : files_in(folder, "-counters.csv")) {
        try {
            recordings.push_back(read_counter_recording(file));
        } catch (const Error& error) {
            problems.emplace_back(error.what());
        }
    }
    return recordings;
}

const CountedLaunch* CounterRecording::find(const Stage& stage, const KnobValues& knobs,
                                            const std::string& type, int64_t rows, int64_t cols,
                                            int64_t inner) const {
    KnobValues wanted = with_defaults(stage, knobs);
    for (const CountedLaunch& launch : launches)
        if (launch.stage == stage.id && launch.type == type && launch.rows == rows &&
            launch.cols == cols && launch.inner == inner &&
            with_defaults(stage, launch.knobs) == wanted)
            return &launch;
    return nullptr;
}

void add_measured(std::vector<CountRow>& rows, const CountedLaunch& launch) {
    for (CountRow& row : rows) {
        auto count = launch.counts.find(row.name);
        if (count == launch.counts.end()) continue;
        row.has_measured = true;
        row.measured = count->second;
    }
}

}  // namespace lanewise
