#include "course/operation.h"

#include <algorithm>

#include "base/error.h"

namespace lanewise {

const std::vector<Operation>& all_operations() {
    using Rate = Operation::Rate;
    static const std::vector<Operation> table = {
        {
            .id = "transpose",
            .name = "transpose",
            .course = "TRANSPOSE",
            .course_title = "Transpose",
            .references = {"transpose", "copy", "in_place"},
            .result = {},
            .buffers = {"in", "out"},
            .compared = "The input's words all differ, and the output was poisoned before: every "
                        "element is compared, bit for bit, with what belongs there.",
            .types = {},
            .calls = {{.name = "cublas_geam", .types = {"f32", "f64"}}},
            .takes_batch = true,
            .sides = {.names = {"rows", "cols"},
                      .title = "Matrix",
                      .help = "rows × cols of the input; the output has cols rows."},
            .sizes =
                {.begins_at = {4096, 4096},
                 .timed_at = {4096, 4096},
                 .mostly_at = {4096, 4096},
                 .like = "1000x50",
                 // Round ones that are also recorded, and two that fit no tile.
                 .offered = {{"1024²", {1024, 1024}},
                             {"4096²", {4096, 4096}},
                             {"8192²", {8192, 8192}},
                             {"1000×50", {1000, 50}},
                             {"33×65", {33, 65}}},
                 .judged_at = {{256, 256}, {128, 384}},
                 .awkward =
                     {{96, 160}, {33, 65}, {1000, 50}, {1, 1}, {1, 4096}, {4096, 1}, {31, 257}}},
            .yardstick = "copy",
            .views = {.opening = "view:flow",
                      .own = {},
                      .others =
                          "These pictures are of products, where each element is used again and "
                          "again. A transpose uses each once."},
        },
        {
            .id = "matmul",
            .name = "product",
            .course = "PRODUCT",
            .course_title = "Products",
            .references = {"matmul"},
            .result = "a product's output is always C = A * B",
            .buffers = {"A", "B", "C"},
            .computes = true,
            .reads_numbers = true,
            .types = {"f32", "f16"},
            .calls = {{.name = "cublas_gemm",
                       .types = {"f32", "f16"},
                       .knob = "TF32",
                       .like = "[0, 1]",
                       .most = 1},
                      {.name = "cusparse_spmm",
                       .types = {"f32"},
                       .knob = "ZEROS",
                       .like = "[50, 75, 90]",
                       .most = 100}},
            .sides = {.names = {"M", "N", "K"},
                      .title = "M, N, K",
                      .help = "A is M × K, B is K × N, C = A · B is M × N; all row by row."},
            .sizes =
                {// C is large enough to keep a card busy, so that each rung is faster than the one
                 // before; K is short, so that all of it is interpreted soon.
                 .begins_at = {1024, 1024, 256},
                 // A smaller one takes less time than launching it.
                 .timed_at = {1024, 1024, 1024},
                 .mostly_at = {8192, 8192, 8192},
                 .like = "512x512x256",
                 // The article's, of which the largest is looked at in part, and two that
                 // are drawn at once.
                 .offered = {{"32³", {32, 32, 32}},
                             {"256³", {256, 256, 256}},
                             {"1024²×256", {1024, 1024, 256}},
                             {"1024³", {1024, 1024, 1024}},
                             {"8192³", {8192, 8192, 8192}},
                             {"33×65×97", {33, 65, 97}},
                             {"1000×50×1000", {1000, 50, 1000}}},
                 .judged_at = {{64, 64, 64}, {128, 64, 96}},
                 .awkward = {{96, 160, 48},
                             {33, 65, 97},
                             {1, 1, 1},
                             {1, 300, 40},
                             {300, 1, 40},
                             {20, 24, 500}}},
            .rate = Rate::operations,
            .yardstick = "cuBLAS",
            .views = {.opening = "view:product:walk", .own = {"product"}, .others = {}},
        },
        {
            .id = "reduction",
            .name = "sum",
            .course = "REDUCTION",
            .course_title = "Sums",
            .references = {"block_sums", "sum"},
            .result = {},
            .buffers = {"in", "out"},
            .reads_numbers = true,
            .one_result = true,
            .compared = "The input is odd whole numbers, so that no order of adding rounds their "
                        "sums. The output was poisoned or zero before: what the launch wrote is "
                        "added up and compared exactly.",
            .types = {"f32", "f16"},
            .calls = {},
            .sides =
                {.names = {"rows", "cols"},
                 .title = "Numbers",
                 .help =
                     "rows × cols numbers, one after the other; the kernel is given n of them."},
            .sizes = {.begins_at = {2048, 2048},
                      .timed_at = {8192, 8192},
                      .mostly_at = {8192, 8192},
                      .like = "1000x50",
                      .offered = {{"256²", {256, 256}},
                                  {"2048²", {2048, 2048}},
                                  {"4096²", {4096, 4096}},
                                  {"8192²", {8192, 8192}},
                                  {"33×65", {33, 65}}},
                      .judged_at = {{256, 256}, {512, 384}},
                      .awkward = {{96, 160}, {33, 65}, {1000, 50}, {1, 1}, {1, 4096}, {31, 257}}},
            .writes_all = false,
            .naive = "00_",
            .yardstick = "copy",
            .views =
                {.opening = "view:access",
                 .own = {},
                 .others = "These pictures are of products, where each element is used again and "
                           "again. A sum uses each once."},
        },
    };
    return table;
}

// "rows and cols", "M, N and K".
static std::string and_list(const std::vector<std::string>& names) {
    std::string text;
    for (size_t i = 0; i < names.size(); ++i) {
        if (i > 0) text += i + 1 == names.size() ? " and " : ", ";
        text += names[i];
    }
    return text;
}

static bool holds(const std::vector<std::string>& all, const std::string& one) {
    return std::find(all.begin(), all.end(), one) != all.end();
}

const Operation& operation_called(const std::string& id) {
    for (const Operation& operation : all_operations())
        if (operation.id == id) return operation;
    return all_operations().front();
}

const Operation& operation_of(const Stage& stage) {
    for (const Operation& operation : all_operations())
        if (holds(operation.references, stage.reference)) return operation;
    std::vector<std::string> known;
    for (const Operation& operation : all_operations())
        known.insert(known.end(), operation.references.begin(), operation.references.end());
    throw Error(Status::bad_input, stage.id + ": no operation is known whose output is \"" +
                                       stage.reference + "\"; there are " + and_list(known));
}

int64_t inner_for(const Stage& stage, int64_t inner) {
    return operation_of(stage).has_inner() ? inner : kNoInner;
}

bool has_view(const Operation& operation, const std::string& id) {
    auto own = [&](const Operation& each) { return holds(each.views.own, id); };
    return own(operation) || std::none_of(all_operations().begin(), all_operations().end(), own);
}

std::string sides_in_words(const Operation& operation) { return and_list(operation.sides.names); }

std::string inner_is_for(const Stage& stage) {
    std::string text;
    for (const Operation& operation : all_operations())
        if (operation.has_inner())
            text += (text.empty() ? " is for a " : " or a ") + operation.name + ", which has " +
                    sides_in_words(operation);
    return text + "; " + stage.id + " has " + sides_in_words(operation_of(stage));
}

std::string input_is_for(const Stage& stage) {
    std::string text;
    for (const Operation& operation : all_operations())
        if (operation.computes) text += (text.empty() ? " is for a " : " or a ") + operation.name;
    return text + ", which computes with its elements; " + stage.id +
           (operation_of(stage).reads_numbers ? " always gets the same input" : " moves them");
}

}  // namespace lanewise
