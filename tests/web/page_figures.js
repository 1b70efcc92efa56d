// What the page weighs and how long it takes, for the table in docs/web.md:
// page_figures.js WEB_FOLDER NATIVE_ENGINE [ROUNDS] [WHICH,…]. Not a test: the times are this machine's.
//   WHICH: of downloads, firstPicture, knob, interpreter, memory (default: all)
'use strict';
require('./web_socket.js').withWebSocket();
const fs = require('fs');
const path = require('path');
const zlib = require('zlib');
const {serve, openBrowser, pause} = require('./browser.js');
const {pageEngine, nativeEngine} = require('./engines.js');
const {kDrawn, kSettled, middle} = require('./window_page.js');

const [folder, program, rounds = '5', which = ''] = process.argv.slice(2);
const mb = (bytes) => `${(bytes / 1e6).toFixed(2)} MB`;
const middling = (numbers) => numbers.slice().sort((a, b) => a - b)[numbers.length >> 1];

// As a host that packs what is text sends it.
function sent(name) {
  const bytes = fs.readFileSync(path.join(folder, name));
  return /\.(js|json|html)$/.test(name) ? zlib.gzipSync(bytes).length : bytes.length;
}

async function downloads() {
  const server = await serve(path.resolve(folder)), browser = await openBrowser();
  const page = await browser.open(server.address + '?stage=transpose/30_padded&view=banks&rows=256&cols=256');
  await page.until(kDrawn);
  const first = [...new Set(server.asked)].filter((name) => fs.existsSync(path.join(folder, name)));
  console.log(`until the first picture: ${mb(first.reduce((sum, name) => sum + sent(name), 0))}`);
  for (const name of first) console.log(`    ${name}: ${mb(sent(name))}`);
  const all = JSON.parse(fs.readFileSync(path.join(folder, 'files.json'))).files;
  console.log(`everything: ${mb(all.reduce((sum, file) => sum + sent(file.name), 0))} in ${all.length} files`);
  await browser.close();
  await server.stop();
}

// A browser that knows nothing yet each time; then the same one once more. And where the time goes, by the page's
// own marks (window.js).
async function firstPicture() {
  const cold = [], warm = [], marks = new Map();
  for (let round = 0; round < Number(rounds); ++round) {
    const server = await serve(path.resolve(folder)), browser = await openBrowser();
    const timed = async () => {
      const page = await browser.open('about:blank');
      await pause(1);
      const begun = performance.now();
      await page.call('Page.navigate', {url: server.address + '?stage=transpose/30_padded&view=banks&rows=256&cols=256'});
      await page.until(kDrawn);
      const taken = (performance.now() - begun) / 1000;
      await page.until(kSettled);
      const made = await page.run(`performance.getEntriesByType('mark').map((each) => [each.name, each.startTime])`);
      if (cold.length === round) for (const [name, at] of made) marks.set(name, [...(marks.get(name) || []), at]);
      await page.until('navigator.serviceWorker.ready.then((it) => !it.installing)', 60);
      await page.close();
      return taken;
    };
    cold.push(await timed());
    warm.push(await timed());
    await browser.close();
    await server.stop();
  }
  for (const [what, times] of [['with an empty cache', cold], ['the second time', warm]])
    console.log(`first picture ${what}: ${middling(times).toFixed(2)} s, at most ${Math.max(...times).toFixed(2)} s of ${rounds}`);
  for (const [name, times] of marks) console.log(`    ${name}: after ${(middling(times) / 1000).toFixed(2)} s`);
}

// Notes when the frame that shows a picture has been drawn, by what the page's Workers are asked and answer.
const kNotesPictures = fs.readFileSync(path.join(folder, 'cbor.js'), 'utf8') + `
  window.pictureDrawn = () => {};
  window.Worker = class extends Worker {
    constructor(...given) {
      super(...given);
      this.pictures = new Set();
      this.addEventListener('message', ({data}) => {
        if (data.failure || data.program) return;
        const message = lanewiseFrames.decode(data);
        if (message.type === 'result' && this.pictures.has(message.id))
          requestAnimationFrame(() => requestAnimationFrame(() => pictureDrawn(performance.now())));
      });
    }
    postMessage(frame, ...rest) {
      const message = frame instanceof Uint8Array ? lanewiseFrames.decode(frame) : {};
      if (message.method === 'picture') this.pictures.add(message.id);
      super.postMessage(frame, ...rest);
    }
  };`;

// From the button's release to the frame that shows the new picture, by the page's own clock.
async function knob() {
  const server = await serve(path.resolve(folder)), browser = await openBrowser(), times = [];
  const page = await browser.open(server.address + '?stage=transpose/30_padded&view=banks&rows=256&cols=256&mode=workbench', {before: kNotesPictures});
  await page.until(kSettled);
  await pause(2);
  for (let turn = 0; turn < 20; ++turn) {
    const value = turn % 2, [x, y] = await middle(page, `knob:PAD=${value}`);
    await page.call('Input.dispatchMouseEvent', {type: 'mouseMoved', x, y});
    await pause(0.3);
    const taken = page.run(`new Promise((done) => addEventListener('mouseup', () => {
      const begun = performance.now();
      pictureDrawn = (now) => done(now - begun);
    }, {once: true, capture: true}))`);
    await page.call('Input.dispatchMouseEvent', {type: 'mousePressed', x, y, button: 'left', clickCount: 1});
    await pause(0.05);
    await page.call('Input.dispatchMouseEvent', {type: 'mouseReleased', x, y, button: 'left', clickCount: 1});
    times.push(await taken);
    await page.until(kSettled);
  }
  times.sort((a, b) => a - b);
  console.log(`knob to picture: ${middling(times).toFixed(0)} ms, 19 of 20 within ${times[18].toFixed(0)} ms`);
  await browser.close();
  await server.stop();
}

async function interpreter() {
  const page = await pageEngine(folder), native = nativeEngine('taskset', ['-c', '0', program]);
  const settings = [
    {stage: 'transpose/10_naive', rows: 1024, cols: 1024}, {stage: 'transpose/30_padded', rows: 1024, cols: 1024},
    {stage: 'matmul/20_shared_tiles', rows: 256, cols: 256, inner: 256}, {stage: 'matmul/30_register_tiles', rows: 512, cols: 512, inner: 256}];
  for (const setting of settings) {
    const job = await page.request('job', setting), mine = [], other = [];
    let threads = 0;
    for (let round = 0; round < Number(rounds); ++round) {
      mine.push((await page.request('analyse', {job})).interpret_ms);
      const its = await native.request('analyse', {job});
      other.push(its.interpret_ms);
      threads = its.threads;
    }
    console.log(`${setting.stage} ${setting.rows} x ${setting.cols}: ${Math.min(...mine).toFixed(0)} ms in node, ${Math.min(...other).toFixed(0)} ms natively in ${threads} thread: ${(Math.min(...other) / Math.min(...mine)).toFixed(2)} of its speed`);
  }
  native.end();
}

async function memory() {
  for (const stage of ['transpose/30_padded', 'transpose/10_naive']) {
    const page = await pageEngine(folder);
    const before = page.memory(), job = await page.request('job', {stage, rows: 4096, cols: 4096}), begun = performance.now();
    await page.request('analyse', {job});
    console.log(`${stage} at 4096 x 4096: the engine has ${mb(page.memory())} (${mb(before)} at its start), after ${((performance.now() - begun) / 1000).toFixed(1)} s`);
  }
}

(async () => {
  for (const each of [downloads, firstPicture, knob, interpreter, memory])
    if (!which || which.split(',').includes(each.name)) await each();
  process.exit(0);
})();
