// What a page keeps, and what goes wrong with it: page_kept_test.js WEB_FOLDER [FOLDER_FOR_PICTURES]. A reload
// in the middle of an edit, a second tab, a browser that keeps nothing or no more, a new version of the page,
// a graphics context that is taken away, and files that do not come.
'use strict';
const fs = require('fs');
const os = require('os');
const path = require('path');
const {serve, openBrowser} = require('./browser.js');
const {assert, begin, check, end, kBar, kNotice, pause, press, settled, state, untilState} = require('./window_page.js');

const {folder, pictures} = begin();
const kTiled = '?stage=transpose/20_tiled&view=access&rows=64&cols=64&mode=workbench';
const kSwizzled = '?stage=transpose/32_swizzled&view=access&rows=64&cols=64&mode=workbench';
const kFile = (stage) => `/state/lanewise/stages/${stage}.cu`;

// The learner's version of a stage, as the window's files have it; '' where there is none.
const edit = (page, stage) => page.run(`(() => { try { return new TextDecoder().decode(lanewiseWindow.FS.readFile(${JSON.stringify(kFile(stage))})); } catch (error) { return ''; } })()`);

// The page without a server compiles nothing, so that an edited stage has no picture.
const ready = (page) => untilState(page, 's.stage && !s.busy && (s.picture || s.edited) && lanewiseWindow.page.whole');

async function typeInto(page, words) {
  await page.key('e', {ctrl: true});
  await untilState(page, 's.editing');
  await pause(0.5);
  await page.type(words);
}

