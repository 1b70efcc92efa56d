// Each type's fields are listed once, in a `fields` function that serves both directions.
#include "lab/json/json.h"

#include <nlohmann/json.hpp>

namespace lanewise {

// clang-format off
#define LANEWISE_TYPES(DO)                                                                        \
    DO(Knob) DO(TileLayout) DO(Stage::Requirement) DO(Stage::Tensor) DO(Stage) DO(OwnLaunch) DO(Job) DO(Dim3)         \
    DO(LaunchShape)                                                                               \
    DO(GlobalCounts) DO(SharedCounts) DO(CopyCounts) DO(BulkCounts) DO(Counts) DO(InstructionReport) DO(LineReport) DO(Finding) \
    DO(Printed) \
    DO(Report) DO(TracedBuffer) DO(TileShape) DO(KernelResources) DO(Occupancy) DO(Station)       \
    DO(BandwidthPrediction) DO(Issue) DO(ProductError) DO(BlockSample) DO(PtxRow) DO(SassRow) DO(CodeNote) DO(CodeListing) DO(Picture) DO(Analysis)
// clang-format on
#define LANEWISE_DECLARE(Type)        \
    void to_json(Json&, const Type&); \
    void from_json(const Json&, Type&);
LANEWISE_TYPES(LANEWISE_DECLARE)
// A block's accesses travel as one binary string; json_block.cpp.
void to_json(Json&, const BlockTrace&);
void from_json(const Json&, BlockTrace&);

namespace {

struct Write {
    Json& json;
    template <typename T>
    void operator()(const char* name, T& member) const {
        json[name] = member;
    }
    void operator()(const char* name, std::optional<int>& member) const {
        json[name] = member ? Json(*member) : Json(nullptr);
    }
    template <typename T>
    void added(const char* name, T& member) const {
        (*this)(name, member);
    }
};

// A missing field or one of another type throws Json::exception: the two ends speak one version of
// the protocol. A field that a type gained after its first release is `added`: where it is missing,
// the member keeps its default, so that what was written before can still be read.
struct Read {
    const Json& json;
    template <typename T>
    void operator()(const char* name, T& member) const {
        json.at(name).get_to(member);
    }
    void operator()(const char* name, std::optional<int>& member) const {
        const Json& value = json.at(name);
        member = value.is_null() ? std::nullopt : std::optional(value.get<int>());
    }
    template <typename T>
    void added(const char* name, T& member) const {
        if (auto field = json.find(name); field != json.end()) field->get_to(member);
    }
};

template <typename Field>
void fields(Knob& v, const Field& field) {
    field("name", v.name);
    field("choices", v.choices);
    field("value", v.value);
    field("help", v.help);
}

template <typename Field>
void fields(TileLayout& v, const Field& field) {
    field("array", v.array);
    field("rows", v.rows);
    field("cols", v.cols);
    field("pitch", v.pitch);
}

template <typename Field>
void fields(Stage::Requirement& v, const Field& field) {
    field("expression", v.expression);
    field("reason", v.reason);
}

template <typename Field>
void fields(Stage::Tensor& v, const Field& field) {
    field("of", v.of);
    field("box_rows", v.box_rows);
    field("box_cols", v.box_cols);
    field("swizzle", v.swizzle);
}

template <typename Field>
void fields(Stage& v, const Field& field) {
    field("id", v.id);
    field("operation", v.operation);
    field("title", v.title);
    field("file", v.file);
    field("source", v.source);
    field("kernel", v.kernel);
    field("knobs", v.knobs);
    field("types", v.types);
    field("template_parameters", v.template_parameters);
    field("grid", v.grid);
    field("block", v.block);
    field("reference", v.reference);
    field("requirements", v.requirements);
    field("has_tile", v.has_tile);
    field("tile", v.tile);
    field("compare", v.compare);
    field("error", v.error);
    field.added("library", v.library);
    field.added("headers", v.headers);
    field.added("arch", v.arch);
    field.added("tensors", v.tensors);
    field.added("dynamic_shared", v.dynamic_shared);
    field.added("without", v.without);
}

template <typename Field>
void fields(OwnLaunch& v, const Field& field) {
    field("kernel", v.kernel);
    field("shape", v.shape);
    field("arguments", v.arguments);
    field("include_folders", v.include_folders);
    field("defines", v.defines);
    field.added("variables", v.variables);
    field.added("buffers", v.buffers);
    field.added("before", v.before);
    field.added("ptx", v.ptx);
    field.added("ptx_file", v.ptx_file);
}

template <typename Field>
void fields(Job& v, const Field& field) {
    field("stage", v.stage);
    field("knobs", v.knobs);
    field("type", v.type);
    field("rows", v.rows);
    field("cols", v.cols);
    field("batch", v.batch);
    field("arch", v.arch);
    field.added("own", v.own);
    field.added("inner", v.inner);
    field.added("input", v.input);
}

template <typename Field>
void fields(BlockSample& v, const Field& field) {
    field("blocks", v.blocks);
    field("of_blocks", v.of_blocks);
    field("elements", v.elements);
    field("of_elements", v.of_elements);
}

template <typename Field>
void fields(ProductError& v, const Field& field) {
    field("relative", v.relative);
    field("relative_limit", v.relative_limit);
    field("worst", v.worst);
    field("worst_limit", v.worst_limit);
}

template <typename Field>
void fields(Dim3& v, const Field& field) {
    field("x", v.x);
    field("y", v.y);
    field("z", v.z);
}

template <typename Field>
void fields(LaunchShape& v, const Field& field) {
    field("grid", v.grid);
    field("block", v.block);
    field("dynamic_shared_bytes", v.dynamic_shared_bytes);
}

template <typename Field>
void fields(GlobalCounts& v, const Field& field) {
    field("instructions", v.instructions);
    field("requests", v.requests);
    field("sectors", v.sectors);
    field("sectors_ideal", v.sectors_ideal);
    field("bytes", v.bytes);
}

template <typename Field>
void fields(SharedCounts& v, const Field& field) {
    field("instructions", v.instructions);
    field("wavefronts", v.wavefronts);
    field("wavefronts_ideal", v.wavefronts_ideal);
    field("bytes", v.bytes);
}

template <typename Field>
void fields(CopyCounts& v, const Field& field) {
    field("instructions", v.instructions);
    field("requests", v.requests);
    field("sectors", v.sectors);
    field("sectors_ideal", v.sectors_ideal);
    field("wavefronts", v.wavefronts);
    field("wavefronts_ideal", v.wavefronts_ideal);
    field("bytes", v.bytes);
    field.added("tag_sectors", v.tag_sectors);
}

template <typename Field>
void fields(BulkCounts& v, const Field& field) {
    field("instructions", v.instructions);
    field("sectors", v.sectors);
    field("sectors_ideal", v.sectors_ideal);
    field("bytes", v.bytes);
}

template <typename Field>
void fields(Counts& v, const Field& field) {
    field("global_load", v.global_load);
    field("global_store", v.global_store);
    field("shared_load", v.shared_load);
    field("shared_store", v.shared_store);
    field("global_atomic", v.global_atomic);
    field("global_reduction", v.global_reduction);
    field("shared_atomic", v.shared_atomic);
    field("async_copy", v.async_copy);
    field("matrix_load", v.matrix_load);
    field.added("bulk_load", v.bulk_load);
    field.added("bulk_store", v.bulk_store);
}

template <typename Field>
void fields(InstructionReport& v, const Field& field) {
    field("instruction", v.instruction);
    field("text", v.text);
    field("file", v.file);
    field("line", v.line);
    field("column", v.column);
    field("space", v.space);
    field("is_store", v.is_store);
    field("kind", v.kind);
    field("bytes_per_lane", v.bytes_per_lane);
    field("counts", v.counts);
}

template <typename Field>
void fields(LineReport& v, const Field& field) {
    field("file", v.file);
    field("line", v.line);
    field("counts", v.counts);
}

template <typename Field>
void fields(Finding& v, const Field& field) {
    field("kind", v.kind);
    field("space", v.space);
    field("file", v.file);
    field("line", v.line);
    field("column", v.column);
    field("block", v.block);
    field("thread", v.thread);
    field("count", v.count);
    field("message", v.message);
}

template <typename Field>
void fields(Printed& v, const Field& field) {
    field("block", v.block);
    field("thread", v.thread);
    field("text", v.text);
}

template <typename Field>
void fields(Report& v, const Field& field) {
    field("totals", v.totals);
    field("instructions", v.instructions);
    field("lines", v.lines);
    field("findings", v.findings);
    field.added("printed", v.printed);
    field.added("printed_total", v.printed_total);
    field.added("checked_blocks", v.checked_blocks);
    field("warp_instructions", v.warp_instructions);
}

template <typename Field>
void fields(TracedBuffer& v, const Field& field) {
    field("name", v.name);
    field("address", v.address);
    field("bytes", v.bytes);
}

template <typename Field>
void fields(TileShape& v, const Field& field) {
    field("rows", v.rows);
    field("cols", v.cols);
    field("pitch", v.pitch);
}

template <typename Field>
void fields(KernelResources& v, const Field& field) {
    field("registers_per_thread", v.registers_per_thread);
    field("static_shared_bytes", v.static_shared_bytes);
    field("local_bytes", v.local_bytes);
}

template <typename Field>
void fields(Occupancy& v, const Field& field) {
    field("blocks_per_sm", v.blocks_per_sm);
    field("warps_per_sm", v.warps_per_sm);
    field("fraction", v.fraction);
    field("limited_by", v.limited_by);
    field("registers_per_thread", v.registers_per_thread);
    field("shared_bytes_per_block", v.shared_bytes_per_block);
    field("threads_per_block", v.threads_per_block);
}

template <typename Field>
void fields(Station& v, const Field& field) {
    field("name", v.name);
    field("time_us", v.time_us);
    field("because", v.because);
    field("gb_per_s", v.gb_per_s);
}

template <typename Field>
void fields(BandwidthPrediction& v, const Field& field) {
    field("time_us", v.time_us);
    field("gb_per_s", v.gb_per_s);
    field("limited_by", v.limited_by);
    field("stations", v.stations);
    field("device", v.device);
    field("peak_gb_per_s", v.peak_gb_per_s);
    field.added("gflop_per_s", v.gflop_per_s);
    field.added("peak_gflop_per_s", v.peak_gflop_per_s);
    field.added("unit", v.unit);
    field.added("l2_read_bytes", v.l2_read_bytes);
    field.added("dram_read_bytes", v.dram_read_bytes);
    field.added("dram_written_bytes", v.dram_written_bytes);
}

template <typename Field>
void fields(Issue& v, const Field& field) {
    field("title", v.title);
    field("line", v.line);
    field("us", v.us);
    field("us_without", v.us_without);
    field("fix", v.fix);
}

template <typename Field>
void fields(PtxRow& v, const Field& field) {
    field("line", v.line);
    field("source_line", v.source_line);
    field("access", v.access);
    field("text", v.text);
}

template <typename Field>
void fields(SassRow& v, const Field& field) {
    field("address", v.address);
    field("ptx_line", v.ptx_line);
    field("source_line", v.source_line);
    field("bytes_per_lane", v.bytes_per_lane);
    field("opcode", v.opcode);
    field("predicate", v.predicate);
    field("relation", v.relation);
}

template <typename Field>
void fields(CodeNote& v, const Field& field) {
    field("source_line", v.source_line);
    field("text", v.text);
}

template <typename Field>
void fields(CodeListing& v, const Field& field) {
    field("ptx", v.ptx);
    field("sass", v.sass);
    field("notes", v.notes);
    field("remark", v.remark);
}

// What Picture and Analysis have in common.
template <typename Result, typename Field>
void run_fields(Result& v, const Field& field) {
    field("stage", v.stage);
    field("knobs", v.knobs);
    field("type", v.type);
    field("rows", v.rows);
    field("cols", v.cols);
    field("batch", v.batch);
    field.added("inner", v.inner);
    field("launch", v.launch);
    field.added("compiler", v.compiler);
    field("report", v.report);
    field("resources", v.resources);
    field("occupancy", v.occupancy);
    field("compile_ms", v.compile_ms);
    field("interpret_ms", v.interpret_ms);
}

template <typename Field>
void fields(Picture& v, const Field& field) {
    run_fields(v, field);
    field("block", v.block);
    field("tile", v.tile);
    field("element_bytes", v.element_bytes);
    field.added("code", v.code);
    field("compiled", v.compiled);
}

template <typename Field>
void fields(Analysis& v, const Field& field) {
    run_fields(v, field);
    field.added("has_reference", v.has_reference);
    field("correct", v.correct);
    field("mismatch", v.mismatch);
    field.added("sample", v.sample);
    field.added("input", v.input);
    field.added("error", v.error);
    field.added("notes", v.notes);
    field("prediction", v.prediction);
    field.added("issues", v.issues);
    field("threads", v.threads);
}

}  // namespace

#define LANEWISE_DEFINE(Type)                                                                  \
    void to_json(Json& json, const Type& value) { /* writing changes nothing; reading needs */ \
        fields(const_cast<Type&>(value), Write{json}); /* the reference that is not const */   \
    }                                                                                          \
    void from_json(const Json& json, Type& value) { fields(value, Read{json}); }
LANEWISE_TYPES(LANEWISE_DEFINE)

}  // namespace lanewise
