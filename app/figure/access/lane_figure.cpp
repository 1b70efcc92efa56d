#include "figure/access/lane_figure.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "base/text.h"
#include "figure/access/warp_lines.h"
#include "figure/drawing/marks.h"
#include "trace/count/refetch.h"
#include "trace/count/rules.h"

namespace lanewise {
namespace {

constexpr float kRowHeight = 34, kLabel = 15, kMostByte = 7;  // points

class LaneFigure {
  public:
    LaneFigure(const LaneFigureInput& input, const Measure& measure)
        : in_(input),
          measure_(measure),
          access_(input.block->accesses[static_cast<size_t>(input.access)]),
          instruction_(input.report->instructions[access_.instruction]) {
        figure_.width = input.width;
        bool known =
            access_.buffer >= 0 && access_.buffer < static_cast<int>(input.block->buffers.size());
        if (known) buffer_ = input.block->buffers[static_cast<size_t>(access_.buffer)];
        if (buffer_.name.empty()) buffer_.name = shared() ? "shared memory" : "the buffer";
    }

    Drawing draw() {
        draw_title();
        if (access_.mask >> in_.lane & 1) {
            draw_expression();
            if (shared())
                draw_bank();
            else
                draw_lines();
        }
        figure_.height = y_ + 2;
        return std::move(figure_);
    }

  private:
    bool shared() const { return instruction_.space == Space::shared; }
    uint64_t offset() const { return access_.addresses[static_cast<size_t>(in_.lane)]; }
    uint64_t bytes() const { return static_cast<uint64_t>(instruction_.bytes_per_lane); }

    void say(const std::string& words, float size, Ink ink, Font font = Font::text) {
        y_ = paragraph(figure_, {0, y_}, in_.width, words, size, Fill::of(ink), measure_, font);
    }

    void draw_title() {
        uint32_t thread = access_.warp * 32 + static_cast<uint32_t>(in_.lane);
        uint32_t across = std::max(1u, in_.block_x), down = std::max(1u, in_.block_y);
        std::string place = fmt::format("({}, {}", thread % across, thread / across % down);
        if (uint32_t z = thread / across / down) place += fmt::format(", {}", z);
        bool active = access_.mask >> in_.lane & 1;
        say(fmt::format("Lane {} of warp {} is thread {}){}", in_.lane, access_.warp, place,
                        active ? "." : ": it takes no part in this access."),
            kTitleSize, Ink::text, Font::bold);
        y_ += 4;
    }

    void draw_expression() {
        uint64_t element = offset() / static_cast<uint64_t>(std::max(1, in_.element_bytes));
        std::string where =
            fmt::format("{} {} {} {} + {}: element {}", instruction_.is_store ? "stores" : "loads",
                        counted(bytes(), "byte"), instruction_.is_store ? "to" : "from",
                        buffer_.name, hex_of(offset()), with_thousands(element));
        where[0] = instruction_.is_store ? 'S' : 'L';
        if (in_.numbers.empty()) {
            say("How the source comes to this address cannot be read off it; what the machine saw "
                "can.",
                kBodySize, Ink::text_dim);
        } else {
            say(in_.expression, kBodySize, Ink::text, Font::mono);
            if (in_.numbers != in_.expression)
                say("= " + in_.numbers, kBodySize, Ink::accent, Font::mono);
        }
        say(where, kBodySize, Ink::text);
        y_ += 8;
    }

    // ---- global memory

    void draw_lines() {
        touches_ = earlier_touches(*in_.block, *in_.report, in_.access);
        std::vector<TouchedLine> lines =
            touched_lines(access_, instruction_.bytes_per_lane, buffer_.address);
        auto first = static_cast<int64_t>(offset()), last = first + int64_t(bytes()) - 1;
        for (const TouchedLine& line : lines)
            if (line.offset <= last && line.offset + kLineBytes > first) draw_line(line);
        draw_sums(lines);
    }

    void draw_line(const TouchedLine& line) {
        float each = std::min(kMostByte, (in_.width - 2 - 3 * 2) / kLineBytes);
        for (int sector = 0; sector < kSectorsPerLine; ++sector) {
            Box box{1 + each * float(sector * kSectorBytes) + 2 * float(sector), y_ + kLabel,
                    each * kSectorBytes, kRowHeight};
            draw_sector(line, sector, box, each);
        }
        y_ += kLabel + kRowHeight + 3;
        std::string address =
            line.offset < 0 ? fmt::format("{} - {}", buffer_.name, hex_of(uint64_t(-line.offset)))
                            : fmt::format("{} + {}", buffer_.name, hex_of(uint64_t(line.offset)));
        say("The 128-byte line at " + address + ", byte by byte", kNoteSize, Ink::text_dim);
        y_ += 6;
    }

    int earlier(const TouchedLine& line, int sector) const {
        auto address = static_cast<int64_t>(buffer_.address) + line.offset + sector * kSectorBytes;
        auto found = touches_.find(static_cast<uint64_t>(address) / kSectorBytes);
        return found == touches_.end() ? 0 : found->second;
    }

