// A scripted learner goes up the ladder in a real page: learner_test.js WEB_FOLDER [PICTURES] [STAGES] [HANDS]. By the
// mouse in Learn: predict, look at every view, turn a knob and take it back, fail the task as the stage comes,
// solve it as the lesson says, go on. By keys alone, and by fingers on a tablet, the same with what they have.
//   STAGES: how many of the ladder's (default: 3)      HANDS: of mouse,keys,fingers (default: all)
'use strict';
const path = require('path');
const {spawnSync} = require('child_process');
const {serve, openBrowser} = require('./browser.js');
const {assert, begin, check, end, kState, pause, saved, settled, state, untilState} = require('./window_page.js');

const {folder, pictures} = begin();
const count = Number(process.argv[4] || 3), hands = (process.argv[5] || 'mouse,keys,fingers').split(',');

// What the lessons ask, as their heads have it: {stage: {choices, solution, source}}.
function lessons() {
  const root = path.join(__dirname, '../..');
  const script = `
import json, pathlib, sys, tomllib
root = pathlib.Path(sys.argv[1])
found = {}
for file in root.glob("lessons/*/*.md"):
    head = tomllib.loads(file.read_text().split("+++")[1])
    stage = f"{file.parent.name}/{file.stem}"
    source = root / "kernels" / f"{stage}.cu"
    found[stage] = {"choices": head["predict"]["choices"], "solution": head.get("gate", {}).get("solution", []),
                    "source": source.read_text() if source.is_file() else ""}
print(json.dumps(found))`;
  const run = spawnSync('python3', ['-c', script, root], {encoding: 'utf8', maxBuffer: 1 << 26});
  if (run.status !== 0) throw new Error(run.stderr);
  return JSON.parse(run.stdout);
}
const kLessons = lessons();

async function place(page, id) {
  for (let tries = 0; tries < 100; ++tries) {
    const at = JSON.parse(await page.run(`lanewiseWindow.ccall('lanewise_place', 'string', ['string'], [${JSON.stringify(id)}])`));
    if (at.length) return at.map((each) => each / page.density);
    await pause(0.1);
  }
  throw new Error(`there is no ${id}; the page has ${Object.keys((await state(page)).widgets).filter((each) => each.split(':')[0] === id.split(':')[0])}`);
}
// The middle of what has this name, scrolled into sight by `scroll`(x, y, pixels down).
async function reach(page, id, scroll) {
  for (let tries = 0; tries < 40; ++tries) {
    const [x0, y0, x1, y1, left, top, right, bottom] = await place(page, id);
    const x = (x0 + x1) / 2, y = (y0 + y1) / 2;
    if (y > top + 2 && y < bottom - 2 && x > left && x < right) return [x, y];
    const off = y - (top + bottom) / 2;
    await scroll((left + right) / 2, (top + bottom) / 2, Math.sign(off) * Math.min(Math.abs(off) * 1.2, 300));
    await pause(0.25);
  }
  throw new Error(`${id} cannot be scrolled into sight`);
}
const mouse = {
  async press(page, id) { await page.click(...await reach(page, id, (x, y, down) => page.wheel(x, y, down))); await pause(0.15); },
};
const fingers = {
  async press(page, id) {
    await page.tap(...await reach(page, id, (x, y, down) => page.fingers([0, 1].map((side) =>
        [0, 1, 2, 3, 4, 5].map((step) => [x - 20 + 40 * side, y + down / 2 - down * step / 5])))));
    await pause(0.35);
  },
};

const has = async (page, id) => id in (await state(page)).widgets;
const untilSaved = async (page, stage, condition, what) => {
  for (let tries = 0; tries < 200; ++tries, await pause(0.1)) {
    const progress = ((await saved(page).catch(() => null)) || {progress: {}}).progress[stage];  // at first there is no file
    if (progress && condition(progress)) return;
  }
  throw new Error(`${stage}: ${what} is not in the window's file; the page says ${(await state(page)).error}`);
};

async function predict(page, hand, stage) {
  if (await has(page, 'step:predict')) await hand.press(page, 'step:predict');
  await hand.press(page, 'confidence:Likely');
  const guess = kLessons[stage].choices.at(-1);
  await hand.press(page, `predict:${guess}`);
  await untilSaved(page, stage, (it) => it.guess === guess, 'the prediction');
}
async function lookAtViews(page, views) {
  for (const [key, view] of views) {
    await page.key(key);
    await untilState(page, `s.tab === ${JSON.stringify(view)}`);
  }
  await page.key('1');
  await untilState(page, 's.tab === "access"');
}
const kViews = [['2', 'banks'], ['3', 'code'], ['1', 'access']];

