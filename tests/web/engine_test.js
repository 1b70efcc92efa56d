// The page's engine in node answers every message that the window sends as the native one does, number by
// number: engine_test.js WEB_FOLDER NATIVE_ENGINE [all]. With `all`, every program that is shipped for a
// stage's knobs and types is traced by both, at a size that shows it.
'use strict';
const fs = require('fs');
const assert = require('assert');
const {pageEngine, nativeEngine, differences, frames} = require('./engines.js');

const [folder, program, all] = process.argv.slice(2);
for (const [what, file] of [['./lanewise web has not been run', folder + '/engine.js'], ['lanewise-engine is not built', program]])
  if (!fs.existsSync(file)) {
    console.log(`skipped: ${what}`);
    process.exit(77);
  }

let failed = 0;
async function check(name, test) {
  try {
    const said = await test();
    console.log(`ok      ${name}${said ? `: ${said}` : ''}`);
  } catch (error) {
    failed++;
    console.log(`FAILED  ${name}\n        ${error.message}`);
  }
}

// A sample: each course, bank conflicts, a race, an ending that is not whole, other types, a mistake.
const kSettings = [
  {stage: 'transpose/10_naive', rows: 64, cols: 96},
  {stage: 'transpose/30_padded', rows: 256, cols: 256, set: {PAD: 0}},
  {stage: 'transpose/30_padded', rows: 100, cols: 52, set: {TILE: 16, PAD: 1}},
  {stage: 'transpose/30_padded', rows: 128, cols: 128, type: 'f64'},
  {stage: 'matmul/10_naive_product', rows: 64, cols: 64, inner: 32},
  {stage: 'reduction/00_interleaved', rows: 32, cols: 64},
];

async function same(page, native, method, setting, more = {}) {
  const job = await page.request('job', setting);
  const mine = await page.request(method, {job, ...more}), other = await native.request(method, {job, ...more});
  const found = differences(mine, other);
  assert(found.length === 0, found.join('\n        '));
  return mine;
}

