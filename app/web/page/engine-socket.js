// The way to an engine of a server (lanewise-engine serve --http), where the page was served by one or its
// address names one. One message is one frame of the engine's protocol. A way that is lost is looked for
// again, less often each time; where it stays lost, the page's own engine takes over.
'use strict';

const lanewiseSockets = (() => {
  const kOpenPatience = 20000;         // from the connection to the engine's greeting
  const kCloseFollows = 100;           // ms, an error
  const kPauses = [250, 500, 1000, 2000, 4000, 8000];  // ms, before each new try
  const kRefused = 4001, kEngineEnded = 4002, kTooLarge = 1009;

  // {url, host, elsewhere, needsToken, title} of the server, or null where there is none.
  async function serverOf(address, fetch) {
    const given = new URLSearchParams(address.search).get('engine');
    if (given) {
      const url = new URL(given, address.href);
      if (!['ws:', 'wss:'].includes(url.protocol)) throw new Error(`the engine's address begins with wss:// or ws://, not ${url.protocol}//`);
      url.hash = '';
      return {url: url.href, host: url.host, elsewhere: url.host !== address.host, needsToken: url.host !== address.host, title: url.host};
    }
    let said = null;
    try {
      const answer = await fetch('engine.json', {cache: 'no-store'});
      if (!answer.ok) return null;
      said = await answer.json();
    } catch (error) {
      return null;  // plain files, or no network
    }
    if (typeof said.socket !== 'string') return null;
    const url = new URL(said.socket, address.href);
    url.protocol = address.protocol === 'https:' ? 'wss:' : 'ws:';
    url.search = url.hash = '';
    if (url.host !== address.host) return null;
    return {url: url.href, host: url.host, elsewhere: false, needsToken: !!said.needs_token, title: said.title || url.host};
  }

  // What the address brings along, as ?token= or #token=, and the address without it.
  function tokenOf(address) {
    const query = new URLSearchParams(address.search), inHash = /^#token=([^&]*)$/.exec(address.hash);
    const token = query.get('token') || (inHash && decodeURIComponent(inHash[1])) || '';
    query.delete('token');
    const rest = query.toString();
    return {token, without: address.pathname + (rest ? `?${rest}` : '') + (inHash ? '' : address.hash)};
  }

  // Why the server does not know the token; '' where it does. Another host's server cannot be asked.
  async function whyNot(server, token, fetch) {
    if (server.elsewhere) return '';
    const answer = await fetch('engine.json', {cache: 'no-store', headers: {Authorization: `Bearer ${token}`}});
    return answer.ok ? '' : (await answer.text()).trim();
  }

  // Asks until the server knows the token; null where the learner wants none.
  async function knownToken(server, token, {fetch, ask}) {
    let said = token ? await whyNot(server, token, fetch) : `${server.title} wants a token. Your teacher has one for you.`;
    while (said) {
      token = await ask(said);
      if (token === null) return null;
      said = /^[\w.~-]{16,128}$/.test(token) ? await whyNot(server, token, fetch)
                                             : 'A token has 16 characters or more: letters, digits and -_.~';
    }
    return token;
  }

  // An open socket whose engine has greeted, with what it said so far.
  function greeted(url, token, WebSocket) {
    return new Promise((done, fail) => {
      const socket = new WebSocket(url, token ? ['lanewise', `token.${token}`] : ['lanewise']);
      const come = [];
      socket.binaryType = 'arraybuffer';
      const late = setTimeout(() => socket.close(), kOpenPatience);
      socket.onmessage = (event) => {
        clearTimeout(late);
        come.push(new Uint8Array(event.data));
        done({socket, come});
      };
      socket.onclose = (event) => {
        clearTimeout(late);
        const error = new Error(event.reason || 'the server gives no engine');
        fail(Object.assign(error, {final: event.code === kRefused || event.code === kEngineEnded}));
      };
      // The close, which says why, comes behind the error; node 20 leaves it out.
      socket.onerror = () => setTimeout(() => fail(new Error('the server gives no engine')), kCloseFollows);
    });
  }

  // What the server says to the class, and not the engine to the window: a map whose first key is "class".
  const kMark = [0x65, ...[...'class'].map((one) => one.charCodeAt(0))];
  const isClass = (frame) => kMark.every((byte, i) => frame[5 + i] === byte);

  const pause = (ms) => new Promise((done) => setTimeout(done, ms));

  class Way {
    constructor(server, token, first, WebSocket, pauses) {
      Object.assign(this, {server, token, first, WebSocket, pauses, usable: true, current: null, turn: 0, onClass: null, onOpen: null, onGone: null, onGivenUp: null});
    }
    // A frame for the class is the bar's (class.js), where there is one.
    hand(frame, onFrame) {
      if (!isClass(frame)) onFrame(frame);
      else if (this.onClass) this.onClass(frame);
    }
    // onFrame: each frame, the greeting first. onEnd(why, lost): once, last.
    async open(onFrame, onEnd) {
      const turn = ++this.turn;
      await null;  // whoever opens hears nothing before that is done
      let opened = this.first;
      this.first = null;
      try {
        opened = opened || await this.again(turn);
      } catch (error) {
        if (turn !== this.turn) return;
        if (!error.final) this.usable = false;
        if (!error.final && this.onGivenUp) this.onGivenUp(this.server.host);
        return onEnd(error.final ? error.message
                     : `The server at ${this.server.host} cannot be reached: ${error.message}. The page's own engine takes over; reload the page to try the server again`,
                     !error.final);
      }
      if (turn !== this.turn) return opened && opened.socket.close();
      const {socket, come} = opened;
      this.current = socket;
      socket.onmessage = (event) => turn === this.turn && this.hand(new Uint8Array(event.data), onFrame);
      socket.onclose = (event) => {
        if (turn !== this.turn) return;
        this.current = null;
        if (this.onGone) this.onGone();
        if (event.code === kTooLarge) return onEnd('this is more than the server takes: choose less', false);
        const lost = event.code !== kRefused && event.code !== kEngineEnded;
        onEnd(event.reason || 'the connection to the server was lost', lost);
      };
      come.splice(0).forEach((frame) => this.hand(frame, onFrame));
      if (this.onOpen) this.onOpen();
      if (socket.readyState > 1) socket.onclose({code: 1006, reason: ''});
    }
    async again(turn) {
      for (let tries = 0;; ++tries) {
        try {
          return await greeted(this.server.url, this.token, this.WebSocket);
        } catch (error) {
          if (error.final || tries === this.pauses.length || turn !== this.turn) throw error;
          await pause(this.pauses[tries] * (0.75 + Math.random() / 2));  // a class does not come back all at once
        }
      }
    }
    send(frame) {
      if (this.current && this.current.readyState === 1) this.current.send(frame);
    }
    close() {
      ++this.turn;
      if (this.current) this.current.close();
      this.current = null;
    }
  }

  // The way, or null with a sentence said where there should be one and is none.
  //   with: {address, fetch, WebSocket, storage, ask(text) -> Promise of a token or null, agree(text), forget(address), say(text)}
  async function find(given) {
    const tools = {pauses: kPauses, ...given};
    const {address, storage, say} = tools;
    try {
      const server = await serverOf(address, tools.fetch);
      if (!server) return null;
      const {token, without} = tokenOf(address);
      if (token) tools.forget(without);
      const kept = `lanewise-token ${server.url}`;
      const trusted = storage.getItem(kept) !== null;
      if (server.elsewhere && !trusted && !tools.agree(`This link uses the engine at ${server.host}. It sees what you edit. Use it?`)) return null;
      let known = token || storage.getItem(kept) || '';
      if (server.needsToken) known = await knownToken(server, known, tools);
      if (known === null) return null;
      const first = await greeted(server.url, known, tools.WebSocket);
      storage.setItem(kept, known);
      return new Way(server, known, first, tools.WebSocket, tools.pauses);
    } catch (error) {
      await say(`The server's engine cannot be used: ${error.message}. The page's own engine takes over.`);
      return null;
    }
  }

  return {find, serverOf, tokenOf, Way};
})();

if (typeof module !== 'undefined') module.exports = lanewiseSockets;
