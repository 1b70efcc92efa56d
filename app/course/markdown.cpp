// md4c calls back at the start and end of every block and span; Builder turns that into a flat
// list.
#include "course/markdown.h"

#include <dlfcn.h>
#include <md4c.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "base/text.h"

namespace lanewise {
namespace {

using Kind = LessonBlock::Kind;

std::string decoded(std::string_view entity) {
    constexpr std::array<std::pair<std::string_view, std::string_view>, 6> kEntities = {
        {{"&amp;", "&"},
         {"&lt;", "<"},
         {"&gt;", ">"},
         {"&quot;", "\""},
         {"&nbsp;", "\u00a0"},
         {"&times;", "\u00d7"}}};
    for (auto [name, text] : kEntities)
        if (entity == name) return std::string(text);
    return std::string(entity);
}

std::string attribute(const MD_ATTRIBUTE& attribute) {
    std::string text;
    for (size_t i = 0; attribute.text && attribute.substr_offsets[i] < attribute.size; ++i) {
        MD_OFFSET start = attribute.substr_offsets[i], end = attribute.substr_offsets[i + 1];
        std::string piece(attribute.text + start, end - start);
        text += attribute.substr_types[i] == MD_TEXT_ENTITY ? decoded(piece) : piece;
    }
    return text;
}

class Builder {
  public:
    std::vector<LessonBlock> blocks;

    void enter(MD_BLOCKTYPE type, void* detail) {
        switch (type) {
            case MD_BLOCK_QUOTE:
                ++quotes_;
                break;
            case MD_BLOCK_UL:
                lists_.push_back({false, 0});
                break;
            case MD_BLOCK_OL: {
                auto* list = static_cast<MD_BLOCK_OL_DETAIL*>(detail);
                lists_.push_back({true, static_cast<int>(list->start)});
                break;
            }
            case MD_BLOCK_LI:
                open_item();
                break;
            case MD_BLOCK_HR:
                open(Kind::rule, 0);
                break;
            case MD_BLOCK_H:
                open(Kind::heading,
                     static_cast<int>(static_cast<MD_BLOCK_H_DETAIL*>(detail)->level));
                break;
            case MD_BLOCK_CODE:
                open(Kind::code, depth());
                break;
            case MD_BLOCK_P:
                open_paragraph();
                break;
            default:
                break;
        }
    }

    void leave(MD_BLOCKTYPE type) {
        switch (type) {
            case MD_BLOCK_QUOTE:
                --quotes_;
                break;
            case MD_BLOCK_UL:
            case MD_BLOCK_OL:
                lists_.pop_back();
                break;
            case MD_BLOCK_CODE:
                trim_code();
                break;
            default:
                break;
        }
        fresh_item_ = fresh_item_ && type != MD_BLOCK_P && type != MD_BLOCK_LI;
    }

    void span(MD_SPANTYPE type, void* detail, bool entering) {
        if (type == MD_SPAN_STRONG) style_.strong = entering;
        if (type == MD_SPAN_EM) style_.emphasis = entering;
        if (type == MD_SPAN_CODE) style_.code = entering;
        if (type == MD_SPAN_A)
            style_.link = entering ? attribute(static_cast<MD_SPAN_A_DETAIL*>(detail)->href) : "";
    }

    void text(MD_TEXTTYPE type, std::string_view piece) {
        if (blocks.empty()) return;
        if (type == MD_TEXT_SOFTBR) return add(" ");
        if (type == MD_TEXT_BR) return add("\n");
        if (type == MD_TEXT_ENTITY) return add(decoded(piece));
        add(std::string(piece));
    }

  private:
    struct List {
        bool numbered;
        int next;
    };

    int depth() const { return static_cast<int>(lists_.size()); }

    void open(Kind kind, int level, int number = 0) {
        blocks.push_back({kind, level, number, {}});
        fresh_item_ = false;
    }

    void open_item() {
        List& list = lists_.back();
        open(list.numbered ? Kind::numbered : Kind::bullet, depth(),
             list.numbered ? list.next++ : 0);
        fresh_item_ = true;
    }