async function main() {
  const page = await pageEngine(folder), native = nativeEngine(program);
  const stages = await page.request('stages');

  await check('it greets as the native engine does', async () => {
    await native.request('ping');
    const {wants_beats, ...greeting} = native.asked.hello;
    assert.deepStrictEqual(page.asked.hello, greeting);
    assert.strictEqual(page.asked.status.gpu, null);
    return page.asked.status.problem.split('.')[0];
  });
  await check('every stage is there and readable', async () => {
    const broken = stages.filter((stage) => stage.error);
    assert(stages.length > 20 && broken.length === 0, JSON.stringify(broken));
    return `${stages.length} stages`;
  });
  await check('nothing is fetched before it is wanted', async () => assert.deepStrictEqual(page.fetched, []));

  for (const setting of kSettings) {
    const name = `${setting.stage} ${setting.rows}x${setting.cols} ${setting.type || ''} ${JSON.stringify(setting.set || {})}`;
    await check(`picture of ${name}`, async () => { await same(page, native, 'picture', setting, {block: 1}); });
    await check(`analysis of ${name}`, async () => {
      const analysis = await same(page, native, 'analyse', setting);
      return `${analysis.report.totals.global_load.sectors} sectors loaded`;
    });
    await check(`walk of ${name}`, async () => { await same(page, native, 'walk', setting, {blocks: 4}); });
  }
  await check('every padding', async () => {
    const table = await same(page, native, 'pads', kSettings[1], {block: 0});
    return `${table.rows.length} rows`;
  });
  await check('product pictures', async () => { await same(page, native, 'product', kSettings[4], {block: 0, warp: 0, product: 0, reuse: true}); });
  await check('mismatches of a wrong setting', async () => { await same(page, native, 'mismatch', kSettings[1]); });

  await check('trace answers with the object of trace --json', async () => {
    const mine = await page.request('trace', {stage: '30_padded', rows: 256, cols: 256, set: {PAD: 0}});
    // 256 x 256 floats, stored tile by tile of 32 x 32 without a pad: each of 2,048 loads of 32 lanes takes 32 wavefronts.
    assert.strictEqual(mine.totals.shared_load.wavefronts, 32 * 2048);
    assert.strictEqual(mine.totals.shared_load.wavefronts_ideal, 2048);
    assert.strictEqual(mine.correct, true);
  });
  await check('what makes no sense is refused in a sentence', async () => {
    const refused = async (params, words) => {
      const error = await page.request('trace', params).then(() => null, (it) => it);
      assert(error && words.test(error.message), error ? error.message : 'it was answered');
    };
    await refused({stage: '30_padded', rows: -1}, /rows/i);
    await refused({stage: '30_padded', set: {PAD: 99}}, /PAD/);
    await refused({stage: 'nowhere'}, /nowhere/);
    await refused({stage: '30_padded', knobs: {}}, /"knobs"/);
    await refused({}, /which stage/);
    await assert.rejects(page.request('walkabout'), /no method walkabout/);
  });
  await check('what does not fit into memory is refused in a sentence', async () => {
    const error = await page.request('trace', {stage: '30_padded', rows: 32768, cols: 32768}).then(() => null, (it) => it);
    assert(error && /no memory for the 4 GiB of buffer/.test(error.message), error ? error.message : 'it was answered');
    await page.request('trace', {stage: '30_padded', rows: 64, cols: 64});  // and the engine goes on
  });
  await check('what wants a compiler or a card says so in one sentence', async () => {
    const job = await page.request('job', {stage: '30_padded'});
    job.stage.source = job.stage.source.replace('__global__', '/* mine */ __global__');
    await assert.rejects(page.request('picture', {job}), /a browser compiles nothing.*desktop program/);
    await assert.rejects(page.request('measure', {stage: '30_padded'}), /reaches no graphics card.*desktop program/);
  });
  await check('a newer picture drops an older one that waits', async () => {
    const ask = () => page.asked.ask('picture', {stage: '30_padded', rows: 64, cols: 64}, page.post);
    const older = ask(), newer = ask();
    const dropped = older.then(() => null, (error) => error);
    while (page.work());
    assert.strictEqual((await dropped).message, 'superseded');
    await newer;
  });
  await check('a damaged stream is said to be one', async () => {
    const other = await pageEngine(folder);
    assert.strictEqual(other.post(Uint8Array.from([1, 0, 0, 0, 0xff])), false);
  });
  if (all) await everyProgram(page, native, stages);
  native.end();
  console.log(failed ? `${failed} failed` : `all equal; the engine took ${page.memory() >> 20} MB`);
  process.exit(failed ? 1 : 0);
}

// Every choice of every knob, one at a time, in every type.
function settingsOf(stage) {
  const list = [], types = stage.types && stage.types.length ? stage.types : [undefined];
  for (const type of types) {
    list.push({type});
    for (const knob of stage.knobs || [])
      for (const value of knob.choices || []) list.push({type, set: {[knob.name]: value}});
  }
  return list;
}
async function everyProgram(page, native, stages) {
  for (const stage of stages)
    await check(`every program of ${stage.id}`, async () => {
      let traced = 0, refused = 0, calls = 0;
      for (const each of settingsOf(stage)) {
        const setting = {stage: stage.id, rows: 96, cols: /in_(place|its_own)/.test(stage.id) ? 96 : 64, ...each};
        if (stage.id.startsWith('matmul')) Object.assign(setting, {rows: 256, cols: 256, inner: 64});
        const job = await page.request('job', setting).catch(() => null);
        if (!job) continue;
        const answer = (engine) => engine.request('analyse', {job}).then((it) => it, (error) => ({refused: error.message}));
        const [mine, other] = [await answer(page), await answer(native)];
        if (mine.refused && other.refused) {
          refused++;
          calls += /library's call/.test(mine.refused);
          continue;
        }
        const found = differences(mine, other);
        assert(found.length === 0, `${JSON.stringify(each)}: ${found.join('\n        ')}`);
        traced++;
      }
      assert(traced > 0 || (calls > 0 && calls === refused), `none of ${refused} settings is answered`);
      return `${traced} equal${refused ? `, ${refused} refused by both` : ''}`;
    });
}

main();
