#include "engine/grade_class.h"

#include <fmt/format.h>

#include <atomic>
#include <map>
#include <mutex>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/files.h"
#include "base/sanitized.h"
#include "base/text.h"
#include "base/threads.h"
#include "compile/child_process.h"
#include "lab/grade/hand_ins.h"
#include "lab/grade/submission.h"
#include "lab/grade/time_mark.h"
#include "service/sandbox.h"

namespace lanewise {
namespace fs = std::filesystem;
using Json = nlohmann::json;

namespace {

// One source to be judged, and who handed it in.
struct HandedInSource {
    size_t task = 0;
    fs::path file;
    std::vector<size_t> students;
    TaskMark mark;
};

// Beyond this a process is taken for one that does not end: its own limit comes first.
constexpr double kPatience_s = 10;
// Bytes of addresses: compilers want many.
constexpr const char* kMostMemory = kSanitized ? "--as=unlimited" : "--as=12884901888";

class ClassGrader {
  public:
    ClassGrader(const Assignment& assignment, const ClassOptions& options)
        : assignment_(assignment), options_(options) {}

    std::vector<StudentMarks> grade(const Progress& heard) {
        collect();
        judge_all(heard);
        if (options_.time) time_all(heard);
        hand_back();
        for (size_t task = 0; task < assignment_.tasks.size(); ++task)
            name_equal(students_, task, bare_[task], bare_source(assignment_.tasks[task].start));
        return std::move(students_);
    }

  private:
    void collect() {
        const std::vector<HandIn> hand_ins = hand_ins_in(options_.hand_ins);
        bare_.assign(assignment_.tasks.size(), std::vector<std::string>(hand_ins.size()));
        std::map<std::string, size_t> known;  // by task, source and setting: into sources_
        for (const HandIn& hand_in : hand_ins) {
            StudentMarks student{hand_in.student, hand_in.handed_in, false, {}, hand_in.problems};
            student.late = !assignment_.due.empty() && hand_in.handed_in > assignment_.due;
            students_.push_back(std::move(student));
            for (size_t task = 0; task < assignment_.tasks.size(); ++task)
                take(hand_in, task, known);
        }
    }

    // The last student's file for a task.
    void take(const HandIn& hand_in, size_t task, std::map<std::string, size_t>& known) {
        const AssignmentTask& wanted = assignment_.tasks[task];
        const size_t student = students_.size() - 1;
        TaskMark mark;
        mark.task = wanted.name();
        mark.of = wanted.points;
        const fs::path file = file_for(hand_in, wanted.stage, mark.sentence);
        mark.file = file.filename().string();
        students_[student].tasks.push_back(mark);
        if (file.empty()) return;
        std::string key;
        try {
            const Job job = submission_from(file, wanted.stage);
            bare_[task][student] = bare_source(job.stage.source);
            key = fmt::format("{}\n{}\n", task, job.type);
            for (const auto& [name, value] : job.knobs) key += fmt::format("{}={}\n", name, value);
            key += job.stage.source;
        } catch (const Error& error) {
            students_[student].tasks.back().sentence = error.what();
            return;
        }
        const auto [at, is_new] = known.try_emplace(key, sources_.size());
        if (is_new) sources_.push_back({task, file, {}, {}});
        sources_[at->second].students.push_back(student);
    }

    void judge_all(const Progress& heard) {
        std::atomic<size_t> done = 0;
        std::mutex one_at_a_time;
        const int jobs = options_.jobs > 0 ? options_.jobs : core_count();
        in_ranges(sources_.size(), 1, jobs, [&](int, uint64_t begin, uint64_t end) {
            for (uint64_t i = begin; i < end; ++i) {
                sources_[i].mark = judged_apart(sources_[i]);
                const size_t count = ++done;
                std::lock_guard lock(one_at_a_time);
                if (heard)
                    heard(static_cast<double>(count) / static_cast<double>(sources_.size()),
                          fmt::format("{} of {} sources judged", count, sources_.size()));
            }
        });
    }

