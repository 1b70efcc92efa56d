#include "engine/engine_command.h"

#include <CLI/CLI.hpp>

#include "base/error.h"

namespace lanewise {

EngineOption* EngineOption::required(bool value) {
    option_->required(value);
    return this;
}

EngineOption* EngineOption::allow_extra_args(bool value) {
    option_->allow_extra_args(value);
    return this;
}

EngineOption* EngineOption::group(const std::string& name) {
    option_->group(name);
    return this;
}

EngineOption* EngineOption::in_range(double least, double most) {
    option_->check(CLI::Range(least, most));
    return this;
}

EngineOption* EngineOption::in_range(int least, int most) {
    option_->check(CLI::Range(least, most));
    return this;
}

EngineOption* EngineOption::capture_default_str() {
    option_->capture_default_str();
    return this;
}

EngineOption* EngineOption::default_str(const std::string& text) {
    option_->default_str(text);
    return this;
}
EngineOption* EngineOption::description(const std::string& help) {
    option_->description(help);
    return this;
}

EngineOption* EngineOption::delimiter(char between) {
    option_->delimiter(between);
    return this;
}

EngineOption* EngineOption::envname(const std::string& name) {
    option_->envname(name);
    return this;
}

EngineCommand::EngineCommand(const std::string& description, const std::string& name)
    : whole_(std::make_unique<CLI::App>(description, name)), app_(whole_.get()) {}

EngineCommand::EngineCommand(CLI::App* app) : app_(app) {}

EngineCommand::~EngineCommand() = default;

EngineCommand* EngineCommand::add_subcommand(const std::string& name,
                                             const std::string& description) {
    subcommands_.emplace_back(new EngineCommand(app_->add_subcommand(name, description)));
    return subcommands_.back().get();
}

EngineCommand& EngineCommand::subcommand(const std::string& name) {
    for (const auto& one : subcommands_)
        if (one->app_->get_name() == name) return *one;
    throw Error(Status::failed_check, "the engine has no command " + name);
}

std::vector<std::string> EngineCommand::names_of_subcommands() const {
    std::vector<std::string> names;
    for (const auto& one : subcommands_) names.push_back(one->app_->get_name());
    return names;
}

EngineOption* EngineCommand::kept(CLI::Option* option) {
    options_.push_back(std::make_unique<EngineOption>(option));
    return options_.back().get();
}

EngineOption* EngineCommand::add_option(const std::string& name, std::string& value,
                                        const std::string& help) {
    return kept(app_->add_option(name, value, help));
}

EngineOption* EngineCommand::add_option(const std::string& name, std::vector<std::string>& values,
                                        const std::string& help) {
    return kept(app_->add_option(name, values, help));
}

EngineOption* EngineCommand::add_option(const std::string& name, double& value,
                                        const std::string& help) {
    return kept(app_->add_option(name, value, help));
}

EngineOption* EngineCommand::add_option(const std::string& name, int& value,
                                        const std::string& help) {
    return kept(app_->add_option(name, value, help));
}

EngineOption* EngineCommand::add_option_function(
    const std::string& name, const std::function<void(const std::string&)>& take,
    const std::string& help) {
    return kept(app_->add_option_function<std::string>(name, take, help));
}

EngineOption* EngineCommand::add_flag(const std::string& name, bool& value,
                                      const std::string& help) {
    return kept(app_->add_flag(name, value, help));
}

EngineOption* EngineCommand::add_flag_callback(const std::string& name,
                                               const std::function<void()>& act,
                                               const std::string& help) {
    return kept(app_->add_flag_callback(name, act, help));
}

void EngineCommand::set_version_flag(const std::string& name, const std::string& version) {
    app_->set_version_flag(name, version);
}

EngineOption* EngineCommand::get_option(const std::string& name) {
    return kept(app_->get_option(name));
}

size_t EngineCommand::count(const std::string& name) const { return app_->count(name); }

void EngineCommand::callback(const std::function<void()>& act) { app_->callback(act); }

void EngineCommand::require_subcommand() { app_->require_subcommand(1); }

void EngineCommand::group(const std::string& name) { app_->group(name); }

void EngineCommand::footer(const std::string& text) { app_->footer(text); }

bool EngineCommand::parse(const std::vector<std::string>& words) {
    try {
        // CLI11 takes them from the last to the first, without the program's name.
        app_->parse(std::vector<std::string>(words.rbegin(), words.rend() - 1));
        return true;
    } catch (const CLI::ParseError& error) {
        if (error.get_exit_code() != 0)
            throw Error(Status::bad_input,
                        std::string(error.what()) + " (see lanewise-engine --help)");
        app_->exit(error);
        return false;
    }
}

}  // namespace lanewise
