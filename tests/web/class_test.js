// The class's bar (class.js) and the teacher's board (assets/class/board.js): what they show of what the server
// says, and what they send. Without a browser; page_assignment_test.js has one.
'use strict';
const assert = require('assert');
const path = require('path');
const bar = require(path.join(__dirname, '../../app/web/page/class.js'));
const board = require(path.join(__dirname, '../../assets/class/board.js'));
const frames = require(path.join(__dirname, '../../app/web/page/cbor.js'));
const sockets = require(path.join(__dirname, '../../app/web/page/engine-socket.js'));

const none = {refused: '', time: null, late: false, earlier: 0};
const state = (poll, hand_in = none, due = '') => ({title: 'A class', name: 'ada', teaches: false, due, poll, hand_in});
const poll = (more) => ({number: 3, state: 'open', question: 'How many?', stage: 'transpose/30_padded', choices: ['1', '2', '32'], mine: null, voters: null, votes: null, right: null, explain: '', ...more});

const tests = {
  'an open question shows its choices and nobody\'s votes'() {
    const view = bar.shown(state(poll()), null);
    assert.deepStrictEqual(view.poll.choices.map((one) => [one.label, one.text, one.mine, one.count]), [['A', '1', false, null], ['B', '2', false, null], ['C', '32', false, null]]);
    assert.ok(view.poll.open);
    assert.strictEqual(view.handIn, null);
    assert.match(bar.shown(state(poll({mine: 2})), null).poll.hint, /^Your vote is C\. You can change it/);
    // On a machine without tokens everybody may see the votes; the bar waits for the reveal all the same.
    assert.strictEqual(bar.shown(state(poll({votes: [0, 1, 2], voters: 3})), null).poll.choices[2].count, null);
  },
  'a revealed one shows all, and what is right'() {
    const view = bar.shown(state(poll({state: 'revealed', mine: 0, votes: [1, 0, 3], voters: 4, right: 2, explain: 'All lanes meet.'})), null).poll;
    assert.deepStrictEqual(view.choices.map((one) => [one.count, one.share, one.right]), [[1, 0.25, false], [0, 0, false], [3, 0.75, true]]);
    assert.deepStrictEqual([view.open, view.hint, view.explain], [false, 'You voted A.', 'All lanes meet.']);
    assert.strictEqual(bar.shown(state(poll({state: 'revealed', votes: [0, 0, 0]})), null).poll.choices[0].share, 0);
    assert.strictEqual(bar.shown(state(poll({state: 'closed'})), null).poll.hint, 'No more votes are taken.');
  },
  'handing in is shown where it is due, was done, or can be'() {
    const shown = (hand_in, due, offered) => bar.shown(state(null, {...none, ...hand_in}, due), offered).handIn;
    assert.strictEqual(shown({}, '', null), null);
    assert.deepStrictEqual(shown({}, '2026-12-01T23:59:00Z', null), {text: 'Due 2026-12-01 23:59 UTC.', button: ''});
    assert.deepStrictEqual(shown({}, '', {name: 'a.lanewise', text: ''}), {text: 'a.lanewise is saved.', button: 'Hand in a.lanewise'});
    assert.match(shown({time: '2026-12-02T10:00:00Z', late: true}, '2026-12-01T23:59:00Z', null).text, /You handed in at 2026-12-02 10:00 UTC, late\.$/);
    assert.strictEqual(shown({refused: 'everybody has your token'}, '2026-12-01T23:59:00Z', {name: 'a.lanewise', text: ''}), null);
  },
  'the assignment is offered, opened by its link and put away'() {
    assert.strictEqual(bar.shown(state(null), null).assignment, null);
    assert.deepStrictEqual(bar.shown({...state(null), assignment: {title: 'Week 2'}}, null).assignment, {text: 'Your assignment: Week 2.'});
    const opened = [], sent = [];
    const place = {ownerDocument: null, replaceChildren() {}, contains: () => false, hidden: true, offsetHeight: 0};
    const document = {activeElement: null, defaultView: {addEventListener() {}, Element: class {}}, body: {style: {setProperty() {}}}, getElementById: () => null,
                      createElement: () => ({setAttribute() {}, append() {}, style: {setProperty() {}}})};
    const way = {current: true, send: (frame) => sent.push(frames.decode(frame))};
    const shown = new bar.Bar(way, place, {document, frames, later() {}});
    shown.onLink = (link) => opened.push(link);
    shown.heard({...state(null), assignment: {title: 'Week 2'}, re: 'assignment', said: '', failed: false, link: 'lanewise://1/assignment?x'});
    assert.deepStrictEqual(opened, ['lanewise://1/assignment?x']);
    shown.predicted('transpose/30_padded', '32', false);
    assert.deepStrictEqual(sent.at(-1), {type: 'class', do: 'predicted', stage: 'transpose/30_padded', choice: '32', right: false});
  },
  'the window begins below the bar, whatever its width makes of its height'() {
    const room = [], heard = {};
    const place = {ownerDocument: null, replaceChildren() {}, contains: () => false, hidden: true, offsetHeight: 40};
    const document = {activeElement: null, defaultView: {addEventListener: (kind, hear) => { heard[kind] = hear; }, Element: class {}},
                      body: {style: {setProperty: (name, value) => room.push(`${name} ${value}`)}}, getElementById: () => null,
                      createElement: () => ({setAttribute() {}, append() {}, style: {setProperty() {}}})};
    const shown = new bar.Bar({current: false, send() {}}, place, {document, frames, later() {}});
    heard.resize();  // nothing is shown yet
    shown.heard({...state(null), assignment: {title: 'Week 2'}});
    place.offsetHeight = 78;  // its buttons are on two lines now
    heard.resize();
    shown.heard(state(null));
    assert.deepStrictEqual(room, ['--class-bar 0px', '--class-bar 40px', '--class-bar 78px', '--class-bar 0px']);
  },
  async 'only a workspace of a size that the server takes is handed in'() {
    const file = (name, size) => ({name, size, text: async () => 'text'});
    assert.deepStrictEqual(await bar.workspaceIn(file('a.lanewise', 10)), {name: 'a.lanewise', text: 'text'});
    await assert.rejects(bar.workspaceIn(file('a.zip', 10)), /Choose a workspace/);
    await assert.rejects(bar.workspaceIn(file('a.lanewise', 9 << 20)), /too large/);
  },
  async 'the socket gives the class its frames and the window the others'() {
    class Socket {
      constructor() { this.readyState = 1; this.sent = []; Socket.last = this; }
      send(frame) { this.sent.push(frame); }
      close() {}
    }
    // As the server writes it: the first key is "class".
    const ofClass = frames.encode({class: state(poll()), type: 'class'}), hello = frames.encode({program: 'x', type: 'hello'});
    const way = new sockets.Way({host: 'lab'}, 't', {socket: new Socket(), come: [hello]}, Socket, []);
    const heard = [], told = [];
    way.onClass = (frame) => told.push(frames.decode(frame).class.poll.number);
    way.onOpen = () => way.send(frames.encode({type: 'class', do: 'hello'}));
    way.onGone = () => told.push('gone');
    await way.open((frame) => heard.push(frames.decode(frame).type), () => {});
    Socket.last.onmessage({data: ofClass.buffer.slice(ofClass.byteOffset, ofClass.byteOffset + ofClass.byteLength)});
    Socket.last.onmessage({data: frames.encode({type: 'result', id: 1}).slice().buffer});
    Socket.last.onclose({code: 1006, reason: ''});
    assert.deepStrictEqual([heard, told, frames.decode(Socket.last.sent[0])], [['hello', 'result'], [3, 'gone'], {type: 'class', do: 'hello'}]);
  },
  'the board shows the votes as they come, and what can be done'() {
    const open = board.pollShown(poll({votes: [1, 0, 3], voters: 4}));
    assert.deepStrictEqual(open.bars.map((one) => [one.letter, one.votes, one.share]), [['A', 1, 0.25], ['B', 0, 0], ['C', 3, 0.75]]);
    assert.deepStrictEqual([open.head, open.says], ['transpose/30_padded: How many?', '4 votes, open']);
    assert.deepStrictEqual(open.actions.map((one) => one.do), ['close', 'reveal', 'end']);
    const over = board.pollShown(poll({state: 'revealed', votes: [0, 0, 1], voters: 1, right: 2}));
    assert.deepStrictEqual([over.says, over.bars[2].right, over.actions.map((one) => one.do)], ['1 vote, shown to the class', true, ['reopen', 'end']]);
    assert.strictEqual(board.pollShown(null), null);
    assert.deepStrictEqual([board.size(100), board.size(4224), board.size(5 * 2 ** 30), board.size(300 * 2 ** 20)], ['100 B', '4.1 KiB', '5.0 GiB', '300 MiB']);
    assert.deepStrictEqual(board.predictionRows({predictions: [{stage: 'a', answered: 4, right: 1, wrong: [{choice: '32', count: 2}, {choice: '2', count: 1}]}]}), [['a', '4', '1', '32 (2), 2 (1)']]);
    assert.deepStrictEqual(board.handInRows({hand_ins: [{student: 'ada', time: 't', late: true, bytes: 10, earlier: 2}]}), [['ada', 't', 'late', '10 B', '2']]);
  },
};

(async () => {
  let failed = 0;
  for (const [name, test] of Object.entries(tests))
    await Promise.resolve().then(test).then(() => console.log(`ok      ${name}`), (error) => { failed++; console.log(`FAILED  ${name}\n        ${error.message}`); });
  process.exit(failed ? 1 : 0);
})();
