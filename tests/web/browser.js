// A browser without a screen, driven over the devtools protocol, and a server for what it opens.
//   const server = await serve(folder)           server.address; server.extra: Map name -> text; server.broken: Map name -> 404 or 'cut'
//   const browser = await openBrowser()          null where there is none; with LANEWISE_BROWSER=firefox that one (firefox.js)
//   const page = await browser.open(address)     page.run(expression), page.until(expression), page.shot(file)
'use strict';
const fs = require('fs');
const http = require('http');
const os = require('os');
const path = require('path');
const {spawn, spawnSync} = require('child_process');

const kTypes = {'.html': 'text/html', '.js': 'text/javascript', '.json': 'application/json'};

function serve(folder) {
  const broken = new Map(), extra = new Map(), asked = [];
  const server = http.createServer((request, answer) => {
    let name = decodeURIComponent(new URL(request.url, 'http://here').pathname).slice(1);
    if (name === '' || name.endsWith('/')) name += 'index.html';
    asked.push(name);
    if (extra.has(name)) return answer.writeHead(200, {'Content-Type': 'text/html'}).end(extra.get(name));
    const fault = broken.get(name);
    const file = path.join(folder, name);
    if (fault === 404 || !file.startsWith(folder) || !fs.existsSync(file)) return answer.writeHead(404).end();
    const bytes = fs.readFileSync(file);
    answer.writeHead(200, {'Content-Type': kTypes[path.extname(file)] || 'application/octet-stream', 'Cache-Control': 'no-cache'});
    answer.end(fault === 'cut' ? bytes.subarray(0, bytes.length / 2) : bytes);
  });
  return new Promise((done) => server.listen(0, '127.0.0.1', () => done({
    broken, extra, asked, address: `http://127.0.0.1:${server.address().port}/`,
    stop: () => new Promise((stopped) => { server.close(stopped); server.closeAllConnections(); })})));
}

const kFirefox = process.env.LANEWISE_BROWSER === 'firefox';
function findBrowser() {
  for (const name of kFirefox ? ['firefox-esr', 'firefox'] : ['chromium', 'chromium-browser', 'google-chrome'])
    if (spawnSync('sh', ['-c', `command -v ${name}`]).status === 0) return name;
  return null;
}

const kPatience = 240;  // seconds, for what comes at once unless the machine has much else to do

// A tab behind another one draws none.
const kTwoFrames = `Promise.race([new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))),
  new Promise((done) => setTimeout(done, 2000))]).then(() => true)`;

const pause = (seconds) => new Promise((done) => setTimeout(done, 1000 * seconds));

async function openBrowser(more = []) {
  const program = findBrowser();
  if (!program) return null;
  if (kFirefox) return require('./firefox.js').openFirefox(program);
  const profile = fs.mkdtempSync(path.join(os.tmpdir(), 'lanewise-browser-'));
  const child = spawn(program, [
    '--headless', '--no-sandbox', '--disable-quic', '--no-first-run', '--disable-background-networking',
    '--disable-component-update', '--disable-sync', '--use-gl=angle', '--use-angle=swiftshader',
    '--enable-unsafe-swiftshader', '--remote-debugging-port=0', `--user-data-dir=${profile}`, ...more, 'about:blank'],
      {stdio: 'ignore'});
  const portFile = path.join(profile, 'DevToolsActivePort');
  for (let tries = 0; !fs.existsSync(portFile) || !fs.readFileSync(portFile, 'utf8').includes('\n'); ++tries) {
    if (tries > 600) throw new Error('the browser does not start');
    await pause(0.1);
  }
  const [port, where] = fs.readFileSync(portFile, 'utf8').split('\n');
  const socket = new WebSocket(`ws://127.0.0.1:${port}${where}`);
  await new Promise((done, fail) => { socket.onopen = done; socket.onerror = fail; });
  const waiting = new Map(), hears = [];
  let last = 0;
  socket.onmessage = (event) => {
    const message = JSON.parse(event.data);
    if (!message.id) return hears.forEach((hear) => hear(message));
    const asked = waiting.get(message.id);
    waiting.delete(message.id);
    message.error ? asked.fail(new Error(message.error.message)) : asked.done(message.result);
  };
  const send = (method, params = {}, sessionId) => new Promise((done, fail) => {
    waiting.set(++last, {done, fail});
    socket.send(JSON.stringify({id: last, method, params, sessionId}));
  });
  return {
    open: (address, options = {}) => openPage(send, hears, address, options),
    async close() {
      await send('Browser.close').catch(() => {});
      socket.close();
      await new Promise((done) => (child.exitCode === null ? child.once('exit', done) : done()));
      fs.rmSync(profile, {recursive: true, force: true, maxRetries: 5, retryDelay: 200});
    },
  };
}

