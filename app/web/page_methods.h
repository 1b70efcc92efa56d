// What a page asks the engine for, beside what the window asks (service/server.h):
// "stages" {} -> what `stages --json` prints ·
// "trace" {setting} -> what `trace --json` prints ·
// "job" {setting} -> the job that the other methods take
// A setting is stage, rows, cols, inner, batch, input, set and type; all but the stage may be left out,
// and then are what the command line has. Every other method takes a setting in place of its job.
#pragma once
#include "service/jobs.h"

namespace lanewise {

// lab_service() and these.
Service page_service();

}  // namespace lanewise
