// Transposes beside the best copy: the rig's own check, bit for bit, around the timing.
#include "lab/measure/transpose_bench.h"

#include "base/error.h"
#include "base/threads.h"
#include "gpu/cublas.h"
#include "lab/job/needs.h"
#include "lab/machine/stage_tensors.h"
#include "lab/measure/copy_bench.h"
#include "lab/mismatch/mismatch_map.h"

namespace lanewise {

namespace {

class TransposeRunner final : public CopyRunner {
  public:
    Cublas* library = nullptr;  // which then stands for the kernel
    LoadedStage loaded;
    Rig::Arguments arguments;

    Reference reference() const {
        if (is_in_place(job.stage)) return Reference::in_place;
        return job.stage.reference == "copy" ? Reference::copy : Reference::transpose;
    }
    void launch(Rig& rig) const override {
        if (library)
            library->geam(rig.out(), rig.in(),
                          {rig.matrix().rows, rig.matrix().cols, rig.matrix().element_bytes});
        else
            rig.gpu().launch(loaded.kernel, loaded.shape, arguments.bytes, arguments.offsets);
    }
    Mismatch check(Rig& rig, const std::function<void()>& launch, double limit_s) override {
        Mismatch found = rig.check(launch, reference(), limit_s, input());
        if (found.count > 0 && !map) map = map_of_output(rig);
        return found;
    }
    double useful_bytes(const Rig& rig) const override {  // once in, once out
        return 2 * static_cast<double>(rig.matrix().bytes());
    }

  private:
    Input input() const { return library ? Input::numbers : Input::words; }
    // Fetched piece by piece: the output may be larger than this machine's memory.
    std::shared_ptr<const MismatchMap> map_of_output(Rig& rig) const {
        TileShape tile{};
        if (job.stage.has_tile) tile = tile_shape(job.stage, job.knobs, job.type);
        std::vector<std::byte> piece;
        auto fetch = [&](uint64_t first, uint64_t bytes) {
            piece.resize(bytes);
            rig.output(piece, first);
            return std::span<const std::byte>(piece);
        };
        MappedOutput of{{job.rows, job.cols, job.batch, element_bytes(job.type),
                         reference() == Reference::copy},
                        tile.rows,
                        tile.cols,
                        reference() != Reference::in_place,
                        input()};
        MismatchMap made = map_mismatches(fetch, of, core_count(), rig.cancel());
        made.stage = job.stage.id;
        made.on_gpu = true;
        return std::make_shared<MismatchMap>(std::move(made));
    }
};

// The number of parameters in `.entry name( .param …, .param … )`.
int parameter_count(const std::string& ptx, const std::string& entry) {
    size_t start = ptx.find(".entry " + entry + "(");
    size_t end = ptx.find(')', start);
    int count = 0;
    for (size_t at = ptx.find(".param", start); at < end; at = ptx.find(".param", at + 1)) ++count;
    return count;
}

void load_kernel(TransposeRunner& runner, Rig& rig) {
    runner.loaded = load_stage(runner.job, rig);
    runner.program = runner.loaded.program;
    std::vector<TensorMapBytes> maps;
    for (const StageTensor& tensor :
         stage_tensors(runner.job, {rig.in().address(), rig.out().address()}))
        maps.push_back(tensor.map ? rig.gpu().describe(*tensor.map, tensor.type)
                                  : TensorMapBytes{});
    runner.arguments = rig.arguments(parameter_count(runner.program.ptx, runner.program.entry),
                                     runner.reference(), maps);
}

std::unique_ptr<CopyRunner> make_transpose(Job job, Rig& rig) {
    if (std::string why = cannot_launch(job.stage); !why.empty())
        throw Error(Status::bad_input, why);
    auto runner = std::make_unique<TransposeRunner>();
    runner->job = std::move(job);
    if (is_library_call(runner->job.stage)) {
        runner->library = &Cublas::open(rig.gpu(), toolkit_library_folder());
        runner->program.compiler = "cuBLAS " + runner->library->version();
    } else {
        load_kernel(*runner, rig);
    }
    return runner;
}

}  // namespace

std::vector<Measurement> measure_transposes(std::vector<Job> jobs, const MeasureOptions& options,
                                            const Progress& progress, const CancelFlag* cancel) {
    return measure_beside_copy(std::move(jobs), make_transpose, options, progress, cancel);
}

CounterReading count_transpose_launch(const Job& job, double time_limit_s,
                                      const CancelFlag* cancel) {
    return count_beside_copy(job, make_transpose, time_limit_s, cancel);
}

}  // namespace lanewise
