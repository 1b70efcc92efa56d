// The page's way to a server's engine (engine-socket.js), to a real one: socket_live.js ADDRESS TOKEN.
// Asks the engine, says so, waits until the way is lost, and asks once more: the server is started anew meanwhile.
'use strict';
const assert = require('assert');
const path = require('path');
const page = path.join(__dirname, '../../app/web/page');
const sockets = require(path.join(page, 'engine-socket.js'));
const frames = require(path.join(page, 'cbor.js'));

const [address, token] = process.argv.slice(2);
if (!require('./web_socket.js').withWebSocket()) {
  console.log('skipped: this node has no WebSocket');
  process.exit(77);
}
const kept = new Map(), typed = ['wrong-wrong-wrong-wrong', token], said = [];
const tools = {
  address: new URL(address), WebSocket, fetch: (name, more) => fetch(new URL(name, address), more),
  storage: {getItem: (name) => kept.get(name) ?? null, setItem: (name, value) => kept.set(name, value)},
  ask: async (text) => { said.push(text); return typed.shift() ?? null; },
  agree: () => false, forget: () => {}, say: async (text) => said.push(text),
};

// The type of what the engine says first, and its answer to a ping.
function asked(way) {
  return new Promise((done, fail) => {
    let greeting = null;
    way.open((frame) => {
      const message = frames.decode(frame);
      if (!greeting) {
        greeting = message.type;
        way.send(frames.encode({type: 'request', id: 1, method: 'ping', params: {}}));
      } else if (message.id === 1) {
        done([greeting, message.type]);
      }
    }, (why, lost) => (lost ? lostNow() : fail(new Error(why))));
  });
}
let lostNow = () => {};

(async () => {
  const way = await sockets.find(tools);
  assert.ok(way, said.join(' | '));
  assert.match(said[1], /this token is not known here/);
  assert.deepStrictEqual(await asked(way), ['hello', 'result']);
  const lost = new Promise((done) => { lostNow = done; });
  console.log('asked');
  await lost;
  assert.deepStrictEqual(await asked(way), ['hello', 'result']);
  way.close();
  console.log('asked again');
  process.exit(0);
})().catch((error) => {
  console.log(`FAILED  ${error.message}`);
  process.exit(1);
});
