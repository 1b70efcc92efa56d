// Both engines with one interface: the page's own (build/web) in node, and lanewise-engine as a process.
//   const engine = await pageEngine(folder)   or   nativeEngine(program)
//   await engine.request(method, params)      the result; an Error with the engine's words otherwise
'use strict';
const fs = require('fs');
const path = require('path');
const {spawn} = require('child_process');

const page = path.join(__dirname, '../../app/web/page');
const frames = require(path.join(page, 'cbor.js'));
const host = require(path.join(page, 'engine-host.js'));

class Asked {
  constructor() {
    this.waiting = new Map();
    this.last = 0;
    this.status = null;
  }
  ask(method, params, post) {
    return new Promise((done, fail) => {
      this.waiting.set(++this.last, {done, fail});
      post(frames.encode({type: 'request', id: this.last, method, params}));
    });
  }
  heard(frame) {
    const message = frames.decode(frame);
    if (message.type === 'hello') this.hello = message;
    if (message.type === 'status') this.status = message;
    const asked = this.waiting.get(message.id);
    if (!asked || !['result', 'error'].includes(message.type)) return;
    this.waiting.delete(message.id);
    if (message.type === 'result') asked.done(message.result);
    else asked.fail(Object.assign(new Error(message.message), {status: message.status, details: message.details}));
  }
}

// folder: build/web. fetched: the names of the files that were read later, in order.
async function pageEngine(folder) {
  const asked = new Asked(), fetched = [];
  const read = (name) => new Uint8Array(fs.readFileSync(path.join(folder, name)));
  const files = {
    later: async (name) => new Blob([read(name)]).stream(),
    now: (name) => {
      fetched.push(name);
      return read(name);
    },
  };
  const factory = require(path.resolve(folder, 'engine.js'));
  const engine = await host.lanewiseStartEngine(factory, files, (frame) => asked.heard(frame));
  await engine.more();
  return {
    fetched,
    asked,
    memory: engine.memory,
    post: (frame) => engine.take(frame),
    work: engine.work,
    async request(method, params = {}) {
      const answer = asked.ask(method, params, engine.take);
      answer.catch(() => {});
      while (engine.work());
      return answer;
    },
    end() {},
  };
}

// before: words in front of the program's own, such as those of taskset.
function nativeEngine(program, before = []) {
  const asked = new Asked();
  const child = spawn(program, [...before, 'serve'], {stdio: ['pipe', 'pipe', 'inherit'], env: {...process.env, LANEWISE_COMPILER: 'shipped'}});
  let rest = Buffer.alloc(0);
  child.stdout.on('data', (bytes) => {
    rest = Buffer.concat([rest, bytes]);
    while (rest.length >= 4 && rest.length >= 4 + rest.readUInt32LE(0)) {
      const end = 4 + rest.readUInt32LE(0);
      asked.heard(new Uint8Array(rest.subarray(0, end)));
      rest = rest.subarray(end);
    }
  });
  return {
    asked,
    request: (method, params = {}) => asked.ask(method, params, (frame) => child.stdin.write(frame)),
    end: () => child.stdin.end(),
  };
}

// Where two results differ, as paths; what a clock says is left out, and on how many threads it was found.
const kClocks = new Set(['compile_ms', 'interpret_ms', 'threads']);
function differences(mine, other, where = '', found = []) {
  if (found.length > 5) return found;
  if (mine && other && typeof mine === 'object' && typeof other === 'object') {
    const names = new Set([...Object.keys(mine), ...Object.keys(other)]);
    for (const name of names)
      if (!kClocks.has(name)) differences(mine[name], other[name], `${where}.${name}`, found);
  } else if (!Object.is(mine, other) && !(mine === other)) {
    found.push(`${where}: ${JSON.stringify(mine)} here, ${JSON.stringify(other)} native`);
  }
  return found;
}

module.exports = {pageEngine, nativeEngine, differences, frames};
