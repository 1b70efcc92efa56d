// What is handed in for a stage, read from a file.
#include "lab/grade/submission.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "../../shipped_stages.h"
#include "base/error.h"
#include "course/catalogue.h"

namespace lanewise {
namespace {

namespace fs = std::filesystem;

class Submission : public testing::Test {
  protected:
    Submission()
        : stage_(shipped_stages().find("transpose/30_padded")),
          folder_(fs::temp_directory_path() /
                  ("lanewise-handed-in-" + std::to_string(::getpid()))) {
        fs::create_directories(folder_);
    }
    ~Submission() override { fs::remove_all(folder_); }
    fs::path write(const std::string& name, const std::string& text) {
        std::ofstream(folder_ / name) << text;
        return folder_ / name;
    }
    fs::path workspace(const std::string& state, const nlohmann::json& edits) {
        return write(
            "mine.lanewise",
            nlohmann::json{{"lanewise_workspace", 1}, {"state", state}, {"edits", edits}}.dump());
    }
    std::string refusal(const fs::path& file) {
        try {
            submission_from(file, stage_);
        } catch (const Error& error) {
            EXPECT_EQ(Status::bad_input, error.status());
            return error.what();
        }
        return "taken";
    }
    std::string edited() const { return stage_.source + "// mine\n"; }

    Stage stage_;
    fs::path folder_;
};

TEST_F(Submission, OfASourceHasItsOwnDefaults) {
    Job job = submission_from(write("mine.cu", edited()), stage_);
    EXPECT_EQ(edited(), job.stage.source);
    EXPECT_EQ("transpose/30_padded", job.stage.id);
    EXPECT_EQ("mine.cu", job.stage.file);
    EXPECT_TRUE(job.knobs.empty());
    EXPECT_EQ("f32", job.type);
}

TEST_F(Submission, OfAWorkspaceHasItsVersionAndItsSetting) {
    Job job = submission_from(
        workspace("lanewise://1/transpose/30_padded?PAD=2&TILE=16&type=f64&size=9x9&check=0",
                  {{"transpose/30_padded", edited()}}),
        stage_);
    EXPECT_EQ(edited(), job.stage.source);
    EXPECT_EQ((KnobValues{{"PAD", 2}, {"TILE", 16}}), job.knobs);
    EXPECT_EQ("f64", job.type);
}

TEST_F(Submission, OfAWorkspaceThatShowsAnotherStageHasTheDefaults) {
    Job job = submission_from(workspace("lanewise://1/transpose/10_naive?BLOCK_X=8&type=f64",
                                        {{"transpose/30_padded", edited()}}),
                              stage_);
    EXPECT_TRUE(job.knobs.empty());
    EXPECT_EQ("f32", job.type);
}

TEST_F(Submission, IsRefusedInASentence) {
    EXPECT_NE(std::string::npos, refusal(write("mine.txt", "")).find("give a .cu file"));
    EXPECT_NE(std::string::npos, refusal(write("cut.lanewise", "{")).find("was cut"));
    EXPECT_NE(std::string::npos, refusal(write("other.lanewise", "{}")).find("is no workspace"));
    EXPECT_NE(std::string::npos, refusal(write("bare.cu", "int x;")).find("bare.cu has no head"));
    EXPECT_NE(std::string::npos, refusal(workspace("lanewise://1/transpose/10_naive?type=f64",
                                                   nlohmann::json::object()))
                                     .find("holds nothing for transpose/30_padded"));
    EXPECT_NE(std::string::npos, refusal(folder_ / "never.cu").find("never.cu"));
}

}  // namespace
}  // namespace lanewise
