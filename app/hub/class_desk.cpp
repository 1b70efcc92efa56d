#include "hub/class_desk.h"

#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <utility>

#include "base/error.h"
#include "course/assignment_link.h"
#include "course/catalogue.h"
#include "course/lesson_lint.h"
#include "course/slides.h"
#include "service/protocol.h"

namespace lanewise {

using Json = nlohmann::json;

namespace {

std::string text_of(const Json& message, const char* name) {
    auto found = message.find(name);
    return found != message.end() && found->is_string() ? found->get<std::string>() : "";
}

std::optional<uint64_t> number_of(const Json& message, const char* name) {
    auto found = message.find(name);
    if (found == message.end() || !found->is_number_integer()) return std::nullopt;
    if (!found->is_number_unsigned() && found->get<int64_t>() < 0) return std::nullopt;
    return found->get<uint64_t>();
}

Json or_null(const std::optional<size_t>& place) { return place ? Json(*place) : Json(); }

PollQuestion question_in(const Json& message) {
    PollQuestion question;
    question.question = text_of(message, "question");
    question.stage = text_of(message, "stage");
    question.explain = text_of(message, "explain");
    if (auto right = number_of(message, "right")) question.right = *right;
    for (const Json& choice : message["choices"])
        question.choices.push_back(choice.is_string() ? choice.get<std::string>() : "");
    return question;
}

}  // namespace

ClassDesk::ClassDesk(const std::filesystem::path& hand_ins, FindQuestion find_question,
                     HandOut hand_out)
    : box_(hand_ins), find_question_(std::move(find_question)), hand_out_(std::move(hand_out)) {}

std::string ClassDesk::use(const ClassFile& of_class) {
    title_ = of_class.title;
    due_ = of_class.due;
    handout_ = {};
    if (of_class.assignment.empty() || !hand_out_) return {};
    try {
        handout_ = hand_out_(of_class.assignment);
        return {};
    } catch (const Error& error) {
        return error.what();
    }
}

ClassDesk::Taken ClassDesk::take(const Json& message, const Speaker& speaker) {
    Taken taken;
    std::string what = text_of(message, "do"), said;
    bool failed = false;
    try {
        said = act(what, message, speaker, taken);
    } catch (const Error& error) {
        said = error.what();
        failed = true;
        taken.news = News::none;
    }
    taken.answer = state_for(speaker);
    taken.answer["re"] = what;
    if (what == "assignment") taken.answer["link"] = handout_.link;
    taken.answer["said"] = said;
    taken.answer["failed"] = failed;
    return taken;
}

// What is said to it.
std::string ClassDesk::act(const std::string& what, const Json& message, const Speaker& speaker,
                           Taken& taken) {
    if (what == "hello") return "";
    if (what == "vote") {
        if (!speaker.votes) reject("the teacher asks, and has no vote");
        auto number = number_of(message, "poll"), choice = number_of(message, "choice");
        if (!number || !choice) reject("a vote names the question and the choice");
        poll_.vote(speaker.name, *number, *choice);
        taken.news = News::votes;
        return "";
    }
    if (what == "hand_in") {
        if (!speaker.has_name)
            reject(
                "everybody has your token: ask your teacher for one of your own to hand in with");
        box_.keep(speaker.name, text_of(message, "workspace"));
        bool late = box_.of(speaker.name, due_).value_or(HandedIn()).late;
        taken.log = speaker.name + " handed in" + (late ? ", late" : "");
        return late ? "Handed in, after the time it was due." : "Handed in.";
    }
    if (what == "predicted") {
        if (!speaker.votes) return "";  // the teacher's own are no part of it
        auto right = message.find("right");
        predictions_.note(speaker.name, text_of(message, "stage"), text_of(message, "choice"),
                          right != message.end() && right->is_boolean() && right->get<bool>());
        taken.news = News::votes;
        return "";
    }
    if (what == "assignment") {
        if (handout_.link.empty()) reject("your class has no assignment here");
        return "";
    }
    if (!speaker.teaches) reject("only the teacher does this, whose token says so");
    if (what == "board") {
        taken.wants_board = true;
        return "";
    }
    teach(what, message);
    taken.news = News::all;
    return "";
}

void ClassDesk::teach(const std::string& what, const Json& message) {
    if (what == "ask") {
        auto choices = message.find("choices");
        if (choices != message.end() && choices->is_array()) return poll_.ask(question_in(message));
        std::string stage = text_of(message, "stage");
        if (stage.empty()) reject("a poll wants a stage whose lesson asks a question, or choices");
        auto which = number_of(message, "which").value_or(1);
        poll_.ask(find_question_(stage, static_cast<int64_t>(std::min<uint64_t>(which, 1000))));
    } else if (what == "reveal") {
        poll_.reveal(number_of(message, "right"));
    } else if (what == "close") {
        poll_.close();
    } else if (what == "reopen") {
        poll_.reopen();
    } else if (what == "end") {
        poll_.end();
    } else {
        reject("the server does not know what \"" + what.substr(0, 40) + "\" is");
    }
}

ClassDesk::News ClassDesk::left(const Speaker& speaker) {
    if (speaker.has_name || !poll_.vote_of(speaker.name)) return News::none;
    poll_.leave(speaker.name);
    return News::votes;
}

Json ClassDesk::poll_for(const Speaker& speaker) const {
    if (poll_.state() == Poll::State::none) return nullptr;
    const PollQuestion& question = poll_.question();
    bool is_open_to_all = poll_.state() == Poll::State::revealed;
    Json poll = {{"number", poll_.number()},
                 {"state", name_of(poll_.state())},
                 {"question", question.question},
                 {"stage", question.stage},
                 {"choices", question.choices},
                 {"mine", or_null(poll_.vote_of(speaker.name))},
                 {"voters", nullptr},
                 {"votes", nullptr},
                 {"right", nullptr},
                 {"explain", ""}};
    if (is_open_to_all || speaker.teaches) {
        poll["voters"] = poll_.voters();
        poll["votes"] = poll_.counts();
    }
    if (is_open_to_all) {
        poll["right"] = or_null(question.right);
        poll["explain"] = question.explain;
    }
    return poll;
}

Json ClassDesk::state_for(const Speaker& speaker) const {
    Json hand_in = {{"refused", speaker.has_name ? "" : "everybody has your token"},
                    {"time", nullptr},
                    {"late", false},
                    {"earlier", 0}};
    if (auto last = speaker.has_name ? box_.of(speaker.name, due_) : std::nullopt) {
        hand_in["time"] = last->time;
        hand_in["late"] = last->late;
        hand_in["earlier"] = last->earlier;
    }
    return {{"title", title_},
            {"name", speaker.name},
            {"teaches", speaker.teaches},
            {"due", due_},
            {"assignment", handout_.link.empty() ? Json() : Json{{"title", handout_.title}}},
            {"predictions", speaker.teaches ? predictions_json(predictions_.all()) : Json()},
            {"poll", poll_for(speaker)},
            {"hand_in", std::move(hand_in)}};
}

Json predictions_json(const std::vector<PredictedStage>& predicted) {
    Json all = Json::array();
    for (const PredictedStage& stage : predicted) {
        Json wrong = Json::array();
        for (const PredictedStage::Wrong& one : stage.wrong)
            wrong.push_back({{"choice", one.choice}, {"count", one.count}});
        all.push_back({{"stage", stage.stage},
                       {"answered", stage.answered},
                       {"right", stage.right},
                       {"wrong", std::move(wrong)}});
    }
    return all;
}

std::string class_frame(const Json& state) { return encode({{"class", state}, {"type", "class"}}); }

ClassDesk::FindQuestion questions_of(const std::filesystem::path& content) {
    auto catalogue = std::make_shared<std::optional<Catalogue>>();
    return [content, catalogue](const std::string& name, int64_t which) {
        if (!*catalogue) *catalogue = Catalogue::load(content);
        const Stage& stage = (*catalogue)->find(name);
        auto file = lesson_path(**catalogue, stage);
        Lesson lesson = read_lesson(file, stage.id);
        if (!lesson.error.empty()) reject(lesson.error);
        int64_t found = 0;
        for (const Slide& slide : slides_of(lesson, read_scenes(file))) {
            if (slide.kind != Slide::Kind::question || slide.question.choices.size() < 2) continue;
            if (++found != which) continue;
            const Prediction& asked = slide.question;
            return PollQuestion{asked.question, stage.id, asked.choices,
                                right_choice(asked, std::nullopt), asked.explain};
        }
        if (found == 0) reject(stage.id + " has no lesson that asks a question");
        reject(fmt::format("the lesson of {} asks {} question{}, no {}", stage.id, found,
                           found == 1 ? "" : "s", which));
    };
}

ClassDesk::HandOut handouts_of(const std::filesystem::path& content) {
    return [content](const std::filesystem::path& file) {
        const Assignment assignment = read_assignment(file, Catalogue::load(content));
        return ClassDesk::Handout{assignment.title, assignment_link(assignment)};
    };
}

}  // namespace lanewise
