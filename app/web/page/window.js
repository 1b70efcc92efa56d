// The page around the window (window.wasm): loads it, says what is missing, has what it writes kept (kept.js),
// offers what it saves for download, and has clipboard, links and what is read aloud.
'use strict';

const element = (id) => document.getElementById(id);
const pause = (ms) => new Promise((done) => setTimeout(done, ms));
const mark = (what) => performance.mark(`lanewise: ${what}`);  // tests/web/page_figures.js reads them
const embedded = new URLSearchParams(location.search).get('embed') === '1';

// What the browser keeps of a page, or what stands in its place where it keeps nothing.
function storageOf(name) {
  try {
    window[name].getItem('lanewise');
    return window[name];
  } catch (error) {
    const all = new Map();
    return {getItem: (key) => all.get(key) ?? null, setItem: (key, value) => all.set(key, value), removeItem: (key) => all.delete(key)};
  }
}
const kept = storageOf('localStorage'), sessionKept = storageOf('sessionStorage');

// Over all; without words it goes.
function notice(text, progress) {
  element('notice').hidden = !text;
  element('notice-text').textContent = text || '';
  element('notice-progress').hidden = progress === undefined;
  if (progress !== undefined) element('notice-progress').value = progress;
}

// Below all, where the window goes on.
function bar(text, button, press) {
  document.body.classList.add('barred');
  const pressed = document.createElement('button');
  pressed.textContent = button;
  pressed.onclick = press;
  element('bar').replaceChildren(`${text} `, pressed);
  element('bar').hidden = false;
}

// ---- What the browser must have

const without = (what) => `This browser has no ${what}, which Lanewise draws and computes with. ` +
    'A current Chrome, Edge, Firefox or Safari has it; the desktop program of Lanewise does without.';
function missing() {
  if (typeof WebAssembly !== 'object') return without('WebAssembly');
  if (typeof DecompressionStream !== 'function') return without('DecompressionStream');
  return '';
}
// The browser's graphics begin in a Worker (graphics-worker.js), which ends as soon as the page has its own context.
function beginGraphics() {
  const worker = new Worker('graphics-worker.js');
  return {end: () => worker.terminate()};
}
// The canvas keeps this context, in its size and without buffers that nothing is drawn with: GLFW, which asks for one,
// is given it.
function missingGraphics() {
  const canvas = element('canvas');
  canvas.width = Math.round(canvas.clientWidth * devicePixelRatio);
  canvas.height = Math.round(canvas.clientHeight * devicePixelRatio);
  const attributes = {antialias: false, depth: false, stencil: false, alpha: false};
  return canvas.getContext('webgl2', attributes) ? '' : without('WebGL 2');
}

// ---- Loading, with the share that has come

let stopped = false;  // by a fault, which stands there then

// Asks for the files, and returns what unpacks them: not before the page's own thread has nothing else to begin.
// That returns the promises of the files' bytes; of a program, compiled.
function load(names) {
  const answers = names.map((name) => lanewiseFetched(name));
  for (const answer of answers) answer.catch(() => {});  // whoever waits for it hears of it
  const sizes = lanewiseFetched('files.json').then((list) => list.json()).then(({files}) =>
      files.reduce((sum, file) => sum + (names.includes(file.name) ? file.bytes : 0), 0));
  let come = 0, all = 0;
  sizes.then((sum) => { all = sum; }, () => {});  // it is for the share alone
  const hears = (bytes) => {
    come += bytes;
    if (all && !stopped) notice('Lanewise is loading.', Math.min(1, come / all));
  };
  const one = async (name, answer) =>
      (name.endsWith('.wasm.gz') ? lanewiseCompiled : lanewiseUnpacked)((await answer).body, name, hears);
  return () => names.map((name, i) => {
    const coming = one(name, answers[i]);
    coming.catch(() => {});
    return coming;
  });
}

// What the page's own scripts are, by a script element: it is compiled while it comes.
function loadScript(name) {
  const script = document.createElement('script');
  script.src = name;
  const loaded = new Promise((done, fail) => {
    script.onload = done;
    script.onerror = () => fail(new Error(`${name} could not be loaded`));
  });
  loaded.catch(() => {});
  document.head.append(script);
  return loaded;
}

// ---- What the address asks for, as the command line has it

