#include "lab/grade/time_mark.h"

#include <fmt/format.h>

#include "base/error.h"
#include "course/operation.h"

namespace lanewise {

namespace {

Operation::Size size_for(const AssignmentTask& task) {
    Operation::Size size = operation_of(task.stage).sizes.timed_at;
    if (!task.time.size.empty()) parse_size(task.time.size, size.rows, size.cols, size.inner);
    return size;
}

void put_at(Job& job, const Operation::Size& size) {
    job.rows = size.rows;
    job.cols = size.cols;
    job.inner = size.inner;
    job.batch = 1;
}

std::string in_us(double us) { return fmt::format("{:.3g} µs", us); }

}  // namespace

TimedPair timed_pair(const Job& submitted, const AssignmentTask& task) {
    TimedPair pair{submitted, {}};
    Stage like = task.stage;
    like.file = "reference";
    pair.reference.stage = parse_stage(task.time.reference, like);
    if (!pair.reference.stage.error.empty())
        throw Error(Status::bad_input,
                    "the reference cannot be timed: " + pair.reference.stage.error);
    pair.reference.knobs = task.time.knobs;
    pair.reference.type = submitted.type;
    put_at(pair.submitted, size_for(task));
    put_at(pair.reference, size_for(task));
    return pair;
}

void add_time(TaskMark& mark, const AssignmentTask& task, const Measurement& submitted,
              const Measurement& reference) {
    mark.time_of = task.time.points;
    mark.time_points = 0;
    if (!submitted.correct) {
        mark.time_sentence = "On the GPU its result is wrong, so that its time is worth nothing.";
        return;
    }
    if (reference.time_us.median <= 0 || submitted.time_us.median <= 0) {
        mark.time_sentence = "No time was taken.";
        return;
    }
    const double percent = 100 * submitted.time_us.median / reference.time_us.median;
    const bool fast = percent <= static_cast<double>(task.time.at_most);
    if (fast) mark.time_points = task.time.points;
    mark.time_sentence = fmt::format(
        "Its time is {:.1f} % of the reference's ({} against {}, the middles of {} rounds with "
        "both, "
        "on {}), and at most {} % {}.",
        percent, in_us(submitted.time_us.median), in_us(reference.time_us.median),
        submitted.time_us.samples, submitted.provenance.card, task.time.at_most,
        fast ? "was asked for" : "is asked for");
}

void add_no_time(TaskMark& mark, const AssignmentTask& task, const std::string& why) {
    mark.time_of = task.time.points;
    mark.time_points = 0;
    mark.time_sentence = "Its time was not taken: " + why + (why.ends_with('.') ? "" : ".");
}

}  // namespace lanewise
