// The server: the page by HTTP, and at /engine a WebSocket for each browser, behind which an engine of
// its own answers. One message is one frame of service/protocol.h.
//   /               the page
//   /engine.json    {socket, needs_token, token}: what the page asks first; with a token, whether it is known
//   /engine         the WebSocket; its token comes as "Authorization: Bearer TOKEN", as the protocol
//                   "token.TOKEN" beside "lanewise" (browsers can send no header), or as ?token=TOKEN
//   /class          a WebSocket without an engine, for frames to the class alone (class_desk.h)
//   /board, /board.json   the teacher's, by the teacher's token (also as the password of HTTP Basic);
//                   POST /board?do=… does what class_desk.h lists for the teacher
//   /board.js       what makes the board's page live; no secret
#pragma once
#include "hub/classroom.h"

namespace lanewise {

// How the hub closes a socket; the reason is for the student.
inline constexpr int kCloseRefused =
    4001;  // no place, or a limit: asking again at once does not help
inline constexpr int kCloseEngineEnded = 4002;
inline constexpr int kCloseGoing = 4003;  // the server ends; it may come again

// Serves until SIGINT or SIGTERM; SIGHUP reads the token and the class file again. Prints where, once
// it listens. Returns the exit status. Throws Error(bad_input) where it cannot be served.
int run_hub(const HubOptions& options);

}  // namespace lanewise
