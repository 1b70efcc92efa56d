// Firefox with the interface of browser.js: openFirefox(program) -> {open(address, options), close()}. Over WebDriver
// BiDi, which Firefox speaks by itself. It has WebGL 2 on a screen only, be it one of Xvfb:
//   LANEWISE_BROWSER=firefox xvfb-run -a -s "-screen 0 1600x1300x24" node tests/web/page_test.js build/web
'use strict';
const fs = require('fs');
const os = require('os');
const path = require('path');
const {spawn} = require('child_process');

const kPatience = 240;  // seconds, for what comes at once unless the machine has much else to do

const pause = (seconds) => new Promise((done) => setTimeout(done, 1000 * seconds));

// Nothing is asked of the network beyond the page, and a processor may draw.
const kPreferences = {
  'webgl.force-enabled': true, 'webgl.disable-fail-if-major-performance-caveat': true, 'dom.w3c_touch_events.enabled': 1,
  'app.normandy.enabled': false, 'app.update.enabled': false, 'browser.safebrowsing.downloads.enabled': false,
  'browser.safebrowsing.malware.enabled': false, 'browser.safebrowsing.phishing.enabled': false, 'browser.shell.checkDefaultBrowser': false,
  'browser.startup.homepage_override.mstone': 'ignore', 'browser.newtabpage.enabled': false, 'datareporting.policy.dataSubmissionEnabled': false,
  'datareporting.healthreport.uploadEnabled': false, 'extensions.update.enabled': false, 'network.captive-portal-service.enabled': false,
  'network.connectivity-service.enabled': false, 'services.settings.server': 'http://127.0.0.1:9/', 'toolkit.telemetry.enabled': false,
  'dom.events.testing.asyncClipboard': true, 'dom.serviceWorkers.enabled': true, 'browser.sessionstore.resume_from_crash': false,
};
const kKeys = {Enter: '\uE007', Escape: '\uE00C', Tab: '\uE004', Backspace: '\uE003', Delete: '\uE017', Home: '\uE011', End: '\uE010',
  PageUp: '\uE00E', PageDown: '\uE00F', ArrowLeft: '\uE012', ArrowUp: '\uE013', ArrowRight: '\uE014', ArrowDown: '\uE015',
  F1: '\uE031', F5: '\uE035', F6: '\uE036', F9: '\uE039', F10: '\uE03A', F11: '\uE03B'};

async function openFirefox(program) {
  const profile = fs.mkdtempSync(path.join(os.tmpdir(), 'lanewise-firefox-'));
  fs.writeFileSync(path.join(profile, 'user.js'), Object.entries(kPreferences).map(([name, value]) => `user_pref(${JSON.stringify(name)}, ${JSON.stringify(value)});\n`).join(''));
  const child = spawn(program, [...(process.env.DISPLAY ? [] : ['--headless']), '--no-remote', '--profile', profile, '--remote-debugging-port=0', 'about:blank'], {stdio: 'ignore'});
  const said = path.join(profile, 'WebDriverBiDiServer.json');
  for (let tries = 0; !fs.existsSync(said); ++tries) {
    if (tries > 1200) throw new Error('Firefox does not start');
    await pause(0.1);
  }
  await pause(0.5);
  const {ws_host, ws_port} = JSON.parse(fs.readFileSync(said, 'utf8'));
  const socket = new WebSocket(`ws://${ws_host}:${ws_port}/session`);
  await new Promise((done, fail) => { socket.onopen = done; socket.onerror = () => fail(new Error('Firefox does not answer')); });
  const waiting = new Map(), hears = [];
  let last = 0;
  socket.onmessage = (event) => {
    const message = JSON.parse(event.data);
    if (message.type === 'event') return hears.forEach((hear) => hear(message));
    const asked = waiting.get(message.id);
    waiting.delete(message.id);
    message.type === 'error' ? asked.fail(new Error(`${message.error}: ${message.message}`)) : asked.done(message.result);
  };
  const send = (method, params = {}) => new Promise((done, fail) => {
    waiting.set(++last, {done, fail});
    socket.send(JSON.stringify({id: last, method, params}));
  });
  await send('session.new', {capabilities: {}});
  await send('session.subscribe', {events: ['log.entryAdded']});
  return {
    open: (address, options = {}) => openPage(send, hears, address, options),
    async close() {
      await send('browser.close').catch(() => {});
      socket.close();
      await new Promise((done) => (child.exitCode === null ? child.once('exit', done) : done()));
      fs.rmSync(profile, {recursive: true, force: true, maxRetries: 5, retryDelay: 200});
    },
  };
}

