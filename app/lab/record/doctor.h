// What this machine has of what the program can use, and what to do about the rest.
#pragma once
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace lanewise {

struct Check {
    std::string name;  // "GPU"
    bool ok = false;
    std::string found;   // what is there, or what is not
    std::string advice;  // what to do where not ok, and what works without it
};

// Never throws; takes as long as finding the driver does.
std::vector<Check> examine();

void to_json(nlohmann::json& json, const Check& check);
void from_json(const nlohmann::json& json, Check& check);

// {gpu: {name, arch, driver, …} | null, problem, compiler}: what the server's status notice says.
// compiler: who compiles edits and kernels of the user's own, "" where nobody can.
nlohmann::json status_json();

}  // namespace lanewise
