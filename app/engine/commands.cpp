#include "engine/commands.h"

#include <string_view>

#include "base/error.h"
#include "engine/options.h"

namespace lanewise {

// Rows may be made before anything else of the program is.
static std::vector<const CommandRow*>& rows() {
    static std::vector<const CommandRow*> list;
    return list;
}

CommandRow::CommandRow(const char* its_name, const char* its_place,
                       void (*adds)(EngineCommand&, int&), Compiles whether)
    : name(its_name), behind(its_place), add(adds), compiles(whether) {
    rows().push_back(this);
}

static size_t add_behind(std::string_view name, EngineCommand& app, int& status) {
    size_t added = 0;
    for (const CommandRow* row : rows()) {
        if (name != row->behind) continue;
        row->add(app, status);
        if (row->compiles == Compiles::yes) add_compiler_choice(app.subcommand(row->name));
        added += 1 + add_behind(row->name, app, status);
    }
    return added;
}

void add_commands(EngineCommand& app, int& status) {
    if (add_behind("", app, status) != rows().size())
        throw Error(Status::failed_check, "a command stands behind one that there is not");
}

}  // namespace lanewise
