// The page's way to a server's engine (engine-socket.js), with a server made of promises. No browser, no network.
'use strict';
const assert = require('assert');
const path = require('path');
const sockets = require(path.join(__dirname, '../../app/web/page/engine-socket.js'));

const kToken = 'aaaaaaaaaaaaaaaa';
const hello = new Uint8Array([1]).buffer;

// answers: what a try of each token gives. opens: for each socket 'hello', 'gone' or a close {code, reason}.
function world({address = 'http://lab:8080/', json = {socket: 'engine', needs_token: true}, tokens = [kToken], opens = [], typed = [], agree = true} = {}) {
  const seen = {made: [], asked: [], said: [], agreed: [], forgotten: [], kept: new Map()};
  class Socket {
    constructor(url, protocols) {
      seen.made.push({url, protocols, socket: this, sent: []});
      this.readyState = 0;
      const how = opens.length ? opens.shift() : 'hello';
      setTimeout(() => {
        this.readyState = how === 'hello' ? 1 : 3;
        if (how === 'hello') this.onmessage({data: hello});
        else this.onclose(how === 'gone' ? {code: 1006, reason: ''} : how);
      });
    }
    send(frame) { seen.made.find((one) => one.socket === this).sent.push(frame); }
    close() { this.readyState = 3; }
  }
  const given = {
    address: new URL(address), WebSocket: Socket, pauses: [1, 1, 1],
    async fetch(name, {headers = {}}) {
      if (json === null) return {ok: false, json: async () => null, text: async () => ''};
      if (!headers.Authorization) return {ok: true, json: async () => json};
      const known = tokens.includes(headers.Authorization.slice(7));
      return {ok: known, text: async () => 'this token is not known here\n'};
    },
    storage: {getItem: (name) => seen.kept.get(name) ?? null, setItem: (name, value) => seen.kept.set(name, value)},
    ask: async (text) => { seen.asked.push(text); return typed.shift() ?? null; },
    agree: (text) => { seen.agreed.push(text); return agree; },
    forget: (rest) => seen.forgotten.push(rest),
    say: async (text) => seen.said.push(text),
  };
  return {given, seen};
}

