// The engine as a Worker. A message to it is one frame of the engine's protocol, as a Uint8Array; so is
// every message from it. Where it cannot start, or breaks, it sends {failure: a sentence} instead.
// It sends {program}, compiled; a second one, whose name is 'program', is sent that and does not compile it again.
// (What stands behind # in its address is lost where offline.js answers.)
// One whose name is 'rehearse STAGE' goes through that stage's picture, which nobody waits for and which is not sent:
// the browser compiles what it runs through, and what it reads is here then. (A message would come too late: it waits
// until the page's own thread, which reads the course meanwhile, has heard that the Worker runs.)
'use strict';
importScripts('engine-host.js', 'cbor.js', 'engine.js');

const files = {
  later: async (name) => (await lanewiseFetched(name)).body,
  now(name) {
    const request = new XMLHttpRequest();
    request.open('GET', name, false);
    request.responseType = 'arraybuffer';
    try {
      request.send();
    } catch (error) {
      return null;  // no answer came
    }
    return request.status === 200 ? new Uint8Array(request.response) : null;
  },
};

let engine = null, silent = false;
const early = [];  // what came before the engine was there
let takeProgram = () => {};
const given = self.name === 'program' ? new Promise((done) => { takeProgram = done; }) : null;
const fail = (error) => postMessage({failure: `The engine stopped: ${error.message || error}. Reload the page to start it again.`});

// Between two jobs, messages that have come are taken in first: a newer picture drops an older one.
const turn = new MessageChannel();
let turning = false;
function workSoon() {
  if (turning || !engine) return;
  turning = true;
  turn.port2.postMessage(null);
}
turn.port1.onmessage = () => {
  turning = false;
  try {
    if (engine.work()) workSoon();
  } catch (error) {
    fail(error);
  }
};

function take(frame) {
  try {
    engine.take(frame);
    workSoon();
  } catch (error) {
    fail(error);
  }
}
function rehearse(stage) {
  silent = true;
  try {
    engine.take(lanewiseFrames.encode({type: 'request', id: 0, method: 'picture', params: {stage}}));
    engine.work();
  } catch (error) {
    // whoever asks for the same hears of it
  }
  silent = false;
}
onmessage = ({data}) => {
  if (data.program) takeProgram(data.program);
  else engine ? take(data) : early.push(data);
};

const send = (frame) => silent || postMessage(frame, [frame.buffer]);
const kMoreAfter = 3000;  // ms: until the first picture stands
lanewiseStartEngine(LanewiseEngine, files, send, given).then((started) => {
  engine = started;
  if (!given) postMessage({program: engine.program});
  const [word, stage] = self.name.split(' ');
  if (early.length === 0 && word === 'rehearse') rehearse(stage);
  early.forEach(take);
  setTimeout(() => engine.more().catch(() => {}), kMoreAfter);  // without it, doctor's list says that there are none
}, fail);
