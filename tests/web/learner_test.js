// A scripted learner goes up the ladder in a real page: learner_test.js WEB_FOLDER [PICTURES] [STAGES] [HANDS]. In
// Learn, by the mouse, by fingers on a tablet, and by keys alone: predict, look, turn a knob and take it back, fail
// the task as the stage comes, solve it as the lesson says, go on. Of an exercise that wants another source the task is
// left: without a server's engine a page has no compiler for it.
//   STAGES: how many of the ladder's, one after the other (default: 3); or their names, by commas, or "all": each in
//           a page of its own      HANDS: of mouse,keys,fingers (default: all)
'use strict';
const fs = require('fs');
const path = require('path');
const {spawnSync} = require('child_process');
const {serve, openBrowser} = require('./browser.js');
const {command, fingers, keys, mouse, place, placeNow} = require('./hands.js');
const {assert, begin, check, end, pause, saved, settled, state, untilState} = require('./window_page.js');

const {folder, pictures} = begin();
const given = process.argv[4] || '3', hands = (process.argv[5] || 'mouse,keys,fingers').split(',');

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

const has = async (page, id) => id in (await state(page)).widgets;
const untilSaved = async (page, stage, condition, what) => {
  for (let tries = 0; tries < 200; ++tries, await pause(0.1)) {
    const progress = ((await saved(page).catch(() => null)) || {progress: {}}).progress[stage];  // at first there is no file
    if (progress && condition(progress)) return;
  }
  throw new Error(`${stage}: ${what} is not in the window's file; the page says ${(await state(page)).error}`);
};
// A press that does nothing is a fault: it is not tried again.
async function pressUntil(page, hand, id, condition) {
  await hand.press(page, id);
  return untilState(page, condition, 60).catch((error) => { throw new Error(`${id} was pressed, for nothing: ${error.message}`); });
}

async function predict(page, hand, stage) {
  if (await has(page, 'step:predict')) await hand.press(page, 'step:predict');
  await hand.press(page, 'confidence:Likely');
  const guess = kLessons[stage].choices.at(-1);
  await hand.press(page, `predict:${guess}`);
  await untilSaved(page, stage, (it) => it.guess === guess, 'the prediction');
}
// By the number keys, or by its tab.
async function lookAtViews(page, hand) {
  for (const [key, view] of [['2', 'banks'], ['3', 'code'], ['1', 'access']]) {
    hand === keys ? await page.key(key) : await hand.press(page, `view:${view}`);
    await untilState(page, `s.tab === ${JSON.stringify(view)}`);
  }
}

async function openSetting(page, hand) {
  if (hand !== keys && !(await has(page, 'coach:back'))) await pressUntil(page, hand, 'setting', 's.widgets["coach:back"]');
}
async function closeSetting(page, hand) {
  if (await has(page, 'coach:back')) await pressUntil(page, hand, 'coach:back', '!s.widgets["coach:back"]');
}
// By keys, in the palette, whose words are these.
async function setKnob(page, hand, name, value) {
  const is = `s.knobs[${JSON.stringify(name)}] === ${value} && !s.busy`;
  if (hand !== keys) return pressUntil(page, hand, `knob:${name}=${value}`, is);
  await command(page, `${name} = ${value}`, `knob:${name}=${value}`);
  return untilState(page, is);
}
async function setType(page, hand, type) {
  const is = `lanewiseWindow.page.link.includes("type=${type}") && !s.busy`;
  if (hand !== keys) return pressUntil(page, hand, `type:${type}`, is);
  await command(page, type, `type:${type}`);
  return untilState(page, is);
}

// Of the first knob that has one, another value that goes with the rest; and back: by a key, or as it came.
async function turnKnob(page, hand) {
  const other = await otherValue(page, hand);
  if (!other) return;
  const [name, was, now] = other;
  await openSetting(page, hand);
  await setKnob(page, hand, name, now);
  assert.strictEqual((await settled(page)).error, '');
  if (hand === fingers) await setKnob(page, hand, name, was);
  else await page.key('z', {ctrl: true});
  await untilState(page, `s.knobs[${JSON.stringify(name)}] === ${was} && !s.busy`);
  await closeSetting(page, hand);
}
async function otherValue(page, hand) {
  const {knobs} = await state(page);
  await openSetting(page, hand);
  const opened = await state(page);
  for (const id of Object.keys(opened.widgets)) {
    const [, name, value] = /^knob:(\w+)=(-?\d+)$/.exec(id) || [];
    if (name && Number(value) !== knobs[name] && (await placeNow(page, id)).enabled) return [name, knobs[name], value];
  }
  return null;
}