    void draw_sector(const TouchedLine& line, int sector, Box box, float each) {
        bool touched = line.has_sector(sector);
        int before = touched ? earlier(line, sector) : 0;
        if (touched) {
            figure_.rect(box, Fill::of(Ink::wasted, 0.22f));
            hatch(figure_, box, Fill::of(Ink::wasted, 0.8f));
        }
        for (int i = 0; i < kSectorBytes; ++i) {
            int byte = sector * kSectorBytes + i;
            uint32_t lanes = line.owners[static_cast<size_t>(byte)];
            if (!lanes) continue;
            bool mine = lanes >> in_.lane & 1;
            int lane = mine ? in_.lane : std::countr_zero(lanes);
            Box cell{box.x + each * float(i), box.y, each, box.h};
            figure_.rect(cell, Fill::lane(lane, mine ? 1.f : 0.35f));
            figure_.hit(cell,
                        fmt::format("byte {} of the line, for lane{} {}", byte,
                                    std::popcount(lanes) > 1 ? "s" : "", lanes_of(lanes)),
                        fmt::format("lane:{}", lane));
        }
        outline_mine(line, sector, box, each);
        figure_.rect(box, Fill::none(), Fill::of(touched ? Ink::border : Ink::grid)).dashed =
            !touched;
        if (before == 0) return;
        figure_.rect({box.x, box.y - 4, box.w, 3}, Fill::of(Ink::refetched));
        std::string words = fmt::format("asked for {}× before", before);
        text_if_it_fits(figure_, {box.x, y_ - 1, box.w, kLabel - 4}, words, kNoteSize,
                        Fill::of(Ink::text), measure_, Align::left, Font::text);
    }

    // A frame around this lane's bytes of the sector.
    void outline_mine(const TouchedLine& line, int sector, Box box, float each) {
        int first = -1, count = 0;
        for (int i = 0; i < kSectorBytes; ++i)
            if (line.owners[static_cast<size_t>(sector * kSectorBytes + i)] >> in_.lane & 1) {
                if (first < 0) first = i;
                ++count;
            }
        if (first < 0) return;
        figure_
            .rect({box.x + each * float(first), box.y, each * float(count), box.h}, Fill::none(),
                  Fill::of(Ink::accent), 1)
            .stroke_width = 2.5f;
    }

    void draw_sums(const std::vector<TouchedLine>& lines) {
        auto useful = static_cast<uint64_t>(useful_bytes(lines));
        uint64_t moved = static_cast<uint64_t>(access_.sectors) * kSectorBytes;
        uint64_t again = 0;
        for (const auto& [sector, before] : touches_) again += before > 0 ? kSectorBytes : 0;
        std::vector<LegendItem> items = {
            {Fill::lane(in_.lane), Fill::of(Ink::accent), false,
             "this lane's: " + counted(bytes(), "byte")},
            {Fill::lane(in_.lane < 16 ? 31 : 0, 0.35f), Fill::none(), false,
             "for all lanes of the access: " + counted(useful, "byte")},
            {Fill::of(Ink::wasted, 0.22f), Fill::of(Ink::wasted), true,
             "wasted: " + counted(moved - std::min(moved, useful), "byte")}};
        if (again > 0)
            items.push_back(
                {Fill::of(Ink::refetched), Fill::none(), false,
                 "of sectors that this block asked for before: " + counted(again, "byte")});
        y_ = legend(figure_, {1, y_}, in_.width - 2, items, measure_) + 2;
    }

    // ---- shared memory

    void draw_bank() {
        constexpr uint64_t kWord = 4;
        uint64_t first = offset() / kWord, last = (offset() + bytes() - 1) / kWord;
        float each = std::min(18.f, (in_.width - 2) / kBanks);
        for (int bank = 0; bank < kBanks; ++bank) {
            bool mine = false;
            for (uint64_t word = first; word <= last; ++word)
                mine = mine || static_cast<int>(word % kBanks) == bank;
            Box box{1 + each * float(bank), y_, each - 1, kRowHeight};
            figure_
                .rect(box, Fill::bank(bank, mine ? 1.f : 0.3f),
                      mine ? Fill::of(Ink::accent) : Fill::none(), 1)
                .stroke_width = 2;
            text_if_it_fits(figure_, box, std::to_string(bank), kNoteSize,
                            Fill::of(mine ? Ink::text_on_fill : Ink::text), measure_);
        }
        y_ += kRowHeight + 4;
        std::string words =
            first == last
                ? fmt::format("Word {} lies in bank {}.", with_thousands(first), first % kBanks)
                : fmt::format("Words {} to {} lie in banks {} to {}.", with_thousands(first),
                              with_thousands(last), first % kBanks, last % kBanks);
        say(words + " " + wavefront_words(static_cast<uint32_t>(first)), kBodySize, Ink::text);
    }

    std::string wavefront_words(uint32_t word) const {
        LaneAddresses addresses{};
        std::copy_n(access_.addresses.begin(), std::min<size_t>(32, access_.addresses.size()),
                    addresses.begin());
        std::vector<Wavefront> schedule = wavefront_schedule(addresses, instruction_.bytes_per_lane,
                                                             access_.mask, instruction_.is_store);
        for (size_t i = 0; i < schedule.size(); ++i)
            for (const WavefrontWord& served : schedule[i])
                if (served.word == word && (served.lanes >> in_.lane & 1))
                    return fmt::format("It is served in wavefront {} of {}, for lanes {}.", i + 1,
                                       schedule.size(), lanes_of(served.lanes));
        return "";
    }

    const LaneFigureInput& in_;
    const Measure& measure_;
    const TracedAccess& access_;
    const InstructionReport& instruction_;
    TracedBuffer buffer_;
    std::map<uint64_t, int> touches_;
    Drawing figure_;
    float y_ = 0;
};

}  // namespace

Drawing lane_figure(const LaneFigureInput& input, const Measure& measure) {
    bool there = has_access(input.block, input.report, input.access, Space::global) ||
                 has_access(input.block, input.report, input.access, Space::shared);
    if (!there || input.lane < 0 || input.lane > 31)
        return words_only("Choose a lane: click on its number.", input.width, measure);
    return LaneFigure(input, measure).draw();
}

}  // namespace lanewise
