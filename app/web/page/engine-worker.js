// The engine as a Worker. A message to it is one frame of the engine's protocol, as a Uint8Array; so is
// every message from it. Where it cannot start, or breaks, it sends {failure: a sentence} instead.
'use strict';
importScripts('engine-host.js', 'engine.js');

const files = {
  later: async (name) => (await lanewiseFetched(name)).arrayBuffer(),
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

let engine = null;
const early = [];  // what came before the engine was there
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
onmessage = (event) => (engine ? take(event.data) : early.push(event.data));

const send = (frame) => postMessage(frame, [frame.buffer]);
lanewiseStartEngine(LanewiseEngine, files, send).then((started) => {
  engine = started;
  early.forEach(take);
}, fail);