async function judge(page, hand) {
  hand === keys ? await command(page, 'The lesson: prove', 'step:prove') : await hand.press(page, 'step:prove');
  const height = `(s.widgets.gate ? s.widgets.gate[3] - s.widgets.gate[1] : 0)`;
  const before = await page.until(`(() => { const s = JSON.parse(lanewiseWindow.ccall("lanewise_dump", "string", [], [])); return ${height}; })()`);
  await hand.press(page, 'gate:judge');
  return `${height} !== ${before}`;  // what it says stands below
}
async function solve(page, hand, stage) {
  const judged = await judge(page, hand);
  await untilState(page, `${judged} && !s.busy`);
  assert(!(await saved(page)).progress[stage].passed, `${stage} passed as it came`);
  if (kLessons[stage].solution.some((step) => step.find)) return;  // an exercise: its source is to be changed
  await openSetting(page, hand);
  for (const step of kLessons[stage].solution) {
    if (step.type) await setType(page, hand, step.type);
    for (const each of step.set || []) await setKnob(page, hand, ...each.split('='));
  }
  await closeSetting(page, hand);
  await settled(page);
  await judge(page, hand);
  await untilSaved(page, stage, (it) => it.passed, 'that the task is solved');
}

// The whole of a stage, and on to the next one; the last has none.
async function learn(page, hand) {
  const {stage} = await settled(page);
  await predict(page, hand, stage);
  await lookAtViews(page, hand);
  await turnKnob(page, hand);
  await solve(page, hand, stage);
  await page.shot(path.join(pictures, `${hand.name}-${stage.replace('/', '-')}.png`));
  if (!(await has(page, 'next'))) return;
  hand === keys ? await page.key('n') : await hand.press(page, 'next');
  await untilState(page, `s.stage !== ${JSON.stringify(stage)} && !s.busy && (s.picture || s.error)`);
}

const kRoot = path.join(__dirname, '../..');
// Without cuBLAS's own, which no browser has.
const ladder = () => fs.readdirSync(path.join(kRoot, 'assets/programs/transpose')).map((each) => each.replace('.programs', '')).sort();

