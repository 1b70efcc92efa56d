// The page around the window (window.wasm): loads it, says what is missing, keeps what it writes in
// IndexedDB, offers what it saves for download, and has clipboard, links, touch and what is read aloud.
'use strict';

const element = (id) => document.getElementById(id);
const embedded = new URLSearchParams(location.search).get('embed') === '1';

function notice(text, progress) {
  element('notice').hidden = !text;
  element('notice-text').textContent = text || '';
  element('notice-progress').hidden = progress === undefined;
  if (progress !== undefined) element('notice-progress').value = progress;
}

// ---- What the browser must have

function missing() {
  const without = (what) => `This browser has no ${what}, which Lanewise draws and computes with. ` +
      'A current Chrome, Edge, Firefox or Safari has it; the desktop program of Lanewise does without.';
  if (typeof WebAssembly !== 'object') return without('WebAssembly');
  if (typeof DecompressionStream !== 'function') return without('DecompressionStream');
  const probe = document.createElement('canvas').getContext('webgl2');
  if (!probe) return without('WebGL 2');
  const lose = probe.getExtension('WEBGL_lose_context');
  if (lose) lose.loseContext();
  return '';
}

// ---- Loading, with the share that has come

let stopped = false;  // by a fault, which stands there then

async function load(names) {
  const sizes = Object.fromEntries((await (await fetch('files.json')).json()).files.map((file) => [file.name, file.bytes]));
  const all = names.reduce((sum, name) => sum + (sizes[name] || 0), 0);
  let come = 0;
  const one = async (name) => {
    const answer = await fetch(name);
    if (!answer.ok) throw new Error(`${name} could not be loaded: the server says ${answer.status}`);
    const reader = answer.body.getReader(), parts = [];
    for (;;) {
      const {done, value} = await reader.read();
      if (done) break;
      parts.push(value);
      come += value.length;
      if (!stopped) notice('Lanewise is loading.', Math.min(1, come / all));
    }
    return lanewiseUnpacked(await new Blob(parts).arrayBuffer());
  };
  return Promise.all(names.map(one));
}

// ---- What the address asks for, as the command line has it

