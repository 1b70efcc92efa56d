#include "lab/record/prebuild.h"

#include <set>

#include "base/files.h"
#include "compile/cubin.h"
#include "compile/program_archive.h"
#include "compile/program_store.h"

namespace lanewise {

// An architecture that lacks what the source uses, though its head does not say so: 82_async.cu has
// cp.async, which ptxas refuses for sm_75. The first one has to have it.
static bool may_refuse(const OfferedProgram& offered) {
    return !offered.options.arch.starts_with(offered_archs().front());
}

size_t write_archive(const OfferedArchive& archive, const std::filesystem::path& folder) {
    std::vector<ArchivedProgram> programs;
    std::set<std::string> refused;
    for (const OfferedProgram& offered : archive.programs) try {
            if (refused.count(offered.options.arch)) continue;
            Program program = compile_afresh(offered.source, offered.options);
            program.cubin = offered.with_cubin ? without_ptx_text(std::move(program.cubin)) : "";
            programs.push_back({program_key(offered.source, offered.options), std::move(program)});
        } catch (const CompileError&) {
            if (!may_refuse(offered)) throw;
            refused.insert(offered.options.arch);
        }
    std::erase_if(programs, [&](const ArchivedProgram& each) {
        return refused.count(each.program.arch) > 0;
    });
    std::string bytes = encode_archive(programs);
    write_file(folder / (archive.name + ".programs"), bytes);
    return bytes.size();
}

}  // namespace lanewise
