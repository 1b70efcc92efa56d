// window.lanewise: the engine for any page. This file and those beside it are all that it needs.
//   <script src="…/cbor.js"></script><script src="…/lanewise.js"></script>
//   await lanewise.ready
//   await lanewise.trace({stage: '30_padded', rows: 256, cols: 256, set: {PAD: 0}})
//   await lanewise.stages()
//   await lanewise.request(method, params)      whatever else the engine answers (app/service/server.h)
// A request that fails rejects with an Error whose message says what to do.
'use strict';

(() => {
  const beside = new URL('.', document.currentScript.src);
  const waiting = new Map();
  let worker = null, lastId = 0, settleReady = null;

  function start() {
    worker = new Worker(new URL('engine-worker.js', beside));
    worker.onmessage = (event) => {
      if (event.data.failure) return stop(event.data.failure);
      if (event.data.program) return;
      take(lanewiseFrames.decode(event.data));
    };
    worker.onerror = (event) => stop(`The engine could not be started: ${event.message || 'its files did not load'}.`);
  }

  function stop(why) {
    const error = new Error(why);
    settleReady.fail(error);
    for (const each of waiting.values()) each.fail(error);
    waiting.clear();
  }

  function take(message) {
    if (message.type === 'status') settleReady.done({compiler: message.compiler, problem: message.problem});
    const asked = waiting.get(message.id);
    if (!asked || (message.type !== 'result' && message.type !== 'error')) return;
    waiting.delete(message.id);
    if (message.type === 'result') return asked.done(message.result);
    asked.fail(Object.assign(new Error(message.message), {status: message.status, details: message.details}));
  }

  function request(method, params = {}) {
    return new Promise((done, fail) => {
      waiting.set(++lastId, {done, fail});
      worker.postMessage(lanewiseFrames.encode({type: 'request', id: lastId, method, params}));
    });
  }

  // The address of the window that shows a link's state; see docs/web.md.
  const address = (link) => new URL('index.html#' + link, beside).href;

  window.lanewise = {
    ready: new Promise((done, fail) => { settleReady = {done, fail}; }),
    request,
    trace: (params) => request('trace', params),
    stages: () => request('stages'),
    address,
    open: (link) => window.open(address(link), '_blank', 'noopener'),
  };
  start();
})();