function argumentsOf(address) {
  const query = new URLSearchParams(address.search), list = [];
  for (const name of ['stage', 'view', 'mode', 'theme', 'type', 'rows', 'cols', 'inner', 'scale', 'predicted'])
    if (query.has(name)) list.push(`--${name}`, query.get(name));
  for (const setting of query.getAll('set')) list.push('--set', setting);
  const link = linkOf(address);
  if (link) list.unshift(link);
  if (embedded) list.push('--embed', ...(query.has('mode') ? [] : ['--mode', 'workbench']));
  return list;
}
function linkOf(address) {
  const at = address.hash.indexOf('lanewise://');
  return at < 0 ? '' : address.hash.slice(at);
}
const addressOf = (link) => location.href.replace(/[?#].*/, '') + '#' + link;

// ---- What the window asks of the page (browser_window.cpp)

function pageFor(FS, call) {
  const page = {keepsNothing: false, failed: notice};
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
  let keeping = false;
  page.keep = () => {
    if (page.keepsNothing || keeping) return;
    keeping = true;
    FS.syncfs(false, () => { keeping = false; });
  };
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
  addEventListener('hashchange', () => linkOf(location) && call('lanewise_open', linkOf(location)));
  setInterval(() => page.keep(), 2000);  // only what has changed is written
  addEventListener('pagehide', page.keep);
  document.addEventListener('visibilitychange', page.keep);
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

function filesBelow(FS, folder) {
  return FS.readdir(folder).filter((name) => name !== '.' && name !== '..').flatMap((name) => {
    const path = `${folder}/${name}`;
    return FS.isDir(FS.stat(path).mode) ? filesBelow(FS, path) : [path];
  });
}

// ---- Clipboard, dropped files, touch

function listen(FS, call) {
  const canvas = element('canvas');
  document.addEventListener('paste', (event) => {
    call('lanewise_paste', event.clipboardData.getData('text/plain'));
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
  listenToFingers(canvas);
  canvas.addEventListener('webglcontextlost', (event) => {
    event.preventDefault();
    notice('The browser took the graphics context away. Reload the page: your progress is kept.');
  });
  canvas.addEventListener('contextmenu', (event) => event.preventDefault());
  // What the program has of its own, the browser does not do as well.
  document.addEventListener('keydown', (event) => {
    const own = ['s', 'k', 'p', 'o', 'f', 'z', 'y'];
    if ((event.ctrlKey || event.metaKey) && own.includes(event.key.toLowerCase())) event.preventDefault();
    if (['F1', 'F6', 'F9', 'F10'].includes(event.key)) event.preventDefault();
  }, true);
}

// One finger is the mouse: where it goes down, the pointer is a frame before the button, so that what lies
// there knows. Two fingers scroll, as on a page.
function listenToFingers(canvas) {
  const mouse = (kind, at) => canvas.dispatchEvent(new MouseEvent(kind, {
    clientX: at.clientX, clientY: at.clientY, button: 0, buttons: kind === 'mousedown' ? 1 : 0, bubbles: true, cancelable: true}));
  const later = (what) => requestAnimationFrame(() => requestAnimationFrame(what));
  let scrolled = null, fingers = 0;
  const middle = ([a, b]) => ({clientX: (a.clientX + b.clientX) / 2, clientY: (a.clientY + b.clientY) / 2});
  function scroll(touches) {
    const now = middle(touches);
    if (scrolled)
      canvas.dispatchEvent(new WheelEvent('wheel', {
        deltaX: scrolled.clientX - now.clientX, deltaY: scrolled.clientY - now.clientY, bubbles: true, cancelable: true, ...now}));
    scrolled = now;
  }
  function heard(event) {
    event.preventDefault();
    event.stopImmediatePropagation();
    const touch = event.changedTouches[0], before = fingers;
    fingers = event.touches.length;
    if (event.type === 'touchmove') return fingers === 2 ? scroll(event.touches) : fingers === 1 && mouse('mousemove', touch);
    scrolled = null;
    if (event.type === 'touchstart' && fingers === 1) {
      canvas.focus();
      mouse('mousemove', touch);
      later(() => mouse('mousedown', touch));
    } else if (before === 1 || fingers === 2) {
      later(() => later(() => mouse('mouseup', touch)));
    }
  }
  for (const kind of ['touchstart', 'touchmove', 'touchend', 'touchcancel'])
    canvas.addEventListener(kind, heard, {capture: true, passive: false});
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

// What a page keeps, or nothing where the browser lets it keep nothing.
function keptHere() {
  try {
    localStorage.getItem('lanewise');
    return localStorage;
  } catch (error) {
    const kept = new Map();
    return {getItem: (name) => kept.get(name) ?? null, setItem: (name, value) => kept.set(name, value)};
  }
}

const findSocket = () => lanewiseSockets.find({
  address: new URL(location.href),
  fetch: (...rest) => fetch(...rest),
  WebSocket,
  storage: keptHere(),
  ask: askToken,
  agree: (text) => confirm(text),
  forget: (address) => history.replaceState(null, '', address),
  say: async (text) => {
    notice(text);
    await new Promise((done) => setTimeout(done, 4000));
  },
});

// ---- The start

async function restore(FS, page) {
  FS.mount(FS.filesystems.IDBFS, {}, '/state');
  await new Promise((done) => FS.syncfs(true, (error) => {
    page.keepsNothing = !!error;
    done();
  }));
}

async function start() {
  const why = missing();
  if (why) return notice(why);
  document.body.classList.toggle('embedded', embedded);
  element('caption').hidden = !embedded;
  const engineSocket = embedded ? null : await findSocket();
  // Before the window, which would take the keys that are pressed there.
  const classBar = engineSocket && new lanewiseClass.Bar(engineSocket, element('class'), {document, frames: lanewiseFrames});
  const script = document.createElement('script');
  script.src = 'window-program.js';
  const loaded = new Promise((done, fail) => {
    script.onload = done;
    script.onerror = () => fail(new Error('window-program.js could not be loaded'));
  });
  document.head.append(script);
  const [program, content, fonts] = await load(['window-program.wasm.gz', 'content.gz', 'fonts.gz']);
  await loaded;
  const module = await LanewiseWindow({
    noInitialRun: true,
    canvas: element('canvas'),
    engineSocket,
    instantiateWasm(imports, done) {
      WebAssembly.instantiate(program, imports).then((made) => done(made.instance, made.module));
      return {};
    },
  });
  const FS = module.FS;
  for (const folder of ['/state', '/saved', '/opened', '/fonts', '/cache']) FS.mkdirTree(folder);
  lanewiseMount(FS, content, {now: () => null});
  lanewiseMount(FS, fonts, {now: () => null}, '/fonts/');
  const call = (name, text) => module.ccall(name, null, ['string'], [text]);
  const page = (module.page = pageFor(FS, call));
  page.classBar = classBar;
  if (embedded) page.keep = () => {};  // a figure in a page has no progress of its own
  else await restore(FS, page);
  listen(FS, call);
  notice('');
  module.callMain(argumentsOf(location));
  window.lanewiseWindow = module;
  element('canvas').focus();
  if ('serviceWorker' in navigator && !embedded) navigator.serviceWorker.register('offline.js').catch(() => {});
}

start().catch((error) => {
  stopped = true;
  notice(`Lanewise could not start: ${error.message}. Reload the page to try again.`);
});
