// A class's session where the server has a card: page_card_test.js WEB_FOLDER NATIVE_ENGINE [FOLDER_FOR_PICTURES].
// Two students' pages: a stage is compiled, interpreted and run on the server's card, once more after an edit, by both
// at once in the card's queue; and when one runs a kernel that does not end, the other still has the card.
'use strict';
const fs = require('fs');
const os = require('os');
const path = require('path');
const {spawn, execFileSync} = require('child_process');
const {openBrowser} = require('./browser.js');
const {assert, begin, check, end, pause, settled, state, untilState} = require('./window_page.js');
const {folder, engine, pictures} = begin({wantsEngine: true});

const card = JSON.parse(execFileSync(engine, ['doctor', '--json'])).find((row) => row.name === 'GPU');
if (!card.ok) {
  console.log('skipped: there is no card here');
  process.exit(77);
}

const kTokens = {ada: 'ada-ada-ada-ada-ada', bert: 'bert-bert-bert-bert'};
const home = fs.mkdtempSync(path.join(os.tmpdir(), 'lanewise-card-'));
fs.writeFileSync(path.join(home, 'tokens'), Object.entries(kTokens).map(([name, token]) => `${name} ${token}\n`).join(''), {mode: 0o600});

function startServer() {
  const child = spawn(engine, ['serve', '--http', '127.0.0.1:0', '--folder', path.join(home, 'kept'), '--page', folder,
    '--token-file', path.join(home, 'tokens')], {stdio: ['ignore', 'pipe', 'pipe'], env: {...process.env, LANEWISE_QUEUE_FOLDER: path.join(home, 'queue')}});
  let said = '';
  child.stderr.on('data', (bytes) => { said += bytes; });
  return new Promise((done, fail) => {
    child.on('exit', (code) => fail(new Error(`the server ended with ${code}: ${said}`)));
    child.stdout.on('data', (bytes) => {
      const found = /lanewise: (http:\/\/.*:\d+\/)/.exec(String(bytes));
      if (found) done({address: found[1], kill: () => new Promise((dead) => { child.removeAllListeners('exit'); child.on('exit', dead); child.kill('SIGKILL'); })});
    });
  });
}

// The runs of this page's history: what was timed, on which card, newest last.
const kRuns = `(() => { try { return JSON.parse(new TextDecoder().decode(lanewiseWindow.FS.readFile('/state/lanewise/history.json'))).runs || []; } catch { return []; } })()`;
const timed = async (page) => (await page.run(kRuns)).filter((run) => run.time && !run.time.recorded)
    .map(({title, correct, time}) => ({title, correct, card: time.card, us: time.median_us, gb_per_s: time.gb_per_s}));
const idle = (page) => untilState(page, 's.analysis && !s.busy && !s.error');

// Runs what is shown, and answers with what came of it.
async function run(page, words) {
  await idle(page);
  const before = (await timed(page)).length;
  await page.front();
  await page.key('r');
  for (const last = Date.now() + 60000; (await timed(page)).length === before; await pause(0.1))
    if (Date.now() > last) {
      const now = await state(page);
      throw new Error(`no measurement of ${words} within a minute: ${now.error || now.toast || now.notices.join(' | ')}`);
    }
  await idle(page);
  return (await timed(page)).pop();
}
const inWords = (one) => `${one.title}: ${one.us.toFixed(1)} µs, ${one.gb_per_s.toFixed(0)} GB/s on ${one.card}`;

async function main() {
  const browser = await openBrowser();
  const server = await startServer();
  const open = (name, stage, more = '') =>
      browser.open(`${server.address}?stage=${stage}&view=access&rows=4096&cols=4096&mode=workbench${more}#token=${kTokens[name]}`);
  let ada = null, bert = null, plain = null;

  await check('a page runs a stage on the card of its server', async () => {
    ada = await open('ada', 'transpose/10_naive');
    const now = await settled(ada);
    assert(now.compiler && now.compiler !== 'shipped programs', now.compiler);
    plain = await run(ada, 'the naive transpose');
    assert(plain.correct, 'its result is wrong');
    assert(plain.card && card.found.includes(plain.card), `${plain.card} is not of ${card.found}`);
    await ada.shot(path.join(pictures, 'card-naive.png'));
    return inWords(plain);
  });
  await check('the padded one is faster by what the course says', async () => {
    await ada.close();
    ada = await open('ada', 'transpose/30_padded');
    await settled(ada);
    const padded = await run(ada, 'the padded transpose');
    assert(padded.correct);
    assert(padded.gb_per_s > 2 * plain.gb_per_s, `${inWords(padded)} beside ${inWords(plain)}`);
    await ada.shot(path.join(pictures, 'card-padded.png'));
    return inWords(padded);
  });
  await check('an edit is compiled, interpreted and run there', async () => {
    await ada.key('e', {ctrl: true});
    await untilState(ada, 's.editing');
    await pause(0.5);
    await ada.type('/* mine */');
    await untilState(ada, 's.edited && s.typed.includes("/* mine */") && s.analysis && !s.busy && !s.error');
    await ada.key('e', {ctrl: true});
    await untilState(ada, '!s.editing');
    const mine = await run(ada, 'the edit');
    assert(mine.correct);
    await ada.shot(path.join(pictures, 'card-edit.png'));
    return inWords(mine);
  });
  await check('two students run at once, and both get their own result', async () => {
    bert = await open('bert', 'transpose/20_tiled');
    await settled(bert);
    await idle(bert);
    const counts = [(await timed(ada)).length, (await timed(bert)).length];
    await ada.front();
    await ada.key('r');
    await bert.front();
    await bert.key('r');
    for (const [page, before] of [[ada, counts[0]], [bert, counts[1]]]) {
      await page.front();
      for (const last = Date.now() + 60000; (await timed(page)).length === before; await pause(0.1))
        assert(Date.now() < last, 'one of the two got nothing within a minute');
    }
    const both = [(await timed(ada)).pop(), (await timed(bert)).pop()];
    assert(both[0].correct && both[1].correct);
    assert(both[0].title !== both[1].title);
    await bert.shot(path.join(pictures, 'card-second-student.png'));
    return both.map(inWords).join('; ');
  });
  await check('a kernel that does not end is stopped, and the card is there for the others', async () => {
    await ada.front();
    await ada.key('e', {ctrl: true});
    await untilState(ada, 's.editing');
    await pause(0.5);
    await ada.key('Home');
    // Before what it stores, which it then does for ever; the machine finds that.
    await ada.type('for (volatile int i = 0; i < 1; i = 0)');
    await ada.key('Enter');
    await untilState(ada, 's.typed.includes("i < 1; i = 0)")');
    await pause(1);
    await untilState(ada, 's.analysis && !s.busy');
    await ada.shot(path.join(pictures, 'card-endless-found.png'));
    await ada.key('e', {ctrl: true});
    await untilState(ada, '!s.editing');
    await ada.key('r');
    const after = await run(bert, 'the other student');
    assert(after.correct);
    await ada.front();
    const stopped = await untilState(ada, '!s.busy');
    await pause(0.5);
    await ada.shot(path.join(pictures, 'card-endless.png'));
    const said = [stopped.error, stopped.toast, ...stopped.notices].filter(Boolean).join(' ').split('\n')[0];
    return `${said || 'see card-endless.png'}; then ${inWords(after)}`;
  });
  await ada?.close();
  await bert?.close();
  await server.kill();
  fs.rmSync(home, {recursive: true, force: true});
  return end({stop() {}}, browser, `pages run on the card; pictures are in ${pictures}`);
}

main();
