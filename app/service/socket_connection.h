// In a page: the engine of a server, over a WebSocket of the page's (engine-socket.js). One message is
// one frame.
#pragma once
#include <memory>

#include "service/connection.h"

namespace lanewise {

// Whether the page has found such an engine, and has not given it up.
bool page_has_socket();
std::unique_ptr<Connection> connect_socket(Connection::Listener listener);

}  // namespace lanewise