    void time_all(const Progress& heard) {
        for (size_t i = 0; i < sources_.size(); ++i) {
            HandedInSource& source = sources_[i];
            const AssignmentTask& task = assignment_.tasks[source.task];
            if (task.time.points == 0) continue;
            if (!source.mark.passed) {
                add_no_time(source.mark, task, "the source does not pass");
                continue;
            }
            if (heard)
                heard(static_cast<double>(i) / static_cast<double>(sources_.size()),
                      "timing " + source.file.filename().string());
            options_.time(source.mark, submission_from(source.file, task.stage), task);
        }
        // What was not handed in could have had points, too.
        for (StudentMarks& student : students_)
            for (size_t task = 0; task < student.tasks.size(); ++task)
                student.tasks[task].time_of = assignment_.tasks[task].time.points;
    }

    std::vector<std::string> words_for(const HandedInSource& source) const {
        const AssignmentTask& task = assignment_.tasks[source.task];
        std::vector<std::string> words = {"prlimit",
                                          kMostMemory,
                                          (program_folder() / "lanewise-engine").string(),
                                          "grade",
                                          task.stage.id,
                                          fs::absolute(source.file).string(),
                                          "--assignment",
                                          fs::absolute(options_.assignment).string(),
                                          "--time-limit",
                                          fmt::format("{:g}", options_.time_limit_s),
                                          "--json"};
        if (!task.write.empty()) words.insert(words.end(), {"--write", task.write});
        if (options_.pictures) words.push_back("--picture");
        if (!options_.sandbox) return words;
        return in_sandbox(words, {fs::absolute(options_.hand_ins).parent_path().string(),
                                  fs::absolute(options_.hand_ins).string(),
                                  fs::absolute(options_.assignment).parent_path().string()});
    }

    TaskMark judged_apart(const HandedInSource& source) const {
        const AssignmentTask& task = assignment_.tasks[source.task];
        TaskMark mark;
        mark.task = task.name();
        mark.of = task.points;
        const auto limit = std::chrono::milliseconds(
            static_cast<int64_t>((options_.time_limit_s + kPatience_s) * 1000));
        const ChildResult result = run_child(words_for(source), "", limit);
        const Json json = Json::parse(result.out, nullptr, false);
        if (json.is_object() && json.contains("mark")) {
            mark = json["mark"].get<TaskMark>();
        } else if (result.timed_out || result.status == static_cast<int>(Status::out_of_time)) {
            mark.sentence = fmt::format(
                "It was stopped after {:g} seconds: something in it takes too long, or never ends.",
                options_.time_limit_s);
        } else {
            mark.sentence = why_not(result);
        }
        return mark;
    }

    // The first line that the process said on stderr, as a sentence.
    static std::string why_not(const ChildResult& result) {
        std::string_view said = trimmed(result.err);
        const std::string_view name = "lanewise-engine: ";
        if (said.starts_with(name)) said.remove_prefix(name.size());
        said = said.substr(0, said.find('\n'));
        if (said.empty())
            return fmt::format("It could not be judged: the process ended with status {}.",
                               result.status);
        return std::string(said) + (said.ends_with('.') ? "" : ".");
    }

    void hand_back() {
        for (const HandedInSource& source : sources_)
            for (size_t student : source.students) {
                TaskMark& mark = students_[student].tasks[source.task];
                const std::string file = mark.file;
                mark = source.mark;
                mark.file = file;
            }
    }

    const Assignment& assignment_;
    const ClassOptions& options_;
    std::vector<StudentMarks> students_;
    std::vector<HandedInSource> sources_;
    std::vector<std::vector<std::string>> bare_;  // by task, then student
};

}  // namespace

std::vector<StudentMarks> grade_class(const Assignment& assignment, const ClassOptions& options,
                                      const Progress& heard) {
    return ClassGrader(assignment, options).grade(heard);
}

TaskMark mark_of_file(const fs::path& file, const AssignmentTask& task, bool picture) {
    const Job job = submission_from(file, task.stage);
    if (std::string line = include_that_leads_out(job.stage.source); !line.empty())
        throw Error(Status::bad_input,
                    "what is handed in may include only headers by their names, and not: " + line);
    return mark(job, task, picture);
}

}  // namespace lanewise