function argumentsOf(address) {
  const query = new URLSearchParams(address.search), list = [];
  for (const name of ['stage', 'view', 'mode', 'theme', 'type', 'rows', 'cols', 'inner', 'scale', 'predicted'])
    if (query.has(name)) list.push(`--${name}`, query.get(name));
  for (const setting of query.getAll('set')) list.push('--set', setting);
  const link = takeReturn() || linkOf(address);
  if (link) list.unshift(link);
  if (embedded) list.push('--embed', ...(query.has('mode') ? [] : ['--mode', 'workbench']));
  return list;
}
function linkOf(address) {
  const at = address.hash.indexOf('lanewise://');
  return at < 0 ? '' : address.hash.slice(at);
}
// The stage that is most likely shown first; one that there is not costs nothing.
function stageOf(address) {
  const kBegin = 'transpose/00_copy';
  const [, linked] = /^lanewise:\/\/\d+\/(\w+\/\w+)/.exec(sessionKept.getItem('lanewise-return') || linkOf(address)) || [];
  const asked = new URLSearchParams(address.search).get('stage');
  return linked || (asked && asked.includes('/') ? asked : kBegin);
}
// Where the page was before it had to be loaded anew.
function takeReturn() {
  const link = sessionKept.getItem('lanewise-return') || '';
  sessionKept.removeItem('lanewise-return');
  return link;
}
function loadAnew(link) {
  if (link) sessionKept.setItem('lanewise-return', link);
  location.reload();
}
const addressOf = (link) => location.href.replace(/[?#].*/, '') + '#' + link;

// ---- What the window asks of the page (browser_window.cpp)

function pageFor(FS, call) {
  const page = {keepsNothing: false, whole: false, failed: (text) => stopped || notice(text), keep() {}};
  page.copy = (text) => {
    const out = text.startsWith('lanewise://') ? addressOf(text) : text;
    const by_hand = () => {
      const box = document.createElement('textarea');
      box.value = out;
      document.body.append(box);
      box.select();
      document.execCommand('copy');
      box.remove();
      element('canvas').focus();
    };
    navigator.clipboard ? navigator.clipboard.writeText(out).catch(by_hand) : by_hand();
  };
  page.predicted = (stage, choice, right) => page.classBar && page.classBar.predicted(stage, choice, right);
  page.offerSaved = () => {
    for (const path of filesBelow(FS, '/saved')) {
      const link = document.createElement('a'), bytes = FS.readFile(path);
      link.href = URL.createObjectURL(new Blob([bytes]));
      link.download = path.slice(path.lastIndexOf('/') + 1);
      if (page.classBar) page.classBar.offer(link.download, new TextDecoder().decode(bytes));
      link.click();
      setTimeout(() => URL.revokeObjectURL(link.href), 60000);
      FS.unlink(path);
    }
  };
  page.say = (title, text, link) => {
    element('said').textContent = `${title}. ${text}.`;
    element('canvas').setAttribute('aria-label', `Lanewise: ${text}`);
    page.link = link;
    if (embedded) caption(text, link);
  };
  page.shown = () => setTimeout(() => more(FS, call, page).catch(() => {}));
  addEventListener('hashchange', () => linkOf(location) && call('lanewise_open', linkOf(location)));
  return page;
}

function caption(text, link) {
  const whole = document.createElement('a');
  whole.href = addressOf(link);
  whole.target = '_blank';
  whole.rel = 'noopener';
  whole.textContent = 'Open in Lanewise';
  element('caption').replaceChildren(`${text}. `, whole);
}

// ---- What is kept from visit to visit

// Restores it, and has page.keep() write what is new. Without storage the window says that nothing is kept.
async function keepFor(page, FS, call, database) {
  const keeper = new LanewiseKeeper(FS, '/state');
  const turn = new LanewiseTurn(kept, () => page.keepNow(), elsewhere);
  function elsewhere() {
    bar('Lanewise goes on in another tab, which keeps what you do there. What you do here is not kept.',
        'Go on here', () => loadAnew(page.link));
  }
  page.keep = () => {
    if (!turn.mine()) return turn.taken ? (turn.taken = false, elsewhere()) : undefined;
    return keeper.keep().catch((error) => bar(
        `This browser does not keep what you do: ${error.message}. Save a workspace to keep it.`, 'Try again', () => {
          element('bar').hidden = true;
          document.body.classList.remove('barred');
          page.keep();
        }));
  };
  page.keepNow = () => {  // what is still on its way in the window, too
    if (window.lanewiseWindow) call('lanewise_save', '');
    return Promise.resolve(page.keep());
  };
  await turn.take();
  try {
    await keeper.open(database);
  } catch (error) {
    page.keepsNothing = true;
  }
  setInterval(page.keep, 2000);  // only what has changed is written
  document.addEventListener('visibilitychange', page.keepNow);
  addEventListener('pagehide', () => {
    page.keepNow();
    turn.end();
  });
  addEventListener('pageshow', (event) => event.persisted && location.reload());  // somebody else may have kept since
}

// ---- Clipboard, dropped files, keys

function listen(FS, call, page) {
  const canvas = element('canvas');
  let pasteKey = 0;  // when it was struck: the window pastes then by itself
  document.addEventListener('paste', (event) => {
    const own = event.timeStamp - pasteKey < 1000 ? 'lanewise_clipboard' : 'lanewise_type';
    call(own, event.clipboardData.getData('text/plain'));
    event.preventDefault();
  });
  document.addEventListener('dragover', (event) => event.preventDefault());
  document.addEventListener('drop', async (event) => {
    event.preventDefault();
    for (const file of event.dataTransfer.files) {
      FS.writeFile(`/opened/${file.name}`, new Uint8Array(await file.arrayBuffer()));
      call('lanewise_open', `/opened/${file.name}`);
    }
  });
  listenToPointer(canvas, (direction) => call('lanewise_pinch', direction > 0 ? 'larger' : 'smaller'));
  canvas.addEventListener('contextmenu', (event) => event.preventDefault());
  // What the program has of its own, the browser does not do as well; what the browser has of its own
  // (Ctrl with + - 0: its zoom), the program does not. The window is asked before GLFW, which is at the window too.
  addEventListener('keydown', (event) => {
    const own = ['s', 'k', 'p', 'o', 'e', 'f', 'z', 'y'], zoom = ['+', '-', '=', '_', '0'];
    const held = event.ctrlKey || event.metaKey, key = event.key.toLowerCase();
    if (event.target.tagName === 'BUTTON' || (held && zoom.includes(key))) return event.stopImmediatePropagation();
    if (held && own.includes(key)) event.preventDefault();
    if (['F1', 'F6', 'F9', 'F10'].includes(event.key)) event.preventDefault();
    if ((event.ctrlKey && key === 'v') || (event.shiftKey && key === 'insert')) pasteKey = event.timeStamp;
  }, true);
  listenToContext(canvas, page);
}

// Where the browser takes the graphics context away and gives another one, the page is loaded anew at the
// place where it was; not twice within half a minute, lest that goes on for ever.
function listenToContext(canvas, page) {
  const kOften = 30000;
  canvas.addEventListener('webglcontextlost', (event) => {
    event.preventDefault();
    if (page.keepNow) page.keepNow();
    notice('The browser took the graphics context away. Your work is kept. If this stays, reload the page.');
  });
  canvas.addEventListener('webglcontextrestored', () => {
    if (Date.now() - Number(sessionKept.getItem('lanewise-lost') || 0) < kOften) return;
    sessionKept.setItem('lanewise-lost', String(Date.now()));
    loadAnew(page.link);
  });
}

// ---- A server's engine, where there is one

// The form before the window: the token that is typed, or null without one.
function askToken(text) {
  element('token-text').textContent = text;
  element('token').hidden = false;
  element('token-field').value = '';
  element('token-field').focus();
  return new Promise((done) => {
    const answer = (token) => {
      element('token').hidden = true;
      done(token);
    };
    element('token').onsubmit = (event) => {
      event.preventDefault();
      answer(element('token-field').value.trim());
    };
    element('token-without').onclick = () => answer(null);
  });
}

const findSocket = () => lanewiseSockets.find({
  address: new URL(location.href),
  fetch: (...rest) => fetch(...rest),
  WebSocket,
  storage: kept,
  ask: askToken,
  agree: (text) => confirm(text),
  forget: (address) => history.replaceState(null, '', address),
  say: async (text) => {
    notice(text);
    await pause(4000);
  },
});

// ---- The start

// A version that came while the last one was open is taken before anything of the old one is loaded, unless
// another tab still runs the old one (offline.js).
async function takeNewVersion() {
  if (!('serviceWorker' in navigator) || !navigator.serviceWorker.controller) return;
  const ways = await navigator.serviceWorker.getRegistration().catch(() => null);
  if (!ways || !ways.waiting) return;
  const taken = new Promise((done) => navigator.serviceWorker.addEventListener('controllerchange', () => done(true), {once: true}));
  ways.waiting.postMessage('take over');
  if (await Promise.race([taken, new Promise((done) => setTimeout(done, 500, false))])) {
    location.reload();
    await new Promise(() => {});
  }
}

// The compiled stages that were not wanted yet, one after the other, so that all of the course is there without
// the network, or when a server has gone. offline.js keeps what comes.
async function fetchTheRest() {
  const kPause = 5000, kBetween = 50;  // ms: after whatever a learner does, what that asks for goes first
  if (!('serviceWorker' in navigator)) return;
  await navigator.serviceWorker.register('offline.js');
  await navigator.serviceWorker.ready;
  if (navigator.connection && navigator.connection.saveData) return;
  let busyUntil = performance.now() + kPause;
  const busy = () => { busyUntil = performance.now() + kPause; };
  for (const deed of ['pointerdown', 'pointerup', 'keydown', 'wheel']) addEventListener(deed, busy, {capture: true, passive: true});
  const {files} = await (await lanewiseFetched('files.json')).json();
  for (const {name} of files) {
    if (!name.startsWith('assets/programs/') || await caches.match(name)) continue;
    while (performance.now() < busyUntil) await pause(busyUntil - performance.now());
    await fetch(name, {priority: 'low'});
    await pause(kBetween);
  }
}

// The first picture is drawn: what did not have to be there for it.
async function more(FS, call, page) {
  mark('first picture');
  try {
    const records = await lanewiseUnpacked((await lanewiseFetched('records.gz')).body, 'records.gz');
    lanewiseMount(FS, records, {now: () => null});
  } catch (error) {
    bar(`${error.message}. Without it no recorded times are shown.`, 'Load the page anew', () => loadAnew(page.link));
  }
  call('lanewise_more', '');
  page.whole = true;
  mark('recordings');
  if (!embedded) await fetchTheRest();  // what did not come, the next visit goes on with
}

// The engine starts while the window is loaded, and goes through what the window is about to ask for;
// worker_connection.cpp goes on with it.
function startEarly() {
  const worker = new Worker('engine-worker.js', {name: `rehearse ${stageOf(location)}`}), come = [];
  worker.onmessage = worker.onerror = (event) => come.push(event);
  return {worker, come};
}

async function start() {
  const why = missing();
  if (why) return notice(why);
  document.body.classList.toggle('embedded', embedded);
  element('caption').hidden = !embedded;
  if (!embedded) await takeNewVersion();
  // All that takes time without the page's own thread is begun before that thread has work of its own.
  const graphics = beginGraphics();
  const unpack = load(['window-program.wasm.gz', 'content.gz', 'fonts.gz']);
  const script = loadScript('window-program.js'), database = embedded ? null : lanewiseDatabase();
  if (database) database.catch(() => {});  // keepFor() hears of it
  const engineSocket = embedded ? null : await findSocket();
  // Before the window, which would take the keys that are pressed there.
  const classBar = engineSocket && new lanewiseClass.Bar(engineSocket, element('class'), {document, frames: lanewiseFrames});
  if (engineSocket)
    engineSocket.onGivenUp = (host) => bar(`The server at ${host} cannot be reached. The page computes by itself now, and compiles no edits.`,
                                           'Try the server again', () => loadAnew(window.lanewiseWindow && window.lanewiseWindow.page.link));
  const earlyWorker = engineSocket ? null : startEarly();
  mark('the engine is on its way');
  const [program, content, fonts] = unpack();
  const compiled = await program;
  await script;
  mark('compiled');
  const module = await LanewiseWindow({
    noInitialRun: true,
    canvas: element('canvas'),
    engineSocket,
    earlyWorker,
    instantiateWasm(imports, done) {
      WebAssembly.instantiate(compiled, imports).then((made) => done(made, compiled));
      return {};
    },
  });
  const FS = module.FS;
  for (const folder of ['/state', '/saved', '/opened', '/fonts', '/cache']) FS.mkdirTree(folder);
  lanewiseMount(FS, await content, {now: () => null});
  lanewiseMount(FS, await fonts, {now: () => null}, '/fonts/');
  mark('files');
  const call = (name, text) => module.ccall(name, null, ['string'], [text]);
  const page = (module.page = pageFor(FS, call));
  page.classBar = classBar;
  if (classBar) classBar.onLink = (link) => call('lanewise_open', link);
  page.draws = () => {
    const whyNot = missingGraphics();
    graphics.end();
    mark('graphics');
    if (!whyNot) return true;
    if (earlyWorker) earlyWorker.worker.terminate();
    notice(whyNot);
    stopped = true;
    return false;
  };
  if (!embedded) await keepFor(page, FS, call, database);  // a figure in a page has no progress of its own
  listen(FS, call, page);
  notice('');
  module.callMain(argumentsOf(location));
  mark('first frame');
  window.lanewiseWindow = module;
  element('canvas').focus();
}

start().catch((error) => {
  stopped = true;
  notice(`Lanewise could not start: ${error.message}. Reload the page to try again.`);
});
