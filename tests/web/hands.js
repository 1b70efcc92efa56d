// How a scripted learner presses what has a name in the window: by a mouse, by a finger, by keys alone.
//   await mouse.press(page, id)      it is scrolled into sight, and has to stand still first
// A page here also has `density`, its pixels per pixel of the browser.
'use strict';
const {pause, state} = require('./window_page.js');

// Where the last frame drew `id`: {box, sight}, each [x0, y0, x1, y1] in pixels of the page, and whether it is
// enabled; null where it did not.
async function placeNow(page, id) {
  const at = JSON.parse(await page.run(`lanewiseWindow.ccall('lanewise_place', 'string', ['string'], [${JSON.stringify(id)}])`));
  if (!at.length) return null;
  const pixels = at.slice(0, 8).map((each) => each / page.density);
  return {box: pixels.slice(0, 4), sight: pixels.slice(4), enabled: at[8] === 1};
}
async function place(page, id) {
  for (let tries = 0; tries < 100; ++tries, await pause(0.1)) {
    const at = await placeNow(page, id);
    if (at) return at;
  }
  throw new Error(`there is no ${id}; the page has ${Object.keys((await state(page)).widgets).filter((each) => each.split(':')[0] === id.split(':')[0])}`);
}
// Until two looks, with two frames in between, find it at the same place.
async function still(page, id) {
  let before = await place(page, id);
  for (let tries = 0; tries < 100; ++tries) {
    await page.drawn();
    const now = await place(page, id);
    if (String(now.box) === String(before.box)) return now;
    before = now;
  }
  throw new Error(`${id} does not stand still`);
}
// Its middle, scrolled into sight by `scroll`(x, y, pixels down).
async function reach(page, id, scroll) {
  for (let tries = 0; tries < 40; ++tries) {
    const {box: [x0, y0, x1, y1], sight: [left, top, right, bottom]} = await still(page, id);
    const x = (x0 + x1) / 2, y = (y0 + y1) / 2;
    if (y > top + 2 && y < bottom - 2 && x > left && x < right) return [x, y];
    const off = y - (top + bottom) / 2;
    await scroll((left + right) / 2, (top + bottom) / 2, Math.sign(off) * Math.min(Math.abs(off) * 1.2, 300));
    await pause(0.2);
  }
  throw new Error(`${id} cannot be scrolled into sight`);
}

const mouse = {
  name: 'mouse',
  async press(page, id) {
    // As a person does: the hand goes there, and presses if it still lies there.
    for (let tries = 0; tries < 10; ++tries) {
      const at = await reach(page, id, (x, y, down) => page.wheel(x, y, down));
      await page.point(...at);
      const {box: [x0, y0, x1, y1]} = await still(page, id);
      if (at[0] < x0 || at[0] > x1 || at[1] < y0 || at[1] > y1) continue;
      await page.click(...at);
      return page.drawn();
    }
    throw new Error(`${id} moves away from the mouse`);
  },
};

const fingers = {
  name: 'fingers',
  async press(page, id) {
    await page.tap(...await reach(page, id, (x, y, down) => page.fingers([0, 1].map((side) =>
        [0, 1, 2, 3, 4, 5].map((step) => [x - 20 + 40 * side, y + down / 2 - down * step / 5])))));
    await pause(0.2);  // a tap is four frames: the pointer comes, and goes down, and up
    await page.drawn();
    await page.drawn();
  },
};

// With F6 from column to column, with the arrows from item to item, as the eye sees the way.
const keys = {
  name: 'keys',
  async press(page, id) {
    const been = new Map();  // how often, by box
    let last = '';
    for (let tries = 0; tries < 80; ++tries) {
      const at = (await still(page, id)).box, {focus} = await state(page);
      if (focus && focus.id === id) {
        await page.key('Enter');
        return page.drawn();
      }
      last = String(focus && focus.box);
      const times = been.get(last) || 0;
      been.set(last, times + 1);
      if (!focus || times > 4) {
        await page.key('F6');
        if (!(await state(page)).focus) await page.key('ArrowDown');  // it is seen after the first of them
        been.clear();
        continue;
      }
      const from = focus.box.map((each) => each / page.density);
      const right = (at[0] + at[2] - from[0] - from[2]) / 2, down = (at[1] + at[3] - from[1] - from[3]) / 2;
      // What lies aside more than below is not below for the arrows; where they come back to, the other way.
      const steep = Math.abs(down) > Math.abs(right), upright = Math.abs(down) > 6 && steep === (times % 2 === 0);
      await page.key(upright ? (down > 0 ? 'ArrowDown' : 'ArrowUp') : (right > 0 ? 'ArrowRight' : 'ArrowLeft'));
    }
    throw new Error(`the keys do not come to ${id}; they are at ${last}`);
  },
};

// By the palette, as all commands can be: `words` find it, and the arrows choose it among what was found.
async function command(page, words, id) {
  await page.key('p', {ctrl: true, shift: true});
  await page.until(`Object.keys(JSON.parse(lanewiseWindow.ccall("lanewise_dump", "string", [], [])).widgets).some((each) => each.startsWith('command:'))`, 30);
  await page.type(words);
  const {widgets} = await state(page);
  const rows = Object.keys(widgets).filter((each) => each.startsWith('command:')).sort((a, b) => widgets[a][1] - widgets[b][1]);
  const row = rows.indexOf(`command:${id}`);
  if (row < 0) throw new Error(`"${words}" does not find ${id}, but ${rows}`);
  for (let i = 0; i < row; ++i) await page.key('ArrowDown');
  await page.key('Enter');
  await page.drawn();
}

module.exports = {command, fingers, keys, mouse, place, placeNow};
