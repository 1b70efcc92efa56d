// What the tests of the window in a page have in common: waiting for a state, finding what has a name, and
// what a person does with it.
'use strict';
const assert = require('assert');
const fs = require('fs');
const os = require('os');
const path = require('path');
const {findBrowser, pause} = require('./browser.js');
const {withWebSocket} = require('./web_socket.js');

const kState = 'JSON.parse(lanewiseWindow.ccall("lanewise_dump", "string", [], []))';
const kDrawn = `(() => { const s = ${kState}; return s.picture && s; })()`;
// With what comes behind the first picture.
const kSettled = `(() => { const s = ${kState}; return s.picture && !s.busy && lanewiseWindow.page.whole && s; })()`;
const kNotice = 'document.getElementById("notice").hidden ? "" : document.getElementById("notice-text").textContent';
const kBar = 'document.getElementById("bar").hidden ? "" : document.getElementById("bar").firstChild.textContent';

// What a script of these is given: WEB_FOLDER [NATIVE_ENGINE] [FOLDER_FOR_PICTURES].
function begin({wantsEngine = false} = {}) {
  const hasSockets = withWebSocket();
  const words = process.argv.slice(2), folder = words.shift(), engine = wantsEngine ? words.shift() : '', given = words[0];
  for (const [what, is] of [['./lanewise web has not been run', fs.existsSync(folder + '/window-program.js')], ['there is no Chromium', findBrowser()],
                            ['this node has no WebSocket: install node-ws', hasSockets],
                            ['lanewise-engine is not built', !wantsEngine || fs.existsSync(engine)]])
    if (!is) {
      console.log(`skipped: ${what}`);
      process.exit(77);
    }
  const pictures = given || fs.mkdtempSync(path.join(os.tmpdir(), 'lanewise-pictures-'));
  fs.mkdirSync(pictures, {recursive: true});
  return {folder: path.resolve(folder), engine, pictures};
}

let failed = 0;
// LANEWISE_CHECKS=WORDS runs those alone whose names have these words.
async function check(name, test) {
  if (!name.includes(process.env.LANEWISE_CHECKS || '')) return;
  const begun = Date.now();
  try {
    const said = await test();
    console.log(`ok      ${name}${said ? `: ${said}` : ''} (${((Date.now() - begun) / 1000).toFixed(1)} s)`);
  } catch (error) {
    failed++;
    console.log(`FAILED  ${name}\n        ${error.stack.split('\n').slice(0, 4).join('\n        ')}`);
  }
}

async function end(server, browser, said) {
  await browser.close();
  await server.stop();
  console.log(failed ? `${failed} failed` : said);
  process.exit(failed ? 1 : 0);
}

const state = (page) => page.run(kState);
const settled = (page, seconds) => page.until(kSettled, seconds);
const untilState = (page, condition, seconds) =>
    page.until(`(() => { const s = ${kState}; return (${condition}) && s; })()`, seconds);

// The middle of a widget, in pixels of the page.
async function middle(page, id) {
  const box = await page.until(`(() => { const s = ${kState}; return s.widgets[${JSON.stringify(id)}]; })()`);
  const [density, top] = await page.run('[devicePixelRatio, document.getElementById("canvas").getBoundingClientRect().top]');  // a class's bar is above it
  return [(box[0] + box[2]) / 2 / density, top + (box[1] + box[3]) / 2 / density];
}
const press = async (page, id) => page.click(...await middle(page, id));

// What the window has written of itself: its progress, as window.json has it.
const saved = (page) => page.run(`JSON.parse(new TextDecoder().decode(lanewiseWindow.FS.readFile('/state/lanewise/window.json')))`);

module.exports = {assert, begin, check, end, kBar, kDrawn, kNotice, kSettled, kState, middle, pause, press, saved, settled, state, untilState};
