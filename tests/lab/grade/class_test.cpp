// A class: its hand-ins found, its sources compared, its marks in tables.
#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "lab/grade/class_marks.h"
#include "lab/grade/hand_ins.h"
#include "lab/report/student_page.h"

namespace lanewise {
namespace {

namespace fs = std::filesystem;

class HandIns : public testing::Test {
  protected:
    HandIns()
        : folder_(fs::temp_directory_path() / ("lanewise-class-" + std::to_string(::getpid()))) {
        fs::create_directories(folder_);
        stage_.id = "transpose/30_padded";
    }
    ~HandIns() override { fs::remove_all(folder_); }
    void write(const std::string& name, const std::string& text = "x") const {
        fs::create_directories((folder_ / name).parent_path());
        std::ofstream(folder_ / name) << text;
    }
    void workspace(const std::string& name, const std::string& edited, const std::string& shown,
                   int version = 1) const {
        nlohmann::json edits = nlohmann::json::object();
        if (!edited.empty()) edits[edited] = "text";
        write(name, nlohmann::json{{"lanewise_workspace", version},
                                   {"state", "lanewise://1/" + shown + "?PAD=1"},
                                   {"edits", edits}}
                        .dump());
    }
    HandIn of(const std::string& student) const {
        for (const HandIn& each : hand_ins_in(folder_))
            if (each.student == student) return each;
        ADD_FAILURE() << "no " << student;
        return {};
    }
    std::string found(const std::string& student) const {
        std::string problem;
        const fs::path file = file_for(of(student), stage_, problem);
        return file.empty() ? problem : file.filename().string();
    }
    fs::path folder_;
    Stage stage_;
};

TEST_F(HandIns, AreFoldersAndFilesByTheirNames) {
    write("zoe/30_padded.cu");
    workspace("ana.lanewise", "", "transpose/30_padded");
    write("notes.txt");
    write(".hidden/30_padded.cu");
    write("week.assignment");
    const auto all = hand_ins_in(folder_);
    ASSERT_EQ(2u, all.size());
    EXPECT_EQ("ana", all[0].student);
    EXPECT_EQ("zoe", all[1].student);
    EXPECT_EQ(20u, all[1].handed_in.size());  // 2026-12-01T09:30:00Z
}

TEST_F(HandIns, OfAStageAreFoundByNameOrInAWorkspace) {
    write("a/deep/30_padded.cu");
    write("a/20_tiled.cu");
    workspace("b.lanewise", "transpose/30_padded", "transpose/10_naive");
    workspace("c.lanewise", "", "transpose/30_padded");
    workspace("d.lanewise", "transpose/20_tiled", "transpose/10_naive");
    write("e/30_padded.cu");
    workspace("e/mine.lanewise", "transpose/30_padded", "transpose/30_padded");
    EXPECT_EQ("30_padded.cu", found("a"));
    EXPECT_EQ("b.lanewise", found("b"));
    EXPECT_EQ("c.lanewise", found("c"));
    EXPECT_NE(std::string::npos, found("d").find("Nothing was handed in"));
    EXPECT_EQ("Handed in twice: 30_padded.cu and mine.lanewise; keep one.", found("e"));
}

TEST_F(HandIns, WhatCannotBeReadIsSaid) {
    write("cut.lanewise", "{\"lanewise_workspace\": 1, \"st");
    workspace("newer.lanewise", "", "transpose/30_padded", 2);
    write("packed/all.zip");
    write("large/30_padded.cu", std::string(kMostHandIn + 1, 'x'));
    write("linked/readme.txt");
    fs::create_symlink("/etc/passwd", folder_ / "linked/30_padded.cu");
    write("twice/30_padded.cu");
    workspace("twice.lanewise", "", "transpose/30_padded");
    EXPECT_NE(std::string::npos, found("cut").find("was cut"));
    EXPECT_NE(std::string::npos, found("newer").find("a newer Lanewise"));
    EXPECT_EQ("all.zip is an archive: unpack it first.", of("packed").problems.at(0));
    EXPECT_NE(std::string::npos, of("large").problems.at(0).find("MiB, more than a hand-in may have"));
    EXPECT_EQ("30_padded.cu is a link, which is not followed.", of("linked").problems.at(0));
    EXPECT_EQ("There are 2 hand-ins of the name twice.", of("twice.lanewise").problems.at(0));
    EXPECT_THROW(hand_ins_in(folder_ / "nowhere"), Error);
    EXPECT_THROW(hand_ins_in(folder_ / "large" / "nothing"), Error);
}

TEST(Includes, ThatLeadOutAreNamed) {
    for (const char* fine :
         {"#include <cuda_fp16.h>\n", "#  include \"mine.h\"\n", "// #include \"/x\"\n",
          "#include <cuda/barrier>\n", "const char* s = \"../x\";\n"})
        EXPECT_EQ("", include_that_leads_out(fine)) << fine;
    for (const char* out :
         {"#include \"/etc/passwd\"\n", "#include <../../secret>\n",
          "#define F \"/etc/passwd\"\n#include F\n", "#inc\\\nlude \"/etc/passwd\"\n",
          "%:include \"/etc/passwd\"\n", "/* */ #include \"a/../../b\"\n",
          "#if __has_include(\"/etc/shadow\")\n", "#embed \"/etc/passwd\"\n",
          "#include_next </etc/passwd>\n"})
        EXPECT_NE("", include_that_leads_out(out)) << out;
}

TEST(BareSource, IsEqualWhereOnlyLooksDiffer) {
    EXPECT_EQ(bare_source("int a; // one\n"), bare_source("int  a;\n/* two */"));
    EXPECT_NE(bare_source("int a;"), bare_source("int b;"));
}

// ---- marks

AssignmentTask task_of_ten() {
    AssignmentTask task;
    task.stage.id = "transpose/30_padded";
    task.points = 10;
    task.counts = 4;
    return task;
}

TEST(Points, ArePartlyGivenForWhatIsRight) {
    Judgement judgement;
    EXPECT_EQ(10, points_for(task_of_ten(), judgement, true));
    judgement.why = Judgement::Why::count;
    EXPECT_EQ(6, points_for(task_of_ten(), judgement, true));
    EXPECT_EQ(0, points_for(task_of_ten(), judgement, false));
    judgement.why = Judgement::Why::result;
    EXPECT_EQ(0, points_for(task_of_ten(), judgement, false));
}

std::vector<StudentMarks> three_students() {
    std::vector<StudentMarks> students(3);
    const char* names[] = {"ana", "=cmd()", "zoe, \"z\""};
    for (size_t i = 0; i < 3; ++i) {
        students[i].student = names[i];
        students[i].tasks = {
            {.task = "transpose/30_padded", .points = 10, .of = 10, .passed = true}};
    }
    students[2].late = true;
    students[2].tasks[0] = {.task = "transpose/30_padded",
                            .points = 0,
                            .of = 10,
                            .passed = false,
                            .sentence = "Wrong at 1 x 1."};
    return students;
}
Assignment of_ten() { return {"Week 2", "", {task_of_ten()}}; }

TEST(Marks, AreATableThatNoSpreadsheetRuns) {
    EXPECT_EQ(
        "student,transpose/30_padded,points,of,handed_in,late,note\n"
        "ana,10,10,10,,no,\n"
        "'=cmd(),10,10,10,,no,\n"
        "\"zoe, \"\"z\"\"\",0,0,10,,yes,transpose/30_padded: Wrong at 1 x 1.\n",
        marks_csv(of_ten(), three_students()));
}

TEST(Marks, AreWhatGradescopeReads) {
    const nlohmann::json all = gradescope_json(three_students());
    EXPECT_EQ(10, all["ana"]["score"]);
    const nlohmann::json one = gradescope_json({three_students()[2]});
    EXPECT_EQ(0, one["score"]);
    EXPECT_EQ(10, one["tests"][0]["max_score"]);
    EXPECT_EQ("failed", one["tests"][0]["status"]);
    EXPECT_EQ("Wrong at 1 x 1.", one["tests"][0]["output"]);
}

TEST(Marks, NameEqualSourcesButNotTheStart) {
    auto students = three_students();
    name_equal(students, 0, {"same", "same", "other"}, "start");
    EXPECT_EQ(std::vector<std::string>{"=cmd()"}, students[0].tasks[0].equal_to);
    EXPECT_TRUE(students[2].tasks[0].equal_to.empty());
    students = three_students();
    name_equal(students, 0, {"start", "start", ""}, "start");
    EXPECT_TRUE(students[0].tasks[0].equal_to.empty());
}

TEST(Marks, APageSaysNothingOfOthersAndRunsNothing) {
    auto students = three_students();
    students[0].student = "<script>";
    students[0].tasks[0].equal_to = {"zoe"};
    const std::string page = student_page(of_ten(), students[0]);
    EXPECT_EQ(std::string::npos, page.find("<script>"));
    EXPECT_EQ(std::string::npos, page.find("zoe"));
    EXPECT_NE(std::string::npos, page.find("10 of 10 points"));
    EXPECT_EQ("-script-.html", student_file("<script>"));
    EXPECT_EQ("student..-x.html", student_file("../x"));
}

}  // namespace
}  // namespace lanewise
