// NVIDIA's management library (libnvidia-ml.so.1), loaded at run time, only to read: the driver's
// version, the clock of the moment, and whether the card is being slowed down. Everything is
// optional: where the library is missing, nothing is known.
#pragma once
#include <memory>
#include <string>

namespace lanewise {

class Nvml {
  public:
    // `pci_bus_id` as the CUDA driver tells it, so that both mean the same card.
    explicit Nvml(const std::string& pci_bus_id);
    ~Nvml();

    std::string driver_version() const;  // "580.159.04" or ""
    double sm_clock_mhz() const;         // now; 0 where unknown
    // Why the card runs slower than it could just now ("it is too hot"); "" where it does not.
    std::string slowed_down_by() const;

  private:
    struct Api;
    std::unique_ptr<Api> api_;
    void* device_ = nullptr;
};

}  // namespace lanewise
