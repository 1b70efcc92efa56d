// Starts the engine (engine.js, engine.wasm.gz, content.gz, and later records.gz) and passes frames in and out;
// the same for a Worker and for node. What lies where is the business of `files`, which reads a file beside this one:
//   files.later(name) -> Promise of a stream of its bytes      files.now(name) -> its bytes at once
'use strict';

// Files of more than a few kilobytes are packed by gzip, as not every host packs what it sends. A host that
// says so of them has had the browser unpack them already. stream: the file's bytes as they come. Returns a
// stream of the unpacked ones. hears(bytes): called with each part that came.
async function lanewiseUnpacking(stream, hears = () => {}) {
  const reader = stream.getReader();
  const next = async () => {
    const part = await reader.read();
    if (!part.done) hears(part.value.length);
    return part;
  };
  const first = await next(), packed = !first.done && first.value[0] === 0x1f && first.value[1] === 0x8b;
  let held = first;
  const come = new ReadableStream({
    async pull(out) {
      const part = held || (await next());
      held = null;
      part.done ? out.close() : out.enqueue(part.value);
    },
  });
  return packed ? come.pipeThrough(new DecompressionStream('gzip')) : come;
}
// The same as a whole; compiled, where it is a program.
async function lanewiseUnpacked(stream, name, hears) {
  try {
    return new Uint8Array(await new Response(await lanewiseUnpacking(stream, hears)).arrayBuffer());
  } catch (error) {
    throw new Error(`${name} came cut or damaged`);
  }
}
async function lanewiseCompiled(stream, name, hears) {
  try {
    return await WebAssembly.compileStreaming(
        new Response(await lanewiseUnpacking(stream, hears), {headers: {'Content-Type': 'application/wasm'}}));
  } catch (error) {
    throw new Error(`${name} came cut or damaged`);
  }
}

// A file of the page. Whoever fails is named.
async function lanewiseFetched(name) {
  let answer = null;
  try {
    answer = await fetch(name);
  } catch (error) {
    throw new Error(`${name} could not be loaded: no answer came`);
  }
  if (!answer.ok) throw new Error(`${name} could not be loaded: the server says ${answer.status}`);
  return answer;
}

// The folders and files of a pack (pack.py), in a file system of emscripten's. Its files are made in their folders,
// with the pack's own bytes: FS.writeFile() would look up each path many times, and copy. The program only reads them.
function lanewiseMount(FS, packed, files, home = '/lanewise/') {
  const length = new DataView(packed.buffer, packed.byteOffset).getUint32(0, true);
  const header = JSON.parse(new TextDecoder().decode(packed.subarray(4, 4 + length)));
  const kPlainFile = 0o100666, folders = new Map();
  const folder = (name) => {
    if (!folders.has(name)) {
      FS.mkdirTree(home + name);
      folders.set(name, FS.lookupPath(home + name).node);
    }
    return folders.get(name);
  };
  const made = (name) => {
    const slash = name.lastIndexOf('/'), parent = folder(name.slice(0, Math.max(0, slash)));
    return parent.node_ops.mknod(parent, name.slice(slash + 1), kPlainFile, 0);
  };
  for (const file of header.files) {
    const node = made(file.name), begin = 4 + length + file.begin;
    node.contents = packed.subarray(begin, begin + file.bytes);
    node.usedBytes = file.bytes;
  }
  for (const file of header.fetched) lanewiseFetchLater(FS, made(file.name), file.bytes, () => files.now(file.name));
}

// Makes the empty file `node` one that says its size and has its bytes as soon as somebody reads it. What did not
// come is not asked for again at once: the engine looks several times.
const kAskAgain = 1000;  // ms
function lanewiseFetchLater(FS, node, bytes, load) {
  const read = node.stream_ops.read;
  let failedAt = -Infinity;
  node.usedBytes = bytes;
  node.stream_ops = Object.assign({}, node.stream_ops, {
    read(stream, ...rest) {
      if (!node.contents || node.contents.length !== bytes) {
        const soon = Date.now() - failedAt < kAskAgain, loaded = soon ? null : load();
        if (!loaded || loaded.length !== bytes) {
          if (!soon) failedAt = Date.now();
          throw new FS.ErrnoError(29);  // an error of input
        }
        node.contents = loaded;
      }
      return read(stream, ...rest);
    },
  });
}

// onFrame: called with each frame that the engine sends. Returns {program, take(frame), work(), more(), memory()};
// more() brings what no picture waits for. given: a promise of the program, where another one has compiled it.
async function lanewiseStartEngine(factory, files, onFrame, given) {
  const coming = async (name) => lanewiseUnpacked(await files.later(name), name);
  const content = coming('content.gz');
  content.catch(() => {});  // it is waited for below
  const program = await (given || lanewiseCompiled(await files.later('engine.wasm.gz'), 'engine.wasm.gz'));
  const module = await factory({
    onframe: onFrame,
    print: (text) => console.log(text),
    printErr: (text) => console.warn(text),
    instantiateWasm(imports, done) {
      WebAssembly.instantiate(program, imports).then((made) => done(made, program));
      return {};
    },
  });
  lanewiseMount(module.FS, await content, files);
  module._lanewise_start();
  return {
    program,
    take(frame) {
      const at = module._malloc(frame.length) >>> 0;
      if (at === 0) throw new Error('the engine has no memory left for a request');
      module.HEAPU8.set(frame, at);
      const understood = module._lanewise_take(at, frame.length);
      module._free(at);
      return understood !== 0;
    },
    work: () => module._lanewise_work() !== 0,
    more: async () => lanewiseMount(module.FS, await coming('records.gz'), files),
    memory: () => module.HEAPU8.length,
  };
}

if (typeof module !== 'undefined') module.exports = {lanewiseStartEngine, lanewiseUnpacked};
