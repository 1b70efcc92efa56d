// One command of the engine, or the whole command line: CLI11's App and Option under their own
// names, of which engine_command.cpp alone sees the header. It costs five seconds in every file
// that includes it, since it defines its checks anew in each.
#pragma once
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace lanewise {

// An option as it was added. Every function gives the option back, for the next.
class EngineOption {
  public:
    explicit EngineOption(CLI::Option* option) : option_(option) {}
    EngineOption* required(bool value = true);
    // false: each time it is given it takes one word.
    EngineOption* allow_extra_args(bool value);
    // The heading of --help under which it stands; "": it is not shown.
    EngineOption* group(const std::string& name);
    EngineOption* in_range(double least, double most);
    EngineOption* in_range(int least, int most);
    // What --help calls its default: the value that it has now, or this text.
    EngineOption* capture_default_str();
    EngineOption* default_str(const std::string& text);
    // In place of the help that it was added with.
    EngineOption* description(const std::string& help);
    // A word of several values is split at it.
    EngineOption* delimiter(char between);
    // The environment's variable that gives it, too.
    EngineOption* envname(const std::string& name);

  private:
    CLI::Option* option_;
};

// What is returned belongs to the command, which belongs to the one that it was added to. Values
// and callbacks must outlive the parsing.
class EngineCommand {
  public:
    // The whole command line, whose first line of help is `description`.
    EngineCommand(const std::string& description, const std::string& name);
    ~EngineCommand();
    EngineCommand(const EngineCommand&) = delete;
    EngineCommand& operator=(const EngineCommand&) = delete;

    EngineCommand* add_subcommand(const std::string& name, const std::string& description);
    // The one of this name, which must be there.
    EngineCommand& subcommand(const std::string& name);
    std::vector<std::string> names_of_subcommands() const;

    // A name that begins with no dash is a word's in its place.
    EngineOption* add_option(const std::string& name, std::string& value, const std::string& help);
    EngineOption* add_option(const std::string& name, std::vector<std::string>& values,
                             const std::string& help);
    EngineOption* add_option(const std::string& name, double& value, const std::string& help);
    EngineOption* add_option(const std::string& name, int& value, const std::string& help);
    // `take` gets the word, and throws Error where it cannot be used.
    EngineOption* add_option_function(const std::string& name,
                                      const std::function<void(const std::string&)>& take,
                                      const std::string& help);
    EngineOption* add_flag(const std::string& name, bool& value, const std::string& help);
    EngineOption* add_flag_callback(const std::string& name, const std::function<void()>& act,
                                    const std::string& help);
    void set_version_flag(const std::string& name, const std::string& version);
    EngineOption* get_option(const std::string& name);
    // How often it was given.
    size_t count(const std::string& name) const;

    // What the command does once its options have been read.
    void callback(const std::function<void()>& act);
    void require_subcommand();
    void group(const std::string& name);
    void footer(const std::string& text);

    // Reads the options and does what they ask for. False where they asked for help or the version,
    // which it has printed. words[0] is the program's name. Throws Error(bad_input) for what cannot
    // be read, and as callbacks do.
    bool parse(const std::vector<std::string>& words);

  private:
    explicit EngineCommand(CLI::App* app);
    EngineOption* kept(CLI::Option* option);

    std::unique_ptr<CLI::App> whole_;  // of the whole command line only
    CLI::App* app_;
    std::vector<std::unique_ptr<EngineCommand>> subcommands_;
    std::vector<std::unique_ptr<EngineOption>> options_;
};

}  // namespace lanewise
