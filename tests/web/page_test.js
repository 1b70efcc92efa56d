// The page in a browser without a screen: page_test.js WEB_FOLDER [FOLDER_FOR_PICTURES].
'use strict';
const fs = require('fs');
const path = require('path');
const {serve, openBrowser} = require('./browser.js');
const {assert, begin, check, end, kDrawn, kNotice, kSettled, kState, middle, pause, press} = require('./window_page.js');

const {folder, pictures} = begin();

async function main() {
  const server = await serve(folder), browser = await openBrowser();
  const open = (rest, options) => browser.open(server.address + rest, options);

  await check('a page of its own asks the engine', async () => {
    server.extra.set('ask.html', '<script src="cbor.js"></script><script src="lanewise.js"></script>');
    const page = await open('ask.html');
    await page.until('window.lanewise && true');
    const totals = await page.run(`lanewise.ready.then(() => lanewise.trace({stage: '30_padded', rows: 256, cols: 256, set: {PAD: 0}})).then((it) => it.totals)`);
    // 2,048 loads of a warp, each of which meets one bank 32 times.
    assert.strictEqual(totals.shared_load.wavefronts, 65536);
    await page.close();
  });
  await check('the first picture', async () => {
    const begun = Date.now(), page = await open('?stage=transpose/30_padded&view=banks&rows=256&cols=256');
    const state = await page.until(kDrawn);
    const seconds = ((Date.now() - begun) / 1000).toFixed(2);
    await page.until(kSettled);
    await pause(0.5);
    await page.shot(path.join(pictures, 'banks.png'));
    assert.strictEqual(state.stage, 'transpose/30_padded');
    assert.strictEqual(state.error, '');
    const heard = await page.run('document.getElementById("said").textContent');
    assert(/padded/i.test(heard) && /256 × 256/.test(heard), heard);
    await page.close();
    return `after ${seconds} s`;
  });
  await check('a link opens its state, another one changes it', async () => {
    const page = await open('');
    await page.until(kSettled);
    const link = await page.run('lanewiseWindow.page.link');
    assert(link.startsWith('lanewise://1/'), link);
    await page.close();
    const again = await open('?stage=transpose/10_naive&view=access&rows=64&cols=64');
    await again.until(kSettled);
    await again.run(`location.hash = ${JSON.stringify(link)}`);
    const stage = link.match(/lanewise:\/\/1\/([^?]*)/)[1];
    await again.until(`${kState}.stage === ${JSON.stringify(stage)}`);
    await again.close();
  });
  // A browser that plays a telephone or a tablet has the page on the whole screen.
  for (const [width, height, density, touch] of [[1280, 800, 1], [1280, 800, 2], [820, 1180, 1, true], [820, 1180, 2, true], [390, 844, 3, true]])
    await check(`${width} x ${height} at density ${density}`, async () => {
      const page = await open('?stage=transpose/20_tiled&view=access&rows=128&cols=128&mode=workbench', {width, height, density, touch});
      const state = await page.until(kSettled);
      assert.deepStrictEqual(state.size, [width * density, height * density]);
      assert.strictEqual(state.density, density);
      await pause(0.5);
      await page.shot(path.join(pictures, `workbench-${width}-${density}.png`));
      await page.close();
    });
  await check('a press chooses another view, a tap too', async () => {
    const page = await open('?stage=transpose/30_padded&view=banks&rows=128&cols=128&mode=workbench');
    await page.until(kSettled);
    await press(page, 'view:code');
    await page.until(`${kState}.tab === 'code'`);
    await page.close();
    const touched = await open('?stage=transpose/30_padded&view=banks&rows=128&cols=128&mode=workbench', {touch: true});
    await touched.until(kSettled);
    await touched.tap(...await middle(touched, 'view:code'));
    await touched.until(`${kState}.tab === 'code'`);
    await touched.close();
  });
  await check('what was chosen is kept over a reload', async () => {
    const page = await open('?stage=transpose/32_swizzled&view=banks&mode=workbench');
    await page.until(kSettled);
    await press(page, 'view:code');
    await pause(4);
    await page.close();
    const again = await open('');
    await again.until(`${kState}.stage === 'transpose/32_swizzled'`);
    await again.close();
  });
  await check('embedded, a figure with its knobs and a way to the whole', async () => {
    const page = await open('?embed=1&stage=transpose/30_padded&view=banks&set=PAD=0&rows=256&cols=256', {width: 900, height: 480});
    const state = await page.until(kSettled);
    assert.strictEqual(state.knobs.PAD, 0);
    assert.strictEqual(state.widgets['view:code'], undefined);
    assert(/Open in Lanewise/.test(await page.run('document.getElementById("caption").textContent')));
    await pause(0.5);
    await page.shot(path.join(pictures, 'embedded.png'));
    await page.close();
  });
  await check('a page with three figures and a slider of its own (docs/embed.html)', async () => {
    const root = path.join(__dirname, '../..');
    assert.strictEqual(folder, path.join(root, 'build/web'), 'docs/embed.html looks there');
    const other = await serve(root), page = await browser.open(other.address + 'docs/embed.html');
    const loads = (count) => page.until(`document.getElementById('loads').textContent.replace(/\\D/g, '') === '${count}'`);
    await loads(65536);
    await page.run(`document.getElementById('pad').value = 1; document.getElementById('pad').dispatchEvent(new Event('input'))`);
    await loads(2048);  // one wavefront for each of the 2,048 loads
    assert.strictEqual(await page.run('document.getElementById("fault").textContent'), '');
    const stages = [];
    for (let i = 0; i < 3; ++i) {
      const frame = `document.querySelectorAll('iframe')[${i}]`;
      await page.run(`${frame}.scrollIntoView({block: 'center'})`);
      const state = await page.until(`(() => { const s = JSON.parse(${frame}.contentWindow.lanewiseWindow.ccall('lanewise_dump', 'string', [], [])); return s.picture && !s.busy && s; })()`);
      assert.strictEqual(state.error, '');
      stages.push(`${state.stage} ${state.tab}`);
      await pause(1);
      await page.shot(path.join(pictures, `embed-${i}.png`));
    }
    assert.deepStrictEqual(stages, ['transpose/30_padded banks', 'transpose/10_naive access', 'matmul/20_shared_tiles product']);
    await page.close();
    await other.stop();
  });
  await check('without WebGL 2 a sentence says what to do', async () => {
    const page = await open('', {before: 'HTMLCanvasElement.prototype.getContext = () => null;'});
    assert(/no WebGL 2/.test(await page.until(`(${kNotice}).includes('WebGL') && (${kNotice})`)));
    await page.shot(path.join(pictures, 'no-webgl.png'));
    await page.close();
  });
  for (const [fault, words] of [[404, /content\.gz.*the server says 404/], ['cut', /content\.gz came cut/]])
    await check(`a file that is ${fault === 404 ? 'missing' : 'cut'} is named`, async () => {
      const other = await serve(folder);
      other.broken.set('content.gz', fault);
      const page = await browser.open(other.address);
      assert(words.test(await page.until(`/start/.test(${kNotice}) && (${kNotice})`)));
      await page.close();
      await other.stop();
    });
  await check('after the first visit it works without a network', async () => {
    const other = await serve(folder);
    const page = await browser.open(other.address + '?stage=transpose/10_naive&rows=64&cols=64&view=access');
    await page.until(kSettled);
    await page.until('navigator.serviceWorker.ready.then(() => true)');
    await page.close();
    const first = await browser.open(other.address + '?stage=transpose/10_naive&rows=64&cols=64&view=access');
    await first.until(kSettled);  // through the service worker, which keeps the programs that are fetched
    await first.close();
    await other.stop();
    const again = await browser.open(other.address + '?stage=transpose/10_naive&rows=64&cols=64&view=access');
    await again.until(kSettled);
    await again.close();
  });
  return end(server, browser, `the page does what it says; pictures are in ${pictures}`);
}

main();
