// `lanewise-engine serve`: answers requests on stdin/stdout until stdin closes.
// Methods: "picture" {job, block} -> Picture · "analyse" {job} -> Analysis ·
// "measure" {job, options} -> Measurement · "status" {} -> what doctor shows · "ping" {} -> {}
#pragma once

namespace lanewise {

// Returns the exit status. Requests run one at a time, newest "picture" first dropping older
// unanswered ones (they get an error that says "superseded"); cancel works at any moment.
// Whatever a job prints to stdout goes to stderr: descriptor 1 is re-pointed before the first job.
int serve(int input_descriptor, int output_descriptor);

}  // namespace lanewise