// A frame may take long, and what lies under the hand may have moved by then: as a person does, it looks, and
// presses again.
async function pressUntil(page, hand, id, condition, tries = 3) {
  for (let i = 1;; ++i) {
    await hand.press(page, id);
    try {
      return await untilState(page, condition, i < tries ? 15 : 30);
    } catch (error) {
      if (i === tries) throw error;
    }
  }
}
async function openSetting(page, hand) {
  if (!(await has(page, 'coach:back'))) await pressUntil(page, hand, 'setting', 's.widgets["coach:back"]');
}
async function closeSetting(page, hand) {
  if (await has(page, 'coach:back')) await pressUntil(page, hand, 'coach:back', '!s.widgets["coach:back"]');
}
async function setKnob(page, hand, setting) {
  const [name, value] = setting.split('=');
  await pressUntil(page, hand, `knob:${setting}`, `s.knobs[${JSON.stringify(name)}] === ${value}`);
}
// The first value that is another one, and back.
async function turnKnob(page, hand) {
  const now = await state(page);
  for (const [name, value] of Object.entries(now.knobs)) {
    await openSetting(page, hand);
    const other = Object.keys((await state(page)).widgets).find((id) => id.startsWith(`knob:${name}=`) && id !== `knob:${name}=${value}`);
    if (!other) continue;
    await hand.press(page, other);
    const turned = await untilState(page, `s.knobs[${JSON.stringify(name)}] !== ${value}`, 8).catch(() => null);
    if (!turned) continue;  // one that does not go with the others
    const after = await settled(page);
    assert.strictEqual(after.error, '');
    await page.key('z', {ctrl: true});
    await untilState(page, `s.knobs[${JSON.stringify(name)}] === ${value} && !s.busy`);
    break;
  }
  await closeSetting(page, hand);
}

async function judge(page, hand) {
  await hand.press(page, 'step:prove');
  await hand.press(page, 'gate:judge');
  await pause(0.3);
  await settled(page);
}
async function solve(page, hand, stage) {
  const {solution, source} = kLessons[stage];
  await judge(page, hand);
  assert(!(await saved(page)).progress[stage].passed, `${stage} passed as it came`);
  let text = source;
  await openSetting(page, hand);
  for (const step of solution) {
    if (step.type) await pressUntil(page, hand, `type:${step.type}`, `lanewiseWindow.page.link.includes("type=${step.type}")`);
    for (const each of step.set || []) await setKnob(page, hand, each);
    if (step.find) {
      assert(text.includes(step.find), step.find);
      text = text.replace(step.find, () => step.replace);
    }
  }
  await closeSetting(page, hand);
  if (text !== source) await writeAll(page, text);
  await settled(page);
  await judge(page, hand);
  await untilSaved(page, stage, (it) => it.passed, 'that the task is solved');
}
// The editor's whole text is another one, by keys.
async function writeAll(page, text) {
  await page.key('e', {ctrl: true});
  await untilState(page, 's.editing');
  await pause(0.4);
  await page.key('a', {ctrl: true});
  await page.paste(text);
  await untilState(page, `s.typed === ${JSON.stringify(text)}`);
  await pause(0.3);
  await settled(page);
  await page.key('e', {ctrl: true});
  await untilState(page, '!s.editing');
}

// By the palette, as all commands can be.
async function command(page, words) {
  await page.key('p', {ctrl: true, shift: true});
  await pause(0.4);
  await page.type(words);
  await pause(0.2);
  await page.key('Enter');
  await pause(0.3);
}

async function walk(page, each) {
  for (let at = 0; at < count; ++at) {
    const {stage} = await settled(page);
    await check(`    ${stage}`, () => each(stage));
    await page.shot(path.join(pictures, `${page.hand}-${stage.replace('/', '-')}.png`));
    await page.key('n');
    await untilState(page, `s.stage !== ${JSON.stringify(stage)} && s.picture && !s.busy`);
  }
}

