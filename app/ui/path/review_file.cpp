// review.json: {"lanewise_review": 1, "welcomed": true, "stages": {"transpose/30_padded": …}}.
#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "ui/desk/review.h"

namespace lanewise::ui {

using Json = nlohmann::json;

static constexpr int kVersion = 1;
static constexpr const char* kName = "lanewise_review";

std::string review_text(const ReviewBook& book) {
    Json stages = Json::object();
    for (const auto& [stage, each] : book.stages)
        stages[stage] = {{"box", each.box},
                         {"day", each.day},
                         {"right", each.right},
                         {"open", each.open},
                         {"badges", each.badges}};
    Json json = {{kName, kVersion}, {"welcomed", book.welcomed}, {"stages", stages}};
    return json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

ReviewBook parse_review(const std::string& text) {
    Json json = Json::parse(text, nullptr, false);
    if (!json.is_object() || !json.contains(kName) || !json[kName].is_number_integer())
        throw Error(Status::bad_input, "What is due for review cannot be read.");
    if (json[kName].get<int64_t>() > kVersion)
        throw Error(Status::bad_input,
                    "The list of what is due for review needs a newer Lanewise.");
    ReviewBook book;
    try {
        json.at("welcomed").get_to(book.welcomed);
        for (const auto& [stage, entry] : json.at("stages").items()) {
            Reviewed& each = book.stages[stage];
            each.box = std::clamp(entry.at("box").get<int>(), 0, kLastBox);
            entry.at("day").get_to(each.day);
            entry.at("right").get_to(each.right);
            entry.at("open").get_to(each.open);
            entry.at("badges").get_to(each.badges);
        }
    } catch (const Json::exception&) {
        throw Error(Status::bad_input, "What is due for review cannot be read.");
    }
    return book;
}

}  // namespace lanewise::ui