const settle = () => new Promise((done) => setTimeout(done, 50));
const tests = {
  async 'plain files have no server'() {
    const {given, seen} = world({json: null});
    assert.strictEqual(await sockets.find(given), null);
    assert.deepStrictEqual([seen.said, seen.asked, seen.made], [[], [], []]);
  },
  async 'a token is asked for until it is known, and kept'() {
    const {given, seen} = world({typed: ['short', 'bbbbbbbbbbbbbbbb', kToken]});
    const way = await sockets.find(given);
    assert.ok(way.usable);
    assert.strictEqual(seen.asked.length, 3);
    assert.match(seen.asked[1], /16 characters or more/);
    assert.strictEqual(seen.asked[2], 'this token is not known here');
    assert.strictEqual(seen.made[0].url, 'ws://lab:8080/engine');
    assert.deepStrictEqual(seen.made[0].protocols, ['lanewise', `token.${kToken}`]);
    assert.strictEqual(seen.kept.get('lanewise-token ws://lab:8080/engine'), kToken);
  },
  async 'a token of the address is used, kept, and goes from the address'() {
    for (const end of [`?token=${kToken}&stage=10_naive`, `?stage=10_naive#token=${kToken}`]) {
      const {given, seen} = world({address: `https://lab/gpu/${end}`});
      await sockets.find(given);
      assert.deepStrictEqual(seen.asked, []);
      assert.deepStrictEqual(seen.forgotten, ['/gpu/?stage=10_naive']);
      assert.strictEqual(seen.made[0].url, 'wss://lab/gpu/engine');
    }
  },
  async 'without a token the page is its own engine'() {
    const {given} = world({typed: [null]});
    assert.strictEqual(await sockets.find(given), null);
  },
  async 'where none is wanted none is asked for'() {
    const {given, seen} = world({json: {socket: 'engine', needs_token: false}});
    await sockets.find(given);
    assert.deepStrictEqual([seen.asked, seen.made[0].protocols], [[], ['lanewise']]);
  },
  async 'another host\'s engine is used only where the learner agrees'() {
    const address = 'https://page/?engine=wss://gpu.example/engine';
    const {given, seen} = world({address, json: null, agree: false});
    assert.strictEqual(await sockets.find(given), null);
    assert.match(seen.agreed[0], /the engine at gpu\.example\. It sees what you edit/);
    assert.deepStrictEqual(seen.made, []);
    const yes = world({address, json: null, typed: [kToken]});
    assert.ok(await sockets.find(yes.given));
    assert.strictEqual(yes.seen.made[0].url, 'wss://gpu.example/engine');
    const wrong = world({address: 'https://page/?engine=https://gpu.example/', json: null});
    assert.strictEqual(await sockets.find(wrong.given), null);
    assert.match(wrong.seen.said[0], /begins with wss:\/\/ or ws:\/\//);
  },
  async 'a server cannot send the page to another host'() {
    for (const socket of ['wss://evil.example/engine', '//evil.example/engine', 7]) {
      const {given, seen} = world({json: {socket, needs_token: true}, typed: [kToken]});
      assert.strictEqual(await sockets.find(given), null);
      assert.deepStrictEqual(seen.made, []);
    }
  },
  async 'a socket that cannot be had is said, and the page goes on'() {
    const {given, seen} = world({typed: [kToken], opens: [{code: 4001, reason: 'all 3 places are taken'}]});
    assert.strictEqual(await sockets.find(given), null);
    assert.deepStrictEqual(seen.said, ['The server\'s engine cannot be used: all 3 places are taken. The page\'s own engine takes over.']);
  },
  async 'frames pass both ways, the greeting first'() {
    const {given, seen} = world({typed: [kToken]});
    const way = await sockets.find(given), heard = [];
    way.open((frame) => heard.push(frame[0]), () => heard.push('end'));
    await settle();
    seen.made[0].socket.onmessage({data: new Uint8Array([2]).buffer});
    way.send('x');
    assert.deepStrictEqual([heard, seen.made[0].sent], [[1, 2], ['x']]);
    way.close();
    seen.made[0].socket.onclose({code: 1000, reason: ''});
    assert.deepStrictEqual(heard, [1, 2]);
  },
  async 'a way that is lost is opened again, and given up after some tries'() {
    const {given, seen} = world({typed: [kToken], opens: ['hello', 'gone', 'gone', 'hello', 'gone', 'gone', 'gone', 'gone']});
    const way = await sockets.find(given), ends = [];
    const open = () => way.open(() => ends.push('frame'), (why, lost) => ends.push(`${lost}: ${why}`));
    open();
    await settle();
    seen.made[0].socket.onclose({code: 1006, reason: ''});
    assert.deepStrictEqual(ends, ['frame', 'true: the connection to the server was lost']);
    open();
    await settle();
    assert.deepStrictEqual([seen.made.length, ends.length, way.usable], [4, 3, true]);
    seen.made[3].socket.onclose({code: 4003, reason: 'the server is going'});
    assert.strictEqual(ends[3], 'true: the server is going');
    open();
    await settle();
    assert.strictEqual(way.usable, false);
    assert.match(ends[4], /^true: The server at lab:8080 cannot be reached: .*The page's own engine takes over/);
  },
  async 'what is refused is not tried again'() {
    const {given, seen} = world({typed: [kToken], opens: ['hello', {code: 4001, reason: '2 engines run with your token already'}]});
    const way = await sockets.find(given), ends = [];
    way.first = null;
    way.open(() => {}, (why, lost) => ends.push([why, lost]));
    await settle();
    assert.deepStrictEqual(ends, [['2 engines run with your token already', false]]);
    assert.strictEqual(seen.made.length, 2);
    assert.ok(way.usable);
  },
};

(async () => {
  let failed = 0;
  for (const [name, test] of Object.entries(tests))
    await test().then(() => console.log(`ok      ${name}`), (error) => { failed++; console.log(`FAILED  ${name}\n        ${error.message}`); });
  process.exit(failed ? 1 : 0);
})();