async function main() {
  const browser = await openBrowser(), servers = [];
  // Each has an address of its own, which keeps nothing of the others' progress.
  const open = async (hand, rest, options) => {
    const server = await serve(folder);
    servers.push(server);
    const page = await browser.open(server.address + rest, options);
    Object.assign(page, {hand, density: (options && options.density) || 1});
    await settled(page);
    return page;
  };
  const kBegin = '?stage=transpose/00_copy&rows=128&cols=128&mode=learn';

  if (hands.includes('mouse'))
    await check('by the mouse', async () => {
      const page = await open('mouse', kBegin);
      await walk(page, async (stage) => {
        await predict(page, mouse, stage);
        await lookAtViews(page, kViews);
        await turnKnob(page, mouse);
        await solve(page, mouse, stage);
      });
      await page.close();
    });
  if (hands.includes('fingers'))
    await check('by fingers, on a tablet', async () => {
      const page = await open('fingers', kBegin, {width: 820, height: 1180, density: 2, touch: true});
      await walk(page, async (stage) => {
        await predict(page, fingers, stage);
        await turnKnob(page, fingers);
        await solve(page, fingers, stage);
      });
      await page.close();
    });
  if (hands.includes('keys'))
    await check('by keys alone', async () => {
      const page = await open('keys', '?stage=transpose/20_tiled&rows=128&cols=128&mode=workbench');
      await walk(page, async (stage) => {
        await lookAtViews(page, kViews);
        await page.key('ArrowRight', {shift: true});
        await page.key('Escape');
        const [name, value] = Object.entries((await state(page)).knobs).find(([knob]) => knob === 'TILE') || [];
        if (name) {
          await command(page, `${name} = 16`);
          await untilState(page, 's.knobs.TILE === 16 && !s.busy');
          await page.key('z', {ctrl: true});
          await untilState(page, `s.knobs.TILE === ${value} && !s.busy`);
        }
        await page.key('e', {ctrl: true});
        await untilState(page, 's.editing');
        await pause(0.4);
        await page.type('// mine');
        await page.key('Enter');
        await untilState(page, 's.typed.includes("// mine\\n")');
        await page.key('z', {ctrl: true});
        await page.key('e', {ctrl: true});
        await untilState(page, '!s.editing');
        await command(page, 'version of this kernel');  // which the course has
        await untilState(page, '!s.edited && !s.busy');
      });
      await page.close();
    });
  await check('a pinch brings closer what is between the fingers, where the wheel does, and else makes all larger', async () => {
    const page = await open('pinch', '?stage=transpose/30_padded&rows=128&cols=128&mode=workbench&view=charts:sizes', {touch: true});
    await page.until('lanewiseWindow.page.whole');  // the recordings, which the chart is of
    await settled(page);
    await pause(1);
    // Fingers `apart` pixels on each side of [x, y], and then `step` more, five times.
    const pinch = ([x, y], apart, step) => page.fingers([-1, 1].map((side) => [0, 1, 2, 3, 4, 5].map((i) => [x + side * (apart + step * i), y])));
    const looks = async (what) => {
      await pause(1.5);
      await settled(page);
      await page.shot(path.join(pictures, `pinch-${what}.png`));
      return (await page.call('Page.captureScreenshot', {format: 'png', clip: {x: 400, y: 250, width: 500, height: 350, scale: 1}})).data;
    };
    const before = await looks('whole'), {scale} = await state(page);
    await pinch([640, 430], 40, 20);
    const closer = await looks('closer');
    assert.strictEqual((await state(page)).scale, scale, 'all became larger');
    assert.notStrictEqual(closer, before, 'the chart did not come closer');
    await pinch([640, 430], 140, -20);
    assert.notStrictEqual(await looks('further'), closer, 'the chart did not go away again');
    await mouse.press(page, 'chart:whole');
    await page.call('Input.dispatchMouseEvent', {type: 'mouseMoved', x: 5, y: 795});
    assert.strictEqual(await looks('whole-again'), before);
    // Where nothing is to come closer: the top bar.
    await pinch([215, 30], 40, 10);
    const larger = (await untilState(page, `s.scale > ${scale + 0.05}`)).scale;
    await pinch([215, 30], 90, -10);
    await untilState(page, `s.scale < ${larger - 0.05}`);
    await page.close();
  });
  await check('the wheel goes down as a page does, two fingers too', async () => {
    const page = await open('wheel', '?stage=transpose/20_tiled&rows=128&cols=128&mode=workbench', {touch: true});
    const far = 'stage:transpose/20_tiled', before = await place(page, far);  // in a list that is longer than its place
    const x = (before[4] + before[6]) / 2, y = (before[5] + before[7]) / 2;
    const moved = async (from, pixels, what) => {
      let at = from;
      for (let tries = 0; tries < 40 && at === from; ++tries, await pause(0.1)) at = (await place(page, far))[1];
      await pause(0.5);
      at = (await place(page, far))[1];
      assert((from - at) * Math.sign(pixels) > 20 && (from - at) * Math.sign(pixels) < 200, `${what} moved it from ${from} to ${at}`);
      return at;
    };
    await page.wheel(x, y, 100);
    const turned = await moved(before[1], 1, 'one notch');
    await page.wheel(x, y, -100);
    const back = await moved(turned, -1, 'a notch back');
    await page.fingers([0, 1].map((side) => [0, 1, 2, 3, 4].map((step) => [x - 20 + 40 * side, y + 40 - 20 * step])));
    await moved(back, 1, 'two fingers');
    await page.close();
  });
  return end({stop: () => Promise.all(servers.map((server) => server.stop()))}, browser, `the learner has gone up; pictures are in ${pictures}`);
}

main();
