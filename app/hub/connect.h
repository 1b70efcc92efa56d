// The other end of the hub: an engine at an address, on a pair of pipes, as if it were a process here.
// `lanewise --engine ws://…` starts `lanewise-engine connect ws://…` (service/client.h).
#pragma once
#include <string>

#include "hub/address.h"

namespace lanewise {

// Passes frames on between the two descriptors and the socket until one of them ends. Tries again for
// some seconds where nobody listens (yet). wss:// goes through the program openssl, which checks the
// server's name and certificate. Returns 0 where the input ended, kExitUnheard (service/server.h)
// where the connection was lost or the server is going, so that the window asks again. Throws
// Error(bad_input) where the server cannot be reached or says no.
int connect_to_engine(const EngineAddress& address, int input, int output);

}  // namespace lanewise
