// An assignment in the page: page_assignment_test.js WEB_FOLDER NATIVE_ENGINE [FOLDER_FOR_PICTURES]. Offered by a
// class's server, opened from a link and from a file that is dropped on the page, kept over a reload; and what is
// predicted there, on the teacher's board.
'use strict';
const fs = require('fs');
const os = require('os');
const path = require('path');
const {spawn, spawnSync} = require('child_process');
const {openBrowser} = require('./browser.js');
const {assert, begin, check, end, pause, press, settled, untilState} = require('./window_page.js');
const {folder, engine, pictures} = begin({wantsEngine: true});

const kAda = 'ada-ada-ada-ada-ada', kTeacher = 'teacher-teacher-teacher';
const kTitle = 'Week 2: shared memory';
const home = fs.mkdtempSync(path.join(os.tmpdir(), 'lanewise-assignment-'));
const file = path.join(home, 'week2.assignment');
fs.writeFileSync(path.join(home, 'tokens'), `ada ${kAda}\nmx ${kTeacher} teacher\n`, {mode: 0o600});
fs.writeFileSync(path.join(home, 'class.toml'), '[hand_in]\nassignment = "week2.assignment"\n');
fs.writeFileSync(file, `title = "${kTitle}"\ndue = "2099-12-01 23:59"\nhints = 0\n[[task]]\nstage = "30_padded"\npoints = 10\n` +
                           '[[task]]\nstage = "103_wrong_stride"\npoints = 10\n');

function startServer() {
  const child = spawn(engine, ['serve', '--http', '127.0.0.1:0', '--folder', path.join(home, 'kept'), '--page', folder, '--class', path.join(home, 'class.toml'),
    '--token-file', path.join(home, 'tokens')], {stdio: ['ignore', 'pipe', 'inherit'], env: {...process.env, LANEWISE_QUEUE_FOLDER: path.join(home, 'queue')}});
  return new Promise((done, fail) => {
    child.on('exit', (code) => fail(new Error(`the server ended with ${code}`)));
    child.stdout.on('data', (bytes) => {
      const found = /lanewise: (http:\/\/.*:\d+\/)/.exec(String(bytes));
      if (found) done({address: found[1], stop: () => child.kill('SIGTERM')});
    });
  });
}

// As it looks in a window of that size; then it has its own again.
async function sized(page, width, height, picture) {
  const call = (width, height) => page.call('Emulation.setDeviceMetricsOverride', {width, height, deviceScaleFactor: 1, mobile: false});
  await call(width, height);
  await pause(1);
  await page.drawn();
  await page.shot(path.join(pictures, picture));
  await call(1280, 800);
  await pause(1);
  await page.drawn();
}

async function main() {
  const browser = await openBrowser(), server = await startServer();
  const opened = (page) => untilState(page, `s.assignment && s.assignment.title === ${JSON.stringify(kTitle)}`);
  const kClass = '[...document.querySelectorAll("#class button")]';

  let page = null;
  await check('a class\'s server offers it, and it opens', async () => {
    page = await browser.open(`${server.address}?rows=64&cols=64#token=${kAda}`);
    await settled(page);
    await page.until(`${kClass}.find((one) => one.id === "class-assignment")`);
    await page.shot(path.join(pictures, 'assignment-offered.png'));
    await page.call('Emulation.setEmulatedMedia', {features: [{name: 'prefers-color-scheme', value: 'light'}]});
    await sized(page, 420, 640, 'assignment-offered-small.png');
    await page.call('Emulation.setEmulatedMedia', {features: []});
    await page.run(`document.getElementById("class-assignment").click()`);
    const now = await opened(page);
    assert.strictEqual(now.stage, 'transpose/30_padded');
    assert.deepStrictEqual(now.assignment.tasks, ['open', 'open']);
    await untilState(page, 's.widgets["assignment:go"]');
    await page.shot(path.join(pictures, 'assignment-page.png'));
    await sized(page, 420, 640, 'assignment-page-small.png');
    await press(page, 'assignment:go');
    await press(page, 'predict:32');  // which is wrong
    await untilState(page, 's.widgets["step:on"]');
  });

  await check('the teacher\'s board says what was predicted wrongly', async () => {
    let board = {predictions: []};
    for (let tries = 0; tries < 100 && board.predictions.length === 0; ++tries, await pause(0.1))  // once its analysis has come
      board = await (await fetch(`${server.address}board.json`, {headers: {Authorization: `Bearer ${kTeacher}`}})).json();
    assert.deepStrictEqual(board.predictions, [{stage: 'transpose/30_padded', answered: 1, right: 0, wrong: [{choice: '32', count: 1}]}]);
    await page.close();
  });

  await check('the next visit goes on with it, and so does a reload', async () => {
    const page = await browser.open(`${server.address}?rows=64&cols=64`);
    await settled(page);
    await opened(page);
    await page.reload();
    await pause(0.5);
    await settled(page);
    assert.deepStrictEqual((await opened(page)).assignment.tasks, ['open', 'open']);
    await page.close();
  });

  await check('its link opens it, in a page without a token', async () => {
    const link = spawnSync(engine, ['assignment', 'link', file, '--page', server.address]).stdout.toString().trim();
    const other = await openBrowser();
    const page = await other.open(link);
    await page.until('!document.getElementById("token").hidden');
    await page.run('document.getElementById("token-without").click()');
    await opened(page);
    await untilState(page, 's.widgets["predict:32"]');  // its question is asked, and not answered at once
    await page.shot(path.join(pictures, 'assignment-link.png'));
    await press(page, 'assignment:away');
    await untilState(page, 's.assignment === null');
    const text = fs.readFileSync(file, 'utf8');
    await page.run(`(() => {
      const files = new DataTransfer();
      files.items.add(new File([${JSON.stringify(text)}], 'week2.assignment'));
      document.dispatchEvent(new DragEvent('drop', {dataTransfer: files, bubbles: true, cancelable: true}));
    })()`);
    await opened(page);
    await page.close();
    await other.close();
  });
  await end(server, browser, `pictures in ${pictures}`);
}

main();