async function main() {
  const server = await serve(folder), browser = await openBrowser();
  const open = (rest, options) => browser.open(server.address + rest, options);

  await check('a reload in the middle of an edit loses nothing', async () => {
    const page = await open(kTiled);
    await ready(page);
    for (let round = 0; round < 3; ++round) {
      const word = `round${round}`;
      await typeInto(page, word);
      await page.reload();  // the hand has not rested yet
      await pause(0.5);
      assert((await ready(page)).edited, `${word}: the edit is gone`);
      assert((await edit(page, 'transpose/20_tiled')).includes(word), `${word} is not in the file`);
    }
    await page.shot(path.join(pictures, 'edited-after-reload.png'));
    await page.key('e', {ctrl: true});
    await untilState(page, 's.editing');
    await press(page, 'edit:reset');
    await untilState(page, '!s.edited');
    await page.close();
    const again = await open(kTiled);
    await ready(again);
    assert.strictEqual(await edit(again, 'transpose/20_tiled'), '');
    await again.close();
  });

  await check('the tab that was opened last keeps; the one before hands over, and says so', async () => {
    const first = await open(kTiled);
    await ready(first);
    await typeInto(first, 'before');
    const second = await open(kSwizzled);
    await ready(second);
    assert((await edit(second, 'transpose/20_tiled')).includes('before'), 'what the first tab had is not there');
    assert(/goes on in another tab/.test(await first.until(kBar)));
    await first.shot(path.join(pictures, 'second-tab.png'));
    await typeInto(second, 'second');
    await first.front();
    await first.type('lost');
    await pause(3);
    assert((await edit(first, 'transpose/20_tiled')).includes('lost'), 'the first tab has heard nothing');
    await first.close();
    await second.front();
    await second.reload();
    await pause(0.5);
    await ready(second);
    assert((await edit(second, 'transpose/32_swizzled')).includes('second'), 'the second tab\'s edit is gone');
    assert(!(await edit(second, 'transpose/20_tiled')).includes('lost'), 'the first tab has written all the same');
    const third = await open(kTiled);
    await ready(third);
    await second.until(kBar);
    await second.front();
    await second.run('document.querySelector("#bar button").click()');
    await third.until(kBar);
    await pause(0.5);
    await ready(second);
    assert.strictEqual(await second.run(kBar), '');
    assert.strictEqual((await state(second)).stage, 'transpose/32_swizzled');
    await third.close();
    await second.close();
  });

  await check('a visit that the service worker answers has both Workers of the engine', async () => {
    const visit = async () => {
      const page = await open('?stage=transpose/30_padded&view=access&rows=64&cols=64&mode=workbench');
      await settled(page);
      await page.until('!!navigator.serviceWorker.controller');
      return page;
    };
    await (await visit()).close();
    const page = await visit();
    const now = await untilState(page, '(s.analysis || s.error) && !s.busy');  // the second Worker's
    assert.strictEqual(now.error, '');
    await page.close();
  });

  await check('a browser that keeps nothing is said to', async () => {
    const refuse = (name) => `Object.defineProperty(window, '${name}', {get() { throw new DOMException('refused', 'SecurityError'); }});`;
    const page = await open(kTiled, {before: refuse('indexedDB') + refuse('localStorage') + refuse('sessionStorage')});
    const now = await settled(page);
    assert(now.notices.some((notice) => /keeps nothing of this page.*Save a workspace/.test(notice)), JSON.stringify(now.notices));
    await pause(0.5);
    await page.shot(path.join(pictures, 'storage-refused.png'));
    await page.close();
  });

  await check('a browser that keeps no more is said to, and tried again', async () => {
    const page = await open(kTiled, {before: `
      window.full = false;
      const put = IDBObjectStore.prototype.put;
      IDBObjectStore.prototype.put = function (...what) { const it = put.apply(this, what); if (window.full) this.transaction.abort(); return it; };`});
    await ready(page);
    await page.run('window.full = true');
    await typeInto(page, 'full');
    assert(/does not keep what you do/.test(await page.until(kBar)));
    await page.shot(path.join(pictures, 'storage-full.png'));
    await page.run('window.full = false; document.querySelector("#bar button").click()');
    await pause(1);
    assert.strictEqual(await page.run(kBar), '');
    await page.reload();
    await pause(0.5);
    await ready(page);
    assert((await edit(page, 'transpose/20_tiled')).includes('full'));
    await page.close();
  });

  await check('a graphics context that is taken away comes back, at the same place', async () => {
    const page = await open('?stage=transpose/30_padded&view=banks&rows=128&cols=128&mode=workbench');
    await settled(page);
    await press(page, 'knob:PAD=0');
    await untilState(page, 's.knobs.PAD === 0 && !s.busy');
    await page.run(`window.lose = document.getElementById('canvas').getContext('webgl2').getExtension('WEBGL_lose_context'); window.lose.loseContext()`);
    assert(/took the graphics context away/.test(await page.until(kNotice)));
    await page.shot(path.join(pictures, 'context-lost.png'));
    await page.run('window.lose.restoreContext()');
    await page.until('window.lose === undefined');
    const now = await settled(page);
    assert.deepStrictEqual([now.stage, now.tab, now.knobs.PAD], ['transpose/30_padded', 'banks', 0]);
    await page.close();
  });

  await check('a new version is taken when the old one is left, whole', async () => {
    const copy = fs.mkdtempSync(path.join(os.tmpdir(), 'lanewise-version-'));
    fs.cpSync(folder, copy, {recursive: true});
    const other = await serve(copy);
    const visit = async () => {
      const page = await browser.open(other.address + kTiled);
      await settled(page);
      await page.until('navigator.serviceWorker.ready.then((it) => !it.installing)');
      return page;
    };
    await (await visit()).close();
    for (const [name, from, to] of [['index.html', '<title>Lanewise', '<title>Newer'], ['offline.js', /version = '\w+'/, 'version = \'newer\''], ['files.json', /"version": "\w+"/, '"version": "newer"']])
      fs.writeFileSync(path.join(copy, name), fs.readFileSync(path.join(copy, name), 'utf8').replace(from, to));
    const old = await visit();  // from what is kept, and the new version comes meanwhile
    assert(/^Lanewise|Lanewise$/.test(await old.run('document.title')));
    assert(!/Newer/.test(await old.run('document.documentElement.innerHTML.match(/<title>[^<]*/)[0]')));
    await old.until('navigator.serviceWorker.getRegistration().then((it) => !!it.waiting)');
    await old.close();
    const now = await visit();
    assert(/Newer/.test(await now.run('fetch("index.html").then((it) => it.text())')), 'the old version is still there');
    assert.deepStrictEqual(await now.until('caches.keys().then((all) => all.length === 1 && all)'), ['lanewise-newer']);
    await now.close();
    await other.stop();
    fs.rmSync(copy, {recursive: true});
  });

  await check('an engine that does not come is said, and what to do', async () => {
    for (const [name, fault] of [['engine.wasm.gz', 404], ['engine.wasm.gz', 'cut'], ['engine.js', 404]]) {
      const other = await serve(folder);
      other.broken.set(name, fault);
      const page = await browser.open(other.address + kTiled);
      const now = await untilState(page, 's.error || s.notices.length');
      const said = [now.error, ...now.notices].join(' | ');
      assert(/engine.*Reload the page/is.test(said) && (name === 'engine.js' || said.includes(name)), `${name} ${fault}: ${said}`);
      await page.close();
      await other.stop();
    }
  });
  await check('a program that does not come is said, and the next one is shown', async () => {
    const program = 'assets/programs/transpose/20_tiled.programs';
    assert(fs.existsSync(path.join(folder, program)));
    for (const fault of [404, 'cut']) {
      const other = await serve(folder);  // an address that keeps nothing yet
      other.broken.set(program, fault);
      const page = await browser.open(other.address + kTiled);
      const now = await untilState(page, 's.error && !s.busy');
      await page.shot(path.join(pictures, `program-${fault}.png`));
      assert(/^20_tiled.programs.*did not come whole.*try again/.test(now.error) && !now.uncompiled, `${now.error} ${now.uncompiled}`);
      const link = await page.run('lanewiseWindow.page.link');
      await page.key('n');
      await untilState(page, 's.stage !== "transpose/20_tiled" && s.picture && !s.error');
      await page.shot(path.join(pictures, `program-${fault}-next.png`));
      await page.run(`location.hash = ${JSON.stringify(link)}`);
      await untilState(page, 's.stage === "transpose/20_tiled" && s.error && !s.busy');
      other.broken.delete(program);
      await pause(1.2);  // what did not come is not asked for again within a second
      await press(page, 'again');
      await untilState(page, 's.picture && !s.error && !s.busy');
      await page.close();
      await other.stop();
    }
  });
  return end(server, browser, `what the page keeps is kept; pictures are in ${pictures}`);
}

main();