async function main() {
  const browser = await openBrowser(), servers = [];
  // Each has an address of its own, which keeps nothing of the others' progress.
  const open = async (rest, options) => {
    const server = await serve(folder);
    servers.push(server);
    const page = await browser.open(server.address + rest, options);
    page.density = (options && options.density) || 1;
    await settled(page);
    return page;
  };
  const at = (stage) => `?stage=transpose/${stage}&rows=128&cols=128&mode=learn`;

  const kTablet = {width: 820, height: 1180, density: 2, touch: true};
  for (const [hand, how, options] of [[mouse, 'by the mouse', {}], [fingers, 'by fingers, on a tablet', kTablet], [keys, 'by keys alone', {}]]) {
    if (!hands.includes(hand.name)) continue;
    const count = Number(given);
    if (count)
      await check(`${how}, ${count} stages`, async () => {
        const page = await open(at('00_copy'), options);
        try {
          for (let i = 0; i < count; ++i) await learn(page, hand);
        } catch (error) {
          await page.shot(path.join(pictures, `failed-${hand.name}.png`)).catch(() => {});
          throw error;
        } finally {
          await page.close();
        }
      });
    else
      for (const stage of given === 'all' ? ladder() : given.split(','))
        await check(`${how}: ${stage}`, async () => {
          const page = await open(at(stage), options);
          try {
            await learn(page, hand);
          } catch (error) {
            await page.shot(path.join(pictures, `failed-${hand.name}-${stage}.png`)).catch(() => {});
            throw error;
          } finally {
            await page.close();
          }
        });
  }
  if (hands.includes('keys'))
    await check('an edit by keys, taken back by the palette', async () => {
      const page = await open('?stage=transpose/20_tiled&rows=128&cols=128&mode=workbench');
      await page.key('e', {ctrl: true});
      await untilState(page, 's.editing');
      await pause(0.4);
      await page.type('// mine');
      await page.key('Enter');
      await untilState(page, 's.typed.includes("// mine\\n")');
      await page.key('e', {ctrl: true});
      await untilState(page, '!s.editing && s.edited');
      await command(page, 'version of this kernel', 'reset');  // which the course has
      await untilState(page, '!s.edited && !s.busy');
      await page.close();
    });
  const checkFingers = hands.includes('fingers') ? check : async () => {};
  await checkFingers('a pinch brings closer what is between the fingers, where the wheel does, and else makes all larger', async () => {
    const page = await open('?stage=transpose/30_padded&rows=128&cols=128&mode=workbench&view=charts:sizes', {touch: true});
    await page.until('lanewiseWindow.page.whole');  // the recordings, which the chart is of
    await settled(page);
    await pause(1);
    // Fingers `apart` pixels on each side of [x, y], and then `step` more, so many times. The first one has pressed
    // what lies below it when the second one comes so many seconds later.
    const pinch = ([x, y], apart, step, {times = 5, between = 0} = {}) => page.fingers([-1, 1].map((side) =>
        Array.from({length: times + 1}, (_, i) => [x + side * (apart + step * i), y])), between);
    const looks = async (what) => {
      await pause(1.5);
      await settled(page);
      await page.shot(path.join(pictures, `pinch-${what}.png`));
      return (await page.call('Page.captureScreenshot', {format: 'png', clip: {x: 400, y: 250, width: 500, height: 350, scale: 1}})).data;
    };
    const before = await looks('whole'), {scale} = await state(page);
    await pinch([640, 430], 40, 100, {times: 1, between: 0.5});
    const closer = await looks('closer');
    assert.strictEqual((await state(page)).scale, scale, 'all became larger');
    assert(closer !== before, 'the chart did not come closer');
    await pinch([640, 430], 140, -20);
    assert(await looks('further') !== closer, 'the chart did not go away again');
    assert.strictEqual((await state(page)).scale, scale, 'all became smaller');
    await mouse.press(page, 'chart:whole');
    await page.call('Input.dispatchMouseEvent', {type: 'mouseMoved', x: 5, y: 795});
    assert(await looks('whole-again') === before, 'the whole chart is not as it was');
    // Where nothing is to come closer: the top bar.
    await pinch([215, 30], 40, 10);
    const larger = (await untilState(page, `s.scale > ${scale + 0.05}`)).scale;
    await pinch([215, 30], 90, -10);
    await untilState(page, `s.scale < ${larger - 0.05}`);
    await page.close();
  });
  await checkFingers('the wheel goes down as a page does, two fingers too', async () => {
    const page = await open('?stage=transpose/20_tiled&rows=128&cols=128&mode=workbench', {touch: true});
    const far = 'stage:transpose/20_tiled', before = await place(page, far);  // in a list that is longer than its place
    const [left, top, right, bottom] = before.sight, x = (left + right) / 2, y = (top + bottom) / 2;
    const moved = async (from, pixels, what) => {
      let at = from;
      for (let tries = 0; tries < 40 && at === from; ++tries, await pause(0.1)) at = (await place(page, far)).box[1];
      await pause(0.5);
      at = (await place(page, far)).box[1];
      assert((from - at) * Math.sign(pixels) > 20 && (from - at) * Math.sign(pixels) < 200, `${what} moved it from ${from} to ${at}`);
      return at;
    };
    await page.wheel(x, y, 100);
    const turned = await moved(before.box[1], 1, 'one notch');
    await page.wheel(x, y, -100);
    const back = await moved(turned, -1, 'a notch back');
    await page.fingers([0, 1].map((side) => [0, 1, 2, 3, 4].map((step) => [x - 20 + 40 * side, y + 40 - 20 * step])));
    await moved(back, 1, 'two fingers');
    await page.close();
  });
  return end({stop: () => Promise.all(servers.map((server) => server.stop()))}, browser, `the learner has gone up; pictures are in ${pictures}`);
}

main();