    // An item's first paragraph is the item itself.
    void open_paragraph() {
        if (fresh_item_) return;
        open(quotes_ > 0 ? Kind::quote : Kind::paragraph, depth());
    }

    // Joins pieces of the same style, so that a {{query}} is never split over runs.
    void add(const std::string& piece) {
        std::vector<LessonRun>& runs = blocks.back().runs;
        bool joins = !runs.empty() && runs.back().strong == style_.strong &&
                     runs.back().emphasis == style_.emphasis && runs.back().code == style_.code &&
                     runs.back().link == style_.link;
        if (!joins) runs.push_back(style_);
        runs.back().text += piece;
    }

    void trim_code() {
        for (LessonRun& run : blocks.back().runs)
            if (run.text.ends_with('\n')) run.text.pop_back();
    }

    std::vector<List> lists_;
    int quotes_ = 0;
    bool fresh_item_ = false;
    LessonRun style_;
};

// Cuts a run at its {{queries}}: each becomes a run of its own. Code is left alone.
void append_with_queries(const LessonRun& run, std::vector<LessonRun>& runs) {
    auto append = [&](std::string text, std::string query) {
        if (text.empty()) return;
        runs.push_back(run);
        runs.back().text = std::move(text);
        runs.back().query = std::move(query);
    };
    size_t at = 0;
    while (!run.code) {
        size_t open = run.text.find("{{", at);
        size_t close = open == std::string::npos ? open : run.text.find("}}", open);
        if (close == std::string::npos) break;
        append(run.text.substr(at, open - at), "");
        append(run.text.substr(open, close + 2 - open),
               run.text.substr(open + 2, close - open - 2));
        at = close + 2;
    }
    append(run.text.substr(at), "");
}

Builder& builder(void* user) { return *static_cast<Builder*>(user); }

}  // namespace

// Loaded at run time, because no static md4c is to be had, and the engine is one file that also
// runs where no library of its own is installed.
using ParseFunction = decltype(&::md_parse);
static ParseFunction find_parser() {
    void* library = ::dlopen("libmd4c.so.0", RTLD_NOW | RTLD_LOCAL);
    return library ? reinterpret_cast<ParseFunction>(::dlsym(library, "md_parse")) : nullptr;
}

std::vector<LessonBlock> plain_blocks(const std::string& markdown) {
    std::vector<LessonBlock> blocks;
    for (size_t at = 0; at < markdown.size();) {
        size_t end = std::min(markdown.find("\n\n", at), markdown.size());
        std::string_view text = trimmed(std::string_view(markdown).substr(at, end - at));
        at = end + 2;
        if (text.empty()) continue;
        LessonBlock block{LessonBlock::Kind::paragraph, 0, 0, {}};
        LessonRun run;
        run.text = text;
        append_with_queries(run, block.runs);
        blocks.push_back(std::move(block));
    }
    return blocks;
}

std::vector<LessonBlock> markdown_blocks(const std::string& markdown) {
    MD_PARSER parser = {};
    parser.flags = MD_FLAG_NOHTML;
    parser.enter_block = [](MD_BLOCKTYPE type, void* detail, void* user) {
        return builder(user).enter(type, detail), 0;
    };
    parser.leave_block = [](MD_BLOCKTYPE type, void*, void* user) {
        return builder(user).leave(type), 0;
    };
    parser.enter_span = [](MD_SPANTYPE type, void* detail, void* user) {
        return builder(user).span(type, detail, true), 0;
    };
    parser.leave_span = [](MD_SPANTYPE type, void* detail, void* user) {
        return builder(user).span(type, detail, false), 0;
    };
    parser.text = [](MD_TEXTTYPE type, const MD_CHAR* text, MD_SIZE size, void* user) {
        return builder(user).text(type, {text, size}), 0;
    };
    static const ParseFunction parse = find_parser();
    if (!parse) return plain_blocks(markdown);
    Builder result;
    parse(markdown.data(), static_cast<MD_SIZE>(markdown.size()), &parser, &result);
    for (LessonBlock& block : result.blocks) {
        std::vector<LessonRun> runs;
        for (const LessonRun& run : block.runs) append_with_queries(run, runs);
        block.runs = std::move(runs);
    }
    return std::move(result.blocks);
}

}  // namespace lanewise