async function openPage(send, hears, address, {width = 1280, height = 800, density = 1, before = ''}) {
  const {context} = await send('browsingContext.create', {type: 'tab'});
  const said = [];
  hears.push(({params}) => params.source && params.source.context === context && said.push(params.text));
  await send('browsingContext.setViewport', {context, viewport: {width, height}, devicePixelRatio: density});
  if (before) await send('script.addPreloadScript', {functionDeclaration: `() => { ${before} }`, contexts: [context]});
  await send('browsingContext.navigate', {context, url: address, wait: 'none'});
  const act = (...actions) => send('input.performActions', {context, actions});
  const pointer = (kind, actions, id = kind) => ({type: 'pointer', id, parameters: {pointerType: kind}, actions});
  const at = (x, y) => ({x: Math.round(x), y: Math.round(y)});
  const page = {
    said,
    async run(expression) {
      const answer = await send('script.evaluate', {target: {context}, awaitPromise: true, resultOwnership: 'none',
        expression: `Promise.resolve(eval(${JSON.stringify(expression)})).then((it) => JSON.stringify(it))`});
      if (answer.type === 'exception') throw new Error(answer.exceptionDetails.text);
      return answer.result.type === 'undefined' ? undefined : JSON.parse(answer.result.value);
    },
    async until(expression, seconds = kPatience) {
      for (const end = Date.now() + 1000 * seconds; Date.now() < end; await pause(0.05)) {
        const value = await page.run(expression).catch(() => null);
        if (value) return value;
      }
      throw new Error(`not within ${seconds} s: ${expression}; the page said: ${said.slice(-3).join(' | ')}`);
    },
    async shot(file) {
      const {data} = await send('browsingContext.captureScreenshot', {context});
      fs.writeFileSync(file, Buffer.from(data, 'base64'));
    },
    point: (x, y) => act(pointer('mouse', [{type: 'pointerMove', ...at(x, y)}])),
    click: (x, y) => act(pointer('mouse', [{type: 'pointerMove', ...at(x, y)}, {type: 'pause', duration: 100}, {type: 'pointerDown', button: 0},
      {type: 'pause', duration: 100}, {type: 'pointerUp', button: 0}])),
    wheel: (x, y, pixels) => act({type: 'wheel', id: 'wheel', actions: [{type: 'scroll', ...at(x, y), deltaX: 0, deltaY: Math.round(pixels)}]}),
    tap: (x, y) => act(pointer('touch', [{type: 'pointerMove', ...at(x, y)}, {type: 'pointerDown', button: 0}, {type: 'pause', duration: 100},
      {type: 'pointerUp', button: 0}])),
    fingers: (paths) => act(...paths.map((path, id) => pointer('touch', [
      {type: 'pointerMove', ...at(...path[0])}, {type: 'pointerDown', button: 0},
      ...path.slice(1).map((each) => ({type: 'pointerMove', duration: 50, ...at(...each)})), {type: 'pointerUp', button: 0}], `finger${id}`))),
    drawn: () => page.run(require('./browser.js').kTwoFrames).catch(() => false),
    async key(key, {ctrl = false, shift = false} = {}) {
      const held = [...(ctrl ? ['\uE009'] : []), ...(shift ? ['\uE008'] : [])], value = kKeys[key] || key;
      await act({type: 'key', id: 'keys', actions: [...held.map((each) => ({type: 'keyDown', value: each})), {type: 'keyDown', value},
        {type: 'pause', duration: 50}, {type: 'keyUp', value}, ...held.reverse().map((each) => ({type: 'keyUp', value: each})), {type: 'pause', duration: 50}]});
    },
    async type(text) {
      for (const letter of text) await page.key(letter);
    },
    async paste(text) {
      await page.run(`navigator.clipboard.writeText(${JSON.stringify(text)})`);
      return page.key('v', {ctrl: true});
    },
    reload: () => send('browsingContext.reload', {context, wait: 'none'}),
    front: () => send('browsingContext.activate', {context}),
    close: () => send('browsingContext.close', {context}),
  };
  return page;
}

module.exports = {openFirefox};
