#include "ui/desk/workspace.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include "../frames.h"
#include "base/files.h"
#include "ui/desk/tools.h"
#include "ui/state/edits.h"

namespace lanewise::ui {
namespace {

namespace fs = std::filesystem;

class WorkspaceFile : public testing::Test {
  protected:
    WorkspaceFile() {
        fs::remove_all(folder);
        fs::create_directories(folder);
        choose_shape(app, 128, 128);
        choose_stage(app, "30_padded");
        choose_knob(app, "PAD", 2);
        frames.answer();
        frames.frame(2);
    }
    ~WorkspaceFile() override { fs::remove_all(folder); }
    fs::path folder =
        fs::path(testing::TempDir()) / ("lanewise-workspace-" + std::to_string(::getpid()));
    fs::path file = folder / "mine.lanewise";
    Frames frames;
    App& app = frames.app;
};

TEST_F(WorkspaceFile, BringsEverythingBack) {
    replace_source(app, original_source(app) + "// mine\n");
    settle_edit(app);
    frames.answer();
    keep_run(app);
    pin_baseline(app);
    Measurement m;
    m.stage = "transpose/00_copy";
    m.type = "f32";
    m.rows = m.cols = 128;
    m.gb_per_s = 3210;
    m.provenance.card = "NVIDIA H200";
    app.arrived.live.push_back(m);
    SharedState state = shared_state(app);
    save_workspace(app, file);

    choose_stage(app, "00_copy");
    app.editing.texts.clear();
    app.tools->history = {};
    app.arrived.live.clear();
    open_workspace(app, file);
    EXPECT_TRUE(shared_state(app) == state);
    EXPECT_TRUE(is_edited(app));
    EXPECT_TRUE(app.editing.text.ends_with("// mine\n"));
    EXPECT_EQ(1u, app.tools->history.runs.size());
    EXPECT_TRUE(app.tools->history.baseline);
    EXPECT_EQ(3210, app.content.recordings[0].measurements.at(0).gb_per_s);
    EXPECT_EQ("Opened mine.lanewise", app.said.toast.text);
}

TEST_F(WorkspaceFile, LosesNothingThatWasThere) {
    replace_source(app, original_source(app) + "// theirs\n");
    settle_edit(app);
    keep_run(app);
    save_workspace(app, file);
    app.editing.folder = folder / "stages";
    replace_source(app, original_source(app) + "// mine\n");
    settle_edit(app);
    keep_run(app);
    open_workspace(app, file);
    EXPECT_TRUE(app.editing.text.ends_with("// theirs\n"));
    fs::path kept = folder / "stages/transpose/30_padded.before-1.cu";
    EXPECT_TRUE(read_file(kept).ends_with("// mine\n"));
    ASSERT_EQ(1u, app.said.notices.size());
    EXPECT_NE(std::string::npos, app.said.notices[0].find("1 stage that you had changed too"));
    EXPECT_EQ(2u, app.tools->history.runs.size());
    // Once more: nothing new to keep, no run twice.
    open_workspace(app, file);
    EXPECT_FALSE(fs::exists(folder / "stages/transpose/30_padded.before-2.cu"));
    EXPECT_EQ(2u, app.tools->history.runs.size());
}

TEST_F(WorkspaceFile, OneThatCannotBeUsedIsRefusedAndChangesNothing) {
    save_workspace(app, file);
    std::string good = read_file(file);
    SharedState before = shared_state(app);
    auto with = [&](const std::string& from, const std::string& to) {
        std::string text = good;
        text.replace(text.find(from), from.size(), to);
        return text;
    };
    const struct {
        std::string text, word;
    } cases[] = {{with("\"lanewise_workspace\": 1", "\"lanewise_workspace\": 2"),
                  "newer Lanewise: update this one to open it"},
                 {good.substr(0, good.size() / 2), "cut, or something else"},
                 {"[]", "cut, or something else"},
                 {with("PAD=2", "PAD=3"), "cut or changed"},
                 {with("\"edits\": {}", "\"edits\": {\"transpose/31_never\": \"\"}"), "31_never"},
                 {with("\"edits\": {}", "\"edits\": 7"), "makes no sense"},
                 {with("\"runs\": []", "\"runs\": [{}]"), "makes no sense"}};
    for (const auto& each : cases) {
        write_file(file, each.text);
        try {
            open_workspace(app, file);
            ADD_FAILURE() << each.word;
        } catch (const Error& error) {
            EXPECT_NE(std::string::npos, std::string(error.what()).find(each.word)) << error.what();
        }
        EXPECT_TRUE(shared_state(app) == before);
        EXPECT_EQ(each.text, read_file(file));
    }
}

TEST_F(WorkspaceFile, IsSavedAndOpenedByKeyboard) {
    fs::current_path(folder);
    frames.press(Key::s, true);
    FilePrompt& prompt = app.tools->files;
    ASSERT_TRUE(prompt.open);
    EXPECT_EQ((folder / "30_padded.lanewise").string(), prompt.path);
    frames.press(Key::enter);
    EXPECT_FALSE(prompt.open);
    EXPECT_TRUE(fs::exists(folder / "30_padded.lanewise"));
    // A file that is there is replaced only when asked twice.
    frames.press(Key::s, true);
    frames.press(Key::enter);
    EXPECT_TRUE(prompt.open);
    EXPECT_TRUE(frames.says("This file exists. Press again to replace it."));
    frames.press(Key::enter);
    EXPECT_FALSE(prompt.open);
    choose_stage(app, "00_copy");
    frames.answer();
    ask_for_file(app, FilePrompt::For::open);
    frames.frame(2);
    ASSERT_TRUE(frames.click("file:30_padded.lanewise"));
    EXPECT_EQ("transpose/30_padded", app.course_id());
    EXPECT_EQ(2, app.chosen().knobs.at("PAD"));
    // What cannot be opened is said where it was typed.
    ask_for_file(app, FilePrompt::For::open);
    prompt.path = (folder / "never.lanewise").string();
    accept_file(app);
    EXPECT_TRUE(prompt.open);
    EXPECT_NE(std::string::npos, prompt.problem.find("never.lanewise"));
}

TEST_F(WorkspaceFile, ExportsWhatIsShown) {
    export_everything(app, folder / "all.json");
    std::string json = read_file(folder / "all.json");
    EXPECT_EQ(json, everything_as_json(app));
    for (const char* part :
         {"\"lanewise_export\": 1", "\"state\": \"lanewise://1/transpose/30_padded?PAD=2",
          "\"picture\": {", "\"analysis\": {", "\"findings\": []", "\"occupancy\"",
          "\"name\": \"shared load wavefronts\"", "\"history\""})
        EXPECT_NE(std::string::npos, json.find(part)) << part;
}

TEST_F(WorkspaceFile, ThePromptFitsAtEverySize) {
    for (float scale : {1.f, 2.f, 3.f})
        for (FilePrompt::For purpose :
             {FilePrompt::For::save, FilePrompt::For::open, FilePrompt::For::export_json}) {
            ask_for_file(app, purpose);
            app.tools->files.problem = "This file exists. Press again to replace it.";
            set_scale(scale);
            frames.frame(3);
            for (const std::string& fault : text_faults(audit()))
                if (fault.find("lies over") == std::string::npos) ADD_FAILURE() << fault;
            for (const std::string& fault :
                 contrast_faults(audit(), *ImGui::GetDrawData(), look().pixels_per_point()))
                ADD_FAILURE() << fault;
        }
}

}  // namespace
}  // namespace lanewise::ui
