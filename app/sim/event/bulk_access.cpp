#include "sim/event/bulk_access.h"

namespace lanewise {

void Observer::on_bulk_access(const BulkAccess& access) {
    each_event(access, [this](const MemoryEvent& event) { on_memory(event); });
}

void Observer::on_bulk_complete(const BulkAccess& access, std::optional<uint32_t> mbarrier) {
    each_event(access,
               [this, mbarrier](const MemoryEvent& event) { on_copy_complete(event, mbarrier); });
}

}  // namespace lanewise
