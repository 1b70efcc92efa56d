// A class in a browser without a screen: class_live.js ADDRESS ADA BERT TEACHER [FOLDER_FOR_PICTURES].
// Two students' pages with class.js, whose window is a stub (http_test.py), and the teacher's board. Exit status 77:
// there is no Chromium.
'use strict';
const assert = require('assert');
const path = require('path');
const {openBrowser, findBrowser} = require('../web/browser.js');
const {withWebSocket} = require('../web/web_socket.js');

const [address, ada, bert, teacher, pictures] = process.argv.slice(2);
if (!findBrowser() || !withWebSocket()) {
  console.log('skipped: there is no Chromium, or this node has no WebSocket: install node-ws');
  process.exit(77);
}
const kPatience = 240;  // seconds: the machine may be busy
const barText = 'document.getElementById("class").innerText';
const choice = (i) => `document.getElementById("class-choice-${i}")`;

async function main() {
  const browser = await openBrowser();
  const shot = async (page, name) => pictures && page.shot(path.join(pictures, name));
  const light = (page, on) => page.call('Emulation.setEmulatedMedia', {features: [{name: 'prefers-color-scheme', value: on ? 'light' : 'dark'}]});
  const student = async (token, size) => {
    const page = await browser.open(`${address}#token=${token}`, size);
    await page.until('window.isOpen', kPatience);
    return page;
  };
  const first = await student(ada, {width: 1000, height: 600}), second = await student(bert, {width: 420, height: 640});
  const board = await browser.open('about:blank', {width: 1000, height: 800});
  await board.call('Network.enable');
  await board.call('Network.setExtraHTTPHeaders', {headers: {Authorization: `Bearer ${teacher}`}});
  await board.call('Page.navigate', {url: `${address}board`});
  await board.until('document.getElementById("poll").innerText.includes("No question is asked")', kPatience);
  assert.strictEqual(await first.run('document.getElementById("class").hidden'), true);

  // A stage that there is not: a sentence. Then its lesson's question.
  const ask = (stage) => board.run(`(() => { const form = document.getElementById("ask-stage"); form.stage.value = "${stage}"; form.requestSubmit(); return true; })()`);
  await ask('30_paded');
  await board.until('document.getElementById("said").innerText.includes("30_padded")', kPatience);
  await ask('30_padded');
  for (const page of [first, second]) await page.until(`${choice(1)} && ${choice(1)}.innerText.startsWith("B")`, kPatience);
  await shot(first, 'class-open.png');
  await board.until('document.querySelectorAll("#poll .bar").length > 1', kPatience);

  // A key on a choice votes, and the window does not hear it; the other one taps, and changes its mind.
  await first.run(`${choice(1)}.focus()`);
  for (const type of ['keyDown', 'keyUp'])
    await first.call('Input.dispatchKeyEvent', {type, key: 'Enter', code: 'Enter', windowsVirtualKeyCode: 13, text: type === 'keyDown' ? '\r' : ''});
  await first.until(`${choice(1)}.getAttribute("aria-pressed") === "true"`, kPatience);
  assert.strictEqual(await first.run('window.keysHeard'), 0);
  assert.strictEqual(await first.run('document.activeElement.id'), 'class-choice-1');
  await second.run(`${choice(0)}.click()`);
  await second.until(`${choice(0)}.getAttribute("aria-pressed") === "true"`, kPatience);
  await second.run(`${choice(1)}.click()`);
  await second.until(`${choice(1)}.getAttribute("aria-pressed") === "true" && ${choice(0)}.getAttribute("aria-pressed") === "false"`, kPatience);
  await board.until('document.getElementById("poll").innerText.includes("2 votes, open")', kPatience);
  assert.ok(!(await first.run(barText)).includes('·'), 'votes are shown before the reveal');
  await shot(board, 'board-open.png');
  assert.ok(!(await board.run('document.getElementById("poll").innerText')).includes('ada'));

  // The canvas begins below the bar, and is lower by as much.
  const [bar, canvas] = await first.run('["class", "canvas"].map((id) => { const box = document.getElementById(id).getBoundingClientRect(); return [box.top, box.bottom]; })');
  assert.ok(bar[0] === 0 && Math.abs(canvas[0] - bar[1]) <= 1 && Math.abs(canvas[1] - 600) <= 1, JSON.stringify([bar, canvas]));

  await board.run('[...document.querySelectorAll("#poll .bar button")][1].click()');
  await first.until(`${choice(1)}.innerText.includes("2 votes · right") && ${choice(1)}.disabled`, kPatience);
  assert.match(await first.run(barText), /You voted B\./);
  await shot(first, 'class-revealed.png');
  await light(second, true);
  await shot(second, 'class-revealed-light-small.png');

  // What the window saves is offered, and handed in.
  await first.run('window.bar.offer("mine.lanewise", JSON.stringify({lanewise_workspace: 1, edits: {}, state: ""}))');
  await first.run('document.getElementById("class-hand-in").click()');
  await first.until(`${barText}.includes("Handed in.")`, kPatience);
  await board.until('document.getElementById("hand-ins").innerText.includes("ada")', kPatience);
  await shot(first, 'class-handed-in.png');
  await light(board, true);
  await shot(board, 'board-light.png');
  await board.run('[...document.querySelectorAll("#poll p button")].find((one) => one.textContent === "Put it away").click()');
  await first.until(`!${choice(0)}`, kPatience);
  for (const [name, page] of [['ada', first], ['bert', second], ['board', board]])
    assert.deepStrictEqual(page.said, [], `${name}'s page said`);
  await browser.close();
  console.log('fine');
}

main().then(() => process.exit(0), (error) => {
  console.log(`FAILED  ${error.stack}`);
  process.exit(1);
});
