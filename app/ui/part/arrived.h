// What has arrived from the engine, and what is still to be asked of it.
#pragma once
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "lab/job/measurement.h"
#include "lab/job/results.h"
#include "lab/measure/hardware_counts.h"
#include "lab/measure/own_run.h"
#include "lab/micro/staircase.h"

namespace lanewise {
struct PadTable;  // lab/change/pad_table.h
}

namespace lanewise::ui {

// What a launch on the GPU did to the process that it ran in, in the engine's words.
struct Crash {
    std::string message;             // what happened, and where
    std::string kind;                // service/kernel_runs.h
    std::optional<Finding> finding;  // the interpreter's explanation
    int in_a_row = 0;                // crashes of this kernel without a success between
    bool offer_interpreter = false;  // so many that running it again is not worth it
};

// What a kernel printed on the GPU: the begin of it, and how much there was.
struct PrintedOnGpu {
    std::vector<std::string> lines;
    uint64_t kept = 0, bytes = 0;
};

struct EngineState {
    bool known = false;   // whether there is a GPU
    std::string gpu;      // its name; empty where there is none
    std::string problem;  // why there is none
    std::string compiler;
    struct Gpu {
        std::string name, uuid;
    };
    std::vector<Gpu> gpus;  // all that there are
    int process_id = 0;
};

// What the window waits for, as the engine link reports it.
struct Activity {
    bool picture = false, analysis = false;
    bool measurement = false;  // anything that runs on the GPU: a run, a count, a staircase
    std::string what;          // progress in the engine's words
    double fraction = 0;
    double since = 0;  // when it began, in the window's seconds
    bool busy() const { return picture || analysis || measurement; }
};

// The results of the chosen setting. The take_… functions set them, forget_results() drops them.
struct Arrived {
    std::shared_ptr<const Picture> picture;
    std::shared_ptr<const Analysis> analysis;
    // Of a product that is too long to interpret whole: some of its blocks. There is no analysis
    // then, and the counts on screen are the chosen block's.
    std::shared_ptr<const Analysis> sampled;
    std::shared_ptr<const PadTable> pads;  // of the chosen block; null where there is no padding
    std::vector<Measurement> live;
    std::optional<OwnMeasurement> own_measurement;    // of the kernel of the user's own, as it is
    std::optional<CounterReading> counter_reading;    // of a launch of this setting
    std::optional<Staircase> staircase;               // the last one taken
    std::optional<Crash> crash;                       // of the last run of this setting
    PrintedOnGpu printed_on_gpu;                      // by the last run of this setting
    std::map<std::string, double> modelled;           // GB/s by stage, of analyses at default knobs
    std::map<std::string, double> prediction_answer;  // by stage, of asked_prediction()
    std::map<int, std::string> diagnostics;  // by source line, of a kernel that does not compile
    std::map<int, int> diagnostic_columns;   // likewise, from 1, where the compiler names one
};

// What of the results must be asked for anew: choosing marks it, setting_requests.cpp clears it.
struct Stale {
    bool picture = true, analysis = true, pads = true;
};

// What was asked for and is not yet sent: buttons and keys set it, setting_requests.cpp and the
// session clear it.
struct Wanted {
    bool measurement = false, count = false, staircase = false;
    bool cancel = false;
    bool run_all_the_same = false;  // although it crashes again and again
    bool another_engine = false;    // than the one that runs
};

}  // namespace lanewise::ui
