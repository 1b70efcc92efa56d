// Assignments: what a file says, and what each mistake in one is told.
#include "course/assignment_link.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>

#include "../shipped_stages.h"
#include "base/error.h"

namespace lanewise {
namespace {

namespace fs = std::filesystem;

class AssignmentFile : public testing::Test {
  protected:
    AssignmentFile()
        : folder_(fs::temp_directory_path() /
                  ("lanewise-assignment-" + std::to_string(::getpid()))) {
        fs::create_directories(folder_);
    }
    ~AssignmentFile() override { fs::remove_all(folder_); }
    void write(const std::string& name, const std::string& text) const {
        std::ofstream(folder_ / name) << text;
    }
    Assignment read(const std::string& text) const {
        write("week.assignment", text);
        return read_assignment(folder_ / "week.assignment", shipped_stages());
    }
    std::string refusal(const std::string& text) const {
        try {
            read(text);
        } catch (const Error& error) {
            EXPECT_EQ(Status::bad_input, error.status());
            return error.what();
        }
        return "taken";
    }
    void expect_refused(const std::string& text, const std::string& part) const {
        const std::string said = refusal(text);
        EXPECT_NE(std::string::npos, said.find(part)) << said;
    }
    fs::path folder_;
};

const std::string kPadded = "title = \"Week 2\"\n[[task]]\nstage = \"30_padded\"\npoints = 10\n";

TEST_F(AssignmentFile, ATaskIsTheLessonsWithItsPoints) {
    const Assignment one = read("due = \"2026-12-01 23:59\"\n" + kPadded + "counts = 4\n");
    EXPECT_EQ("Week 2", one.title);
    EXPECT_EQ("2026-12-01T23:59:00Z", one.due);
    ASSERT_EQ(1u, one.tasks.size());
    EXPECT_EQ("transpose/30_padded", one.tasks[0].name());
    EXPECT_EQ(10, one.points());
    EXPECT_EQ(4, one.tasks[0].counts);
    EXPECT_NE("", one.tasks[0].gate.task);
    EXPECT_EQ(shipped_stages().find("30_padded").source, one.tasks[0].start);
}

TEST_F(AssignmentFile, ATaskInCodeBeginsWithItsBlanks) {
    const Assignment one = read(kPadded + "write = \"line\"\n");
    EXPECT_EQ("transpose/30_padded line", one.tasks[0].name());
    EXPECT_NE(shipped_stages().find("30_padded").source, one.tasks[0].start);
}

TEST_F(AssignmentFile, CasesAndAStartOfItsOwnAreTaken) {
    const std::string mine = shipped_stages().find("30_padded").source + "// ours\n";
    write("ours.cu", mine);
    const Assignment one = read(
        kPadded + "start = \"ours.cu\"\nexpect = \"PAD == 2\"\n[[task.case]]\nsize = \"96x160\"\n");
    EXPECT_EQ(mine, one.tasks[0].start);
    EXPECT_EQ("PAD == 2", one.tasks[0].gate.expect);
    EXPECT_EQ(96, one.tasks[0].gate.cases.back().at.rows);
    EXPECT_EQ(160, one.tasks[0].gate.cases.back().at.cols);
}

TEST_F(AssignmentFile, EachMistakeIsToldWithItsLine) {
    expect_refused("title = \"x\"\n", "has no task");
    expect_refused("[[task]]\nstage = \"30_padded\"\npoints = 1\n", "title");
    expect_refused("title = \"x\"\n[[task]]\nstage = \"30_paded\"\npoints = 1\n", "did you mean");
    expect_refused("title = \"x\"\n[[task]]\nstage = \"30_padded\"\n", "points = 10");
    expect_refused(kPadded + "counts = 11\n", "week.assignment:5: ");
    expect_refused(kPadded + "write = \"page\"\n", "index, line, kernel");
    expect_refused(kPadded + "start = \"../ours.cu\"\n", "beside the assignment");
    expect_refused(kPadded + "start = \"/etc/passwd\"\n", "beside the assignment");
    expect_refused(kPadded + "start = \"none.cu\"\n", "none.cu");
    expect_refused(kPadded + "grade = 3\n", "grade");
    expect_refused(kPadded + kPadded.substr(kPadded.find("[[")), "a task already");
    for (const char* due : {"tomorrow", "2026-13-01 10:00", "2026-12-01 24:00", "2026-12-01"})
        expect_refused("due = \"" + std::string(due) + "\"\n" + kPadded, "in UTC");
}

TEST_F(AssignmentFile, HintsAndTimesAreReadOfEachTask) {
    const std::string source = shipped_stages().find("30_padded").source;
    write("fast.cu", source + "// fast\n");
    const Assignment one = read("hints = 2\n" + kPadded +
                                "[task.time]\npoints = 5\nat_most = 110\nreference = \"fast.cu\"\n"
                                "size = \"512x256\"\n"
                                "[[task]]\nstage = \"20_tiled\"\npoints = 3\nhints = 0\n"
                                "[task.time]\npoints = 1\nat_most = 90\n");
    EXPECT_EQ(2, one.tasks[0].hints);
    EXPECT_EQ(0, one.tasks[1].hints);
    EXPECT_EQ(13, one.points());
    EXPECT_EQ(6, one.time_points());
    EXPECT_EQ(source + "// fast\n", one.tasks[0].time.reference);
    EXPECT_EQ(110, one.tasks[0].time.at_most);
    EXPECT_EQ(shipped_stages().find("20_tiled").source, one.tasks[1].time.reference);
    EXPECT_FALSE(read(kPadded).tasks[0].hints);
    EXPECT_EQ(0, read(kPadded).time_points());
    const std::string time = kPadded + "[task.time]\n";
    expect_refused(kPadded + "hints = -1\n", "how many hints");
    expect_refused(time + "at_most = 110\n", "points = 10");
    expect_refused(time + "points = 1\n", "at_most = 110");
    expect_refused(time + "points = 1\nat_most = 0\n", "in percent");
    expect_refused(time + "points = 1\nat_most = 100\nsize = \"big\"\n", "4096x4096");
    expect_refused(time + "points = 1\nat_most = 100\nreference = \"../x.cu\"\n",
                   "beside the assignment");
}

// The lesson's solution of a task that a knob solves is the stage with that knob turned.
TEST_F(AssignmentFile, TheReferenceIsTheLessonsSolution) {
    const Assignment one = read(
        "title = \"x\"\n[[task]]\nstage = \"103_wrong_stride\"\npoints = 1\n[task.time]\npoints = "
        "1\nat_most = 100\n");
    EXPECT_NE(one.tasks[0].start, one.tasks[0].time.reference);
}

TEST_F(AssignmentFile, WhatIsHandedOutHasNoCaseAndNoReference) {
    const std::string mine = shipped_stages().find("30_padded").source + "// \"ours\" \\ \t\n";
    write("ours.cu", mine);
    write("fast.cu", mine + "// secret\n");
    const Assignment whole = read(
        "due = \"2026-12-01 23:59\"\nhints = 1\n" + kPadded +
        "counts = 4\nstart = \"ours.cu\"\nexpect = \"PAD == 2\"\n[[task.case]]\nsize = \"96x160\"\n"
        "[task.time]\npoints = 5\nat_most = 110\nreference = \"fast.cu\"\nsize = \"512x256\"\n"
        "[[task]]\nstage = \"30_padded\"\nwrite = \"line\"\npoints = 2\n");
    const std::string text = handout(whole);
    EXPECT_EQ(std::string::npos, text.find("96x160"));
    EXPECT_EQ(std::string::npos, text.find("secret"));
    const Assignment one = parse_assignment(text, "handout", shipped_stages());
    EXPECT_EQ("Week 2", one.title);
    EXPECT_EQ(whole.due, one.due);
    ASSERT_EQ(2u, one.tasks.size());
    EXPECT_EQ(mine, one.tasks[0].start);
    EXPECT_EQ("PAD == 2", one.tasks[0].gate.expect);
    EXPECT_EQ(4, one.tasks[0].counts);
    EXPECT_EQ(1, one.tasks[0].hints);
    EXPECT_EQ(5, one.tasks[0].time.points);
    EXPECT_EQ("", one.tasks[0].time.reference);
    EXPECT_EQ("transpose/30_padded line", one.tasks[1].name());
    EXPECT_EQ(whole.tasks[1].start, one.tasks[1].start);
    EXPECT_EQ(text, handout(one));  // nothing more is lost
    EXPECT_THROW(parse_assignment(kPadded + "start = \"ours.cu\"\n", "x", shipped_stages()), Error);
}

TEST_F(AssignmentFile, ALinkIsNoLongerThanLinksAre) {
    const std::string link = assignment_link(read(kPadded));
    EXPECT_TRUE(link.starts_with("lanewise://1/assignment?text=")) << link;
    EXPECT_EQ(link.substr(link.size() - 8), link_check(link.substr(0, link.rfind("&check="))));
    write("long.cu", shipped_stages().find("30_padded").source + "// " + std::string(70'000, 'x'));
    const Assignment too_long = read(kPadded + "start = \"long.cu\"\n");
    EXPECT_THROW(assignment_link(too_long), Error);
}

TEST_F(AssignmentFile, ANewOneCanBeRead) {
    const Assignment one =
        read(new_assignment("Week 2", {"30_padded", "103_wrong_stride"}, shipped_stages()));
    ASSERT_EQ(2u, one.tasks.size());
    EXPECT_EQ("pitfalls/103_wrong_stride", one.tasks[1].name());
    EXPECT_EQ(20, one.points());
    EXPECT_EQ("\"A\" \\ b", read(new_assignment("\"A\" \\ b", {"30_padded"}, shipped_stages())).title);
    EXPECT_THROW(new_assignment("x", {"nowhere"}, shipped_stages()), Error);
}

}  // namespace
}  // namespace lanewise