const kKeyCodes = {Enter: 13, Escape: 27, Tab: 9, Backspace: 8, Delete: 46, Home: 36, End: 35, PageUp: 33, PageDown: 34,
  ArrowLeft: 37, ArrowUp: 38, ArrowRight: 39, ArrowDown: 40, F1: 112, F5: 116, F6: 117, F9: 120, F10: 121, F11: 122, ' ': 32};
const codeOf = (letter) => (/[a-z0-9]/i.test(letter) ? letter.toUpperCase().charCodeAt(0) : kPunctuation[letter] || 0);
const kPunctuation = {' ': 32, '=': 187, '+': 187, '-': 189, ',': 188, '.': 190, '/': 191, '?': 191, ';': 186, ':': 186};

async function openPage(send, hears, address, {width = 1280, height = 800, density = 1, before = '', touch = false}) {
  const {targetId} = await send('Target.createTarget', {url: 'about:blank'});
  const {sessionId} = await send('Target.attachToTarget', {targetId, flatten: true});
  const call = (method, params) => send(method, params, sessionId);
  const said = [];
  hears.push((message) => {
    if (message.sessionId !== sessionId) return;
    if (message.method === 'Runtime.consoleAPICalled') said.push(message.params.args.map((each) => each.value).join(' '));
    if (message.method === 'Runtime.exceptionThrown') said.push(message.params.exceptionDetails.exception?.description || message.params.exceptionDetails.text);
  });
  await call('Runtime.enable');
  await call('Page.enable');
  await send('Browser.grantPermissions', {permissions: ['clipboardReadWrite', 'clipboardSanitizedWrite']});
  await call('Emulation.setDeviceMetricsOverride', {width, height, deviceScaleFactor: density, mobile: touch});
  if (touch) await call('Emulation.setTouchEmulationEnabled', {enabled: true});
  if (before) await call('Page.addScriptToEvaluateOnNewDocument', {source: before});
  await call('Page.navigate', {url: address});
  const page = {
    call, said,
    async run(expression) {
      const {result, exceptionDetails} = await call('Runtime.evaluate', {expression, awaitPromise: true, returnByValue: true});
      if (exceptionDetails) throw new Error(exceptionDetails.exception?.description || exceptionDetails.text);
      return result.value;
    },
    async until(expression, seconds = kPatience) {
      for (const end = Date.now() + 1000 * seconds; Date.now() < end; await pause(0.05)) {
        const value = await page.run(expression).catch(() => null);
        if (value) return value;
      }
      throw new Error(`not within ${seconds} s: ${expression}; the page said: ${said.slice(-3).join(' | ')}`);
    },
    async shot(file) {
      const {data} = await call('Page.captureScreenshot', {format: 'png'});
      fs.writeFileSync(file, Buffer.from(data, 'base64'));
    },
    // Pixels of the page.
    point: (x, y) => call('Input.dispatchMouseEvent', {type: 'mouseMoved', x, y}),
    async click(x, y) {
      await page.point(x, y);
      await pause(0.1);
      await call('Input.dispatchMouseEvent', {type: 'mousePressed', x, y, button: 'left', clickCount: 1});
      await pause(0.1);
      await call('Input.dispatchMouseEvent', {type: 'mouseReleased', x, y, button: 'left', clickCount: 1});
    },
    // pixels: downwards is positive, as a browser says it; a mouse's notch is 100 or so.
    async wheel(x, y, pixels, modifiers = 0) {
      await call('Input.dispatchMouseEvent', {type: 'mouseMoved', x, y});
      await page.drawn();
      await call('Input.dispatchMouseEvent', {type: 'mouseWheel', x, y, deltaX: 0, deltaY: pixels, modifiers});
    },
    async tap(x, y) {
      await call('Input.dispatchTouchEvent', {type: 'touchStart', touchPoints: [{x, y}]});
      await pause(0.1);
      await call('Input.dispatchTouchEvent', {type: 'touchEnd', touchPoints: []});
    },
    // Fingers that move: paths has one list of [x, y] for each, all of one length. They come down one after the
    // other, so many seconds `between`.
    async fingers(paths, between = 0) {
      const at = (i) => paths.map((path, id) => ({x: path[i][0], y: path[i][1], id}));
      for (let finger = 1; finger <= paths.length; ++finger) {
        await call('Input.dispatchTouchEvent', {type: 'touchStart', touchPoints: at(0).slice(0, finger)});
        if (finger < paths.length) await pause(between);
      }
      for (let i = 1; i < paths[0].length; ++i) {
        await call('Input.dispatchTouchEvent', {type: 'touchMove', touchPoints: at(i)});
        await pause(0.05);
      }
      await call('Input.dispatchTouchEvent', {type: 'touchEnd', touchPoints: []});
    },
    // Until the page has drawn what was done.
    drawn: () => page.run(kTwoFrames).catch(() => false),
    // 'e', 'Enter', 'ArrowDown', 'F1'. modifiers: {ctrl, shift}. commands: what the browser does of its own then.
    async key(key, {ctrl = false, shift = false, commands = []} = {}) {
      const letter = key.length === 1;
      const event = {
        key, modifiers: (ctrl ? 2 : 0) | (shift ? 8 : 0),
        windowsVirtualKeyCode: letter ? codeOf(key) : kKeyCodes[key],
        text: letter && !ctrl ? key : key === 'Enter' ? '\r' : undefined,
      };
      const held = (type, name, code) => call('Input.dispatchKeyEvent', {type, key: name, windowsVirtualKeyCode: code, modifiers: type === 'keyUp' ? 0 : event.modifiers});
      if (ctrl) await held('rawKeyDown', 'Control', 17);
      if (shift) await held('rawKeyDown', 'Shift', 16);
      await call('Input.dispatchKeyEvent', {type: event.text ? 'keyDown' : 'rawKeyDown', ...event, commands});
      await pause(0.05);  // no longer: what is held for a quarter of a second is struck again
      await call('Input.dispatchKeyEvent', {type: 'keyUp', ...event, text: undefined});
      if (shift) await held('keyUp', 'Shift', 16);
      if (ctrl) await held('keyUp', 'Control', 17);
      await pause(0.05);
      await page.drawn();
    },
    async type(text) {
      for (const letter of text) await page.key(letter);
    },
    // As with a right button and "Paste", or by the key of every browser.
    async paste(text, byKey = true) {
      await page.run(`navigator.clipboard.writeText(${JSON.stringify(text)})`);
      if (byKey) return page.key('v', {ctrl: true, commands: ['paste']});
      await page.run(`(() => { const data = new DataTransfer(); data.setData('text/plain', ${JSON.stringify(text)});
        document.dispatchEvent(new ClipboardEvent('paste', {clipboardData: data, bubbles: true, cancelable: true})); })()`);
    },
    reload: () => call('Page.reload'),
    // As who chooses its tab; one behind another draws nothing, and hears no keys.
    front: () => call('Page.bringToFront'),
    close: () => send('Target.closeTarget', {targetId}),
  };
  return page;
}

module.exports = {kTwoFrames, serve, openBrowser, findBrowser, pause};
