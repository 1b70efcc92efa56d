// Makes WebSocket known to scripts in node: its own from 22 on, Debian's node-ws, or the one that 20 has behind a flag.
'use strict';
const {spawnSync} = require('child_process');

// false where there is none. Where it takes a flag, the script runs again with it, and this does not return.
function withWebSocket() {
  if (typeof WebSocket !== 'undefined') return true;
  try {
    globalThis.WebSocket = require('ws');
    return true;
  } catch (error) {  // not installed
  }
  const kFlag = '--experimental-websocket';
  if (!process.allowedNodeEnvironmentFlags.has(kFlag) || process.execArgv.includes(kFlag)) return false;
  process.exit(spawnSync(process.execPath, [kFlag, ...process.argv.slice(1)], {stdio: 'inherit'}).status);
}

module.exports = {withWebSocket};
