// cmark reads the text into a tree; Builder walks it and makes a flat list.
#include "course/markdown.h"

#include <cmark.h>

#include <memory>
#include <string_view>

namespace lanewise {
namespace {

using BlockKind = LessonBlock::Kind;

std::string text_of(const char* text) { return text ? text : ""; }

class Builder {
  public:
    std::vector<LessonBlock> blocks;

    void enter(cmark_node* node) {
        switch (cmark_node_get_type(node)) {
            case CMARK_NODE_BLOCK_QUOTE:
                ++quotes_;
                break;
            case CMARK_NODE_LIST:
                lists_.push_back({cmark_node_get_list_type(node) == CMARK_ORDERED_LIST,
                                  cmark_node_get_list_start(node)});
                break;
            case CMARK_NODE_ITEM:
                open_item();
                break;
            case CMARK_NODE_HEADING:
                open(BlockKind::heading, cmark_node_get_heading_level(node));
                break;
            case CMARK_NODE_PARAGRAPH:
                open_paragraph();
                break;
            default:
                style(node, true);
        }
    }

    void leave(cmark_node* node) {
        cmark_node_type type = cmark_node_get_type(node);
        if (type == CMARK_NODE_BLOCK_QUOTE) --quotes_;
        if (type == CMARK_NODE_LIST) lists_.pop_back();
        if (type == CMARK_NODE_PARAGRAPH || type == CMARK_NODE_ITEM) fresh_item_ = false;
        style(node, false);
    }

    // What has no end of its own.
    void leaf(cmark_node* node) {
        switch (cmark_node_get_type(node)) {
            case CMARK_NODE_THEMATIC_BREAK:
                open(BlockKind::rule, 0);
                break;
            case CMARK_NODE_CODE_BLOCK:
                open(BlockKind::code, depth());
                add(without_last_newline(text_of(cmark_node_get_literal(node))));
                break;
            case CMARK_NODE_HTML_BLOCK:  // shown as text
                open_paragraph();
                add(without_last_newline(text_of(cmark_node_get_literal(node))));
                break;
            case CMARK_NODE_SOFTBREAK:
                add(" ");
                break;
            case CMARK_NODE_LINEBREAK:
                add("\n");
                break;
            case CMARK_NODE_CODE:
                style_.code = true;
                add(text_of(cmark_node_get_literal(node)));
                style_.code = false;
                break;
            default:
                add(text_of(cmark_node_get_literal(node)));
        }
    }

  private:
    struct List {
        bool numbered;
        int next;
    };

    void style(cmark_node* node, bool entering) {
        cmark_node_type type = cmark_node_get_type(node);
        if (type == CMARK_NODE_STRONG) style_.strong = entering;
        if (type == CMARK_NODE_EMPH) style_.emphasis = entering;
        if (type == CMARK_NODE_LINK)
            style_.link = entering ? text_of(cmark_node_get_url(node)) : "";
    }

    int depth() const { return static_cast<int>(lists_.size()); }

    void open(BlockKind kind, int level, int number = 0) {
        blocks.push_back({kind, level, number, {}});
        fresh_item_ = false;
    }

    void open_item() {
        List& list = lists_.back();
        open(list.numbered ? BlockKind::numbered : BlockKind::bullet, depth(),
             list.numbered ? list.next++ : 0);
        fresh_item_ = true;
    }

    // An item's first paragraph is the item itself.
    void open_paragraph() {
        if (fresh_item_) return;
        open(quotes_ > 0 ? BlockKind::quote : BlockKind::paragraph, depth());
    }

    // Joins pieces of the same style, so that a {{query}} is never split over runs.
    void add(const std::string& piece) {
        if (blocks.empty() || piece.empty()) return;
        std::vector<LessonRun>& runs = blocks.back().runs;
        bool joins = !runs.empty() && runs.back().strong == style_.strong &&
                     runs.back().emphasis == style_.emphasis && runs.back().code == style_.code &&
                     runs.back().link == style_.link;
        if (!joins) runs.push_back(style_);
        runs.back().text += piece;
    }

    static std::string without_last_newline(std::string text) {
        if (text.ends_with('\n')) text.pop_back();
        return text;
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

// Kinds of nodes that come with an entry and no exit.
bool is_childless(cmark_node_type type) {
    switch (type) {
        case CMARK_NODE_HTML_BLOCK:
        case CMARK_NODE_THEMATIC_BREAK:
        case CMARK_NODE_CODE_BLOCK:
        case CMARK_NODE_TEXT:
        case CMARK_NODE_SOFTBREAK:
        case CMARK_NODE_LINEBREAK:
        case CMARK_NODE_CODE:
        case CMARK_NODE_HTML_INLINE:
            return true;
        default:
            return false;
    }
}

}  // namespace

std::vector<LessonBlock> markdown_blocks(const std::string& markdown) {
    std::unique_ptr<cmark_node, decltype(&cmark_node_free)> document(
        cmark_parse_document(markdown.data(), markdown.size(), CMARK_OPT_DEFAULT), cmark_node_free);
    std::unique_ptr<cmark_iter, decltype(&cmark_iter_free)> walk(cmark_iter_new(document.get()),
                                                                 cmark_iter_free);
    Builder result;
    for (cmark_event_type event; (event = cmark_iter_next(walk.get())) != CMARK_EVENT_DONE;) {
        cmark_node* node = cmark_iter_get_node(walk.get());
        bool is_leaf = is_childless(cmark_node_get_type(node));
        if (is_leaf)
            result.leaf(node);
        else if (event == CMARK_EVENT_ENTER)
            result.enter(node);
        else
            result.leave(node);
    }
    for (LessonBlock& block : result.blocks) {
        std::vector<LessonRun> runs;
        for (const LessonRun& run : block.runs) append_with_queries(run, runs);
        block.runs = std::move(runs);
    }
    return std::move(result.blocks);
}

}  // namespace lanewise
