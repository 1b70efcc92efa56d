// The machine's own tests (tests/sim), in a Worker of a browser without a screen: sim_browser_test.js
// WEB_BUILD_FOLDER. As many have to end there as node finds in the same tests.
'use strict';
const fs = require('fs');
const assert = require('assert');
const {spawnSync} = require('child_process');
const {serve, openBrowser} = require('./browser.js');
const {withWebSocket} = require('./web_socket.js');

const folder = `${process.argv[2]}/bin`;
const skip = (why) => {
  console.log(`skipped: ${why}`);
  process.exit(77);
};
for (const name of ['sim_in_browser.js', 'sim_in_node.js'])
  if (!fs.existsSync(`${folder}/${name}`)) skip(`${name} is not built (./lanewise test --web builds it)`);

if (!withWebSocket()) skip('this node has no WebSocket: install node-ws');

// emscripten takes a node that has fetch() for a browser.
function tests() {
  const {stdout} = spawnSync(process.execPath, ['--no-experimental-fetch', `${folder}/sim_in_node.js`, '--gtest_list_tests'], {encoding: 'utf8'});
  return stdout.split('\n').filter((line) => line.startsWith('  ')).length;
}

// Runs in the page. The program says each line, and at its end its status.
function begin() {
  window.said = [];
  const worker = `self.Module = {
    print: (line) => postMessage({line}),
    printErr: (line) => postMessage({line}),
    locateFile: (name) => ${JSON.stringify(location.origin + '/')} + name,
    onExit: (status) => postMessage({status}),
    onAbort: (why) => postMessage({line: String(why), status: 134}),
  };
  importScripts(${JSON.stringify(location.origin + '/sim_in_browser.js')});`;
  const made = new Worker(URL.createObjectURL(new Blob([worker], {type: 'text/javascript'})));
  made.onmessage = ({data}) => {
    if (data.line !== undefined) said.push(data.line);
    if (data.status !== undefined) window.ended = {status: data.status};
  };
  made.onerror = (event) => { said.push(event.message); window.ended = {status: 134}; };
}

async function main() {
  const browser = await openBrowser();
  if (!browser) skip('there is no Chromium');
  const server = await serve(folder);
  server.extra.set('sim.html', `<!doctype html><script>(${begin})()</script>`);
  const page = await browser.open(`${server.address}sim.html`);
  const {status} = await page.until('window.ended');
  const said = await page.run('said'), ran = said.join('\n').match(/(\d+) tests from .* ran\./);
  console.log(said.slice(status === 0 ? -4 : -40).join('\n'));
  await browser.close();
  await server.stop();
  assert.strictEqual(status, 0);
  assert.strictEqual(Number(ran[1]), tests());
}

main().then(() => process.exit(0), (error) => { console.log(`FAILED  ${error.message}`); process.exit(1); });
