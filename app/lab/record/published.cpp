#include "lab/record/published.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/files.h"

namespace lanewise {

namespace fs = std::filesystem;
using Json = nlohmann::json;

// 1710 -> "1,710", 408.6 -> "408.6"
static std::string grouped(double value) {
    std::string digits = fmt::format("{}", value);
    size_t end = std::min(digits.find('.'), digits.size());
    for (size_t at = end; at > 3; at -= 3) digits.insert(at - 3, ",");
    return digits;
}

std::string in_words(const PublishedFigure& f) {
    return fmt::format("{} {} on {}, published in “{}” ({}).{}{}", grouped(f.value), f.unit, f.card,
                       f.source_title, f.source, f.caveat.empty() ? "" : " ", f.caveat);
}

static PublishedFigure figure_of(const Json& pack, const Json& item) {
    const Json& source = pack.at("sources").at(item.at("source").get<std::string>());
    PublishedFigure figure;
    pack.at("card").get_to(figure.card);
    pack.at("datasheet_gb_per_s").get_to(figure.datasheet_gb_per_s);
    source.at("title").get_to(figure.source_title);
    source.at("by").get_to(figure.source);
    item.at("name").get_to(figure.name);
    item.at("stage").get_to(figure.stage);
    item.at("operation").get_to(figure.operation);
    item.at("type").get_to(figure.type);
    item.at("rows").get_to(figure.rows);
    item.at("cols").get_to(figure.cols);
    item.at("value").get_to(figure.value);
    item.at("unit").get_to(figure.unit);
    item.at("caveat").get_to(figure.caveat);
    figure.inner = item.value("inner", int64_t{0});
    return figure;
}

std::vector<PublishedFigure> read_published(const fs::path& file) {
    auto fail = [&](const std::string& reason) {
        throw Error(Status::bad_input, fmt::format("cannot use the published figures of {}: {}",
                                                   file.string(), reason));
    };
    std::vector<PublishedFigure> figures;
    std::string where = "its head";
    try {
        Json pack = Json::parse(read_file(file));
        if (int schema = pack.at("schema").get<int>(); schema != kPublishedSchema)
            fail(fmt::format("it has schema {}, this program reads schema {}", schema,
                             kPublishedSchema));
        for (const Json& item : pack.at("figures")) {
            where = fmt::format("figure {}", figures.size() + 1);
            figures.push_back(figure_of(pack, item));
            if (!(figures.back().value > 0)) fail(where + ": its value is not positive");
        }
    } catch (const Json::exception& failure) {
        fail(where + ": " + failure.what());
    }
    return figures;
}

std::vector<PublishedFigure> read_all_published(const fs::path& folder,
                                                std::vector<std::string>& problems) {
    std::vector<PublishedFigure> all;
    for (const fs::path& file : files_in(folder, ".json")) {
        try {
            std::vector<PublishedFigure> figures = read_published(file);
            all.insert(all.end(), figures.begin(), figures.end());
        } catch (const Error& error) {
            problems.push_back(error.what());
        }
    }
    return all;
}

std::vector<PublishedFigure> published_for(const std::vector<PublishedFigure>& all,
                                           const std::string& stage, const std::string& type,
                                           int64_t rows, int64_t cols) {
    std::vector<PublishedFigure> some;
    for (const PublishedFigure& f : all)
        if (f.stage == stage && f.type == type && f.rows == rows && f.cols == cols &&
            f.unit == "GB/s")
            some.push_back(f);
    return some;
}

}  // namespace lanewise
