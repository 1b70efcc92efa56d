// A page that a server's engine answers: page_server_test.js WEB_FOLDER NATIVE_ENGINE [FOLDER_FOR_PICTURES]. The
// form for the token by keys, an edit that the server compiles, a server that is killed and started again with the
// edit kept, one that stays away, and a page without the server.
'use strict';
const fs = require('fs');
const os = require('os');
const path = require('path');
const {spawn} = require('child_process');
const {openBrowser} = require('./browser.js');
const {assert, begin, check, end, kBar, pause, settled, state, untilState} = require('./window_page.js');
const {folder, engine, pictures} = begin({wantsEngine: true});

const kToken = 'ada-ada-ada-ada-ada';
const kForm = 'document.getElementById("token").hidden ? "" : document.getElementById("token-text").textContent';

const home = fs.mkdtempSync(path.join(os.tmpdir(), 'lanewise-server-'));
fs.writeFileSync(path.join(home, 'tokens'), `ada ${kToken}\n`, {mode: 0o600});

// At this port, or at one that is free. Its address is in .address.
function startServer(port = 0) {
  const child = spawn(engine, ['serve', '--http', `127.0.0.1:${port}`, '--folder', path.join(home, 'kept'), '--page', folder,
    '--token-file', path.join(home, 'tokens')], {stdio: ['ignore', 'pipe', 'pipe'], env: {...process.env, LANEWISE_QUEUE_FOLDER: path.join(home, 'queue')}});
  let said = '';
  child.stderr.on('data', (bytes) => { said += bytes; });
  return new Promise((done, fail) => {
    child.on('exit', (code) => fail(new Error(`the server ended with ${code}: ${said}`)));
    child.stdout.on('data', (bytes) => {
      const found = /lanewise: (http:\/\/.*:(\d+)\/)/.exec(String(bytes));
      if (!found) return;
      done({address: found[1], port: Number(found[2]), kill: () => new Promise((dead) => { child.on('exit', dead); child.kill('SIGKILL'); })});
    });
  });
}

async function typeInto(page, words) {
  await page.key('e', {ctrl: true});
  await untilState(page, 's.editing');
  await pause(0.5);
  await page.type(words);
}
// The text stays where it is typed, whatever comes: the kernel's source, as the editor has it.
const typed = async (page) => (await state(page)).typed;

async function main() {
  const browser = await openBrowser();
  let server = await startServer();
  const kPlace = '?stage=transpose/20_tiled&view=access&rows=64&cols=64&mode=workbench';
  let page = null;

  await check('the form asks for a token until it is known', async () => {
    page = await browser.open(server.address + kPlace);
    assert(/wants a token. Your teacher has one/.test(await page.until(kForm)));
    await page.shot(path.join(pictures, 'token-form.png'));
    await page.type('short');
    await page.key('Enter');
    assert(/16 characters or more/.test(await page.until(`(${kForm}).includes("16") && (${kForm})`)));
    await page.type('wrong-wrong-wrong-wrong');
    await page.key('Enter');
    assert(/not known here/.test(await page.until(`(${kForm}).includes("known") && (${kForm})`)));
    await page.shot(path.join(pictures, 'token-wrong.png'));
    await page.type(kToken);
    await page.key('Enter');
    // Until the server's engine has greeted, nothing is busy.
    const now = await untilState(page, 's.picture && !s.busy && s.compiler && s.compiler !== "shipped programs"');
    assert.strictEqual(await page.run(kForm), '');
    return now.compiler;
  });
  await check('the server compiles an edit', async () => {
    await typeInto(page, '/* mine */');
    const now = await untilState(page, 's.edited && s.analysis && !s.busy && !s.error');
    assert(/\/\* mine \*\//.test(now.typed));
    await page.shot(path.join(pictures, 'server-edit.png'));
  });
  await check('a server that was killed is found again, with what was typed meanwhile', async () => {
    const {port} = server;
    await server.kill();
    await pause(0.5);
    await page.type('/* away */');
    await pause(1);
    await page.shot(path.join(pictures, 'server-away.png'));
    server = await startServer(port);
    const now = await untilState(page, 's.edited && s.analysis && !s.busy && !s.error');
    assert(/\/\* mine \*\/\/\* away \*\//.test(now.typed), now.typed);
    await page.type('/* back */');
    await untilState(page, 's.typed.includes("/* back */") && s.analysis && !s.busy && !s.error');
  });
  await check('the token is known after a reload, and the edit is there', async () => {
    await page.reload();
    await pause(0.5);
    const now = await settled(page);
    assert(now.edited && (await page.run(kForm)) === '');
    await page.key('e', {ctrl: true});
    await untilState(page, 's.editing');
    assert(/mine.*away.*back/.test(await typed(page)));
  });
  await check('where the server stays away, the page goes on by itself', async () => {
    // All of the course is kept by then (offline.js), as nobody can be asked for it any more.
    const programs = JSON.parse(fs.readFileSync(path.join(folder, 'files.json'), 'utf8')).files.filter((file) => file.name.startsWith('assets/programs/'));
    await page.until(`caches.keys().then((names) => caches.open(names[0])).then((it) => it.keys()).then((all) => all.filter((one) => one.url.includes('/assets/programs/')).length === ${programs.length})`);
    await server.kill();
    await page.key('e', {ctrl: true});
    await untilState(page, '!s.editing');
    await page.key('n');
    const now = await untilState(page, 's.stage !== "transpose/20_tiled" && s.picture && !s.busy && !s.error');
    const said = [now.toast, ...now.notices].join(' | ');
    assert(!now.uncompiled, now.uncompiled);
    assert(/cannot be reached. The page computes by itself now/.test(await page.until(kBar)));
    await page.shot(path.join(pictures, 'server-gone.png'));
    await page.close();
    return `${now.stage}, ${now.compiler}; ${said}`;
  });
  await check('without the server the page is its own engine', async () => {
    server = await startServer();
    const other = await browser.open(server.address + kPlace);
    await other.until(kForm);
    await other.run('document.getElementById("token-without").click()');
    const now = await settled(other);
    assert.strictEqual(now.error, '');
    await other.close();
    return now.compiler;
  });
  await check('an address brings its token along, and loses it', async () => {
    const other = await browser.open(`${server.address}${kPlace}#token=${kToken}`);
    await settled(other);
    assert(!(await other.run('location.href')).includes('token'));
    await other.close();
    await server.kill();
  });
  fs.rmSync(home, {recursive: true, force: true});
  return end({stop() {}}, browser, `the page and its server find each other; pictures are in ${pictures}`);
}

main();
