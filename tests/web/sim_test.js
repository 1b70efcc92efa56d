// The machine's own tests (tests/sim), compiled for node: sim_test.js WEB_BUILD_FOLDER.
'use strict';
const fs = require('fs');
const {spawnSync} = require('child_process');

const program = `${process.argv[2]}/bin/sim_in_node.js`;
if (!fs.existsSync(program)) {
  console.log('skipped: sim_in_node is not built (./lanewise test --web builds it)');
  process.exit(77);
}
// emscripten takes a node that has fetch() for a browser.
process.exit(spawnSync(process.execPath, ['--no-experimental-fetch', program], {stdio: 'inherit'}).status ?? 1);
