// What the stations' fits (fit_multiprocessor.cpp, fit_memory.cpp) share: the calibration's rows,
// by name, and the constants found so far.
#pragma once
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "base/error.h"
#include "model/fit.h"
#include "model/least_squares.h"

namespace lanewise {

using Rows = std::vector<const CalibrationRow*>;
using Chosen = bool (*)(const CalibrationRow&);

class Fitter {
  public:
    Fitter(const Calibration& calibration, const DeviceProfile& card)
        : calibration_(calibration), card_(card) {}

    // Those that are called `name` and chosen; at least one.
    Rows rows(const std::string& name, const char* which, Chosen chosen) const {
        Rows found;
        for (const CalibrationRow& row : calibration_.rows)
            if (row.name == name && (!chosen || chosen(row))) found.push_back(&row);
        if (found.empty())
            throw Error(Status::bad_input,
                        fmt::format("the calibration has no rows \"{}\"{}{}; measure them with: "
                                    "lanewise-engine calibrate {}",
                                    name, *which ? ", " : "", which, name));
        return found;
    }

    // Of a multiprocessor, for one of `parts` of the row's launch.
    double clocks(const CalibrationRow& row, double parts) const {
        return row.us * card_.sm_clock_mhz / parts;
    }
    double sms() const { return card_.sm_count; }

    void set(double MachineCosts::*constant, double value, const std::string& from) {
        fit.costs.*constant = four_digits(value);
        for (const CostField& field : cost_fields())
            if (field.value == constant) fit.from[field.name] = from;
    }

    // Constants that several kinds of requests share, one per factor of the equations.
    template <size_t N>
    void solve(const char* station, const std::array<double MachineCosts::*, N>& constants,
               const Rows& rows, const std::vector<Equation>& equations, const std::string& from,
               Residual residual = Residual::relative) {
        std::vector<double> x = least_squares(equations, residual);
        if (x.empty())
            throw Error(Status::bad_input,
                        fmt::format("the calibration's rows for {} are too much alike to tell its "
                                    "costs apart; is it complete?",
                                    station));
        for (size_t i = 0; i < N; ++i) set(constants[i], std::max(0.0, x[i]), from);
        for (size_t i = 0; i < rows.size(); ++i) {
            double fitted = 0;
            for (size_t k = 0; k < x.size(); ++k) fitted += equations[i].factors[k] * x[k];
            fit.checks.push_back({station, fmt::format("{}, {}", rows[i]->kernel, rows[i]->a),
                                  equations[i].value, fitted});
        }
    }

    Fit fit;

  private:
    const Calibration& calibration_;
    const DeviceProfile& card_;
};

double median(std::vector<double> values);  // of at least one

// By one access of micro_l2_read, micro_l2_write or micro_column (lab/micro/micro_kernels.cpp).
struct Touched {
    double lines = 0, sectors = 0, parts = 0;  // parts: sectors not wholly covered
};
Touched touched_by(const CalibrationRow& row);
bool on_few_sms(const CalibrationRow& row);  // 8 blocks, one on a multiprocessor

// In this order: later ones need what earlier ones found.
void fit_multiprocessor(Fitter& fitter);
void fit_memory(Fitter& fitter);

}  // namespace lanewise
