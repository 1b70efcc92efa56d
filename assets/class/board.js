// What makes the teacher's board live (app/hub/board.cpp): asks for board.json, shows who is there, the poll
// and what was handed in, and sends what the teacher does. All text is set as text: names and stages come from
// others.
'use strict';

const laneBoard = (() => {
  const kEvery = 1500;  // ms

  const clock = (seconds) => `${Math.floor(seconds / 60)}:${String(Math.floor(seconds) % 60).padStart(2, '0')}`;
  // 4224 -> "4.1 KiB", as the rest of the program says it.
  function size(bytes) {
    const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];
    let value = bytes, unit = 0;
    while (value >= 1024 && unit + 1 < units.length) value /= 1024, ++unit;
    return `${unit === 0 || value >= 100 ? Math.round(value) : value.toPrecision(value >= 10 ? 3 : 2)} ${units[unit]}`;
  }

  const studentRows = (board) => board.students.map((one) => [
    one.name, one.stage, one.jobs.join('\n'), clock(one.connected_s), `${one.cpu_s.toFixed(1)} s${one.gives_way ? ', gives way' : ''}`,
    size(one.memory_bytes)]);
  const handInRows = (board) => board.hand_ins.map((one) => [one.student, one.time, one.late ? 'late' : '', size(one.bytes), String(one.earlier)]);

  const predictionRows = (board) => board.predictions.map((one) => [
    one.stage, String(one.answered), String(one.right), one.wrong.map((each) => `${each.choice} (${each.count})`).join(', ')]);

  // {head, bars: [{letter, choice, votes, share, right}], actions: [{do, right, label}]} of a poll; null of none.
  function pollShown(poll) {
    if (!poll) return null;
    const all = poll.voters || 0;
    const bars = poll.choices.map((choice, i) => ({
      letter: String.fromCharCode(65 + i), choice, votes: poll.votes[i], share: all ? poll.votes[i] / all : 0,
      right: poll.state === 'revealed' && poll.right === i}));
    const says = {open: 'open', closed: 'closed: no more votes are taken', revealed: 'shown to the class'}[poll.state];
    const actions = [];
    if (poll.state === 'open') actions.push({do: 'close', label: 'Close it'});
    else actions.push({do: 'reopen', label: 'Take votes again'});
    if (poll.state !== 'revealed') actions.push({do: 'reveal', label: 'Show the votes to the class'});
    actions.push({do: 'end', label: 'Put it away'});
    return {head: `${poll.stage ? `${poll.stage}: ` : ''}${poll.question || 'A, B, C?'}`, says: `${all} ${all === 1 ? 'vote' : 'votes'}, ${says}`, bars, actions};
  }

  function start({document, fetch, setInterval}) {
    const element = (id) => document.getElementById(id);
    const make = (name, text, attributes = {}) => {
      const made = document.createElement(name);
      if (text !== undefined) made.textContent = text;
      for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
      return made;
    };
    let shown = '';

    function fill(table, rows, numbers) {
      const body = table.querySelector('tbody') || table;
      while (body.rows.length > 1) body.deleteRow(1);
      for (const row of rows) {
        const line = make('tr');
        row.forEach((text, i) => line.append(make('td', text, {style: 'white-space:pre-line', ...(numbers.includes(i) ? {class: 'n'} : {}), ...(text === 'late' ? {class: 'late'} : {})})));
        body.append(line);
      }
    }

    async function act(words) {
      const answer = await fetch(`board?${new URLSearchParams(words)}`, {method: 'POST'});
      element('said').textContent = answer.ok ? '' : (await answer.text()).trim();
      await refresh();
      return answer.ok;
    }

    function showPoll(poll) {
      const now = JSON.stringify(poll);
      if (now === shown) return;  // a button that somebody is about to press stays where it is
      shown = now;
      const place = element('poll'), view = pollShown(poll);
      if (!view) return place.replaceChildren(make('p', 'No question is asked.'));
      const bars = view.bars.map((bar, i) => {
        const line = make('div', undefined, {class: 'bar'});
        const mark = poll.state === 'revealed' ? make('span', bar.right ? 'right' : '') : make('button', 'Show, this is right', {type: 'button'});
        if (poll.state !== 'revealed') mark.onclick = () => act({do: 'reveal', right: i});
        line.append(make('span', `${bar.letter}  ${bar.choice}`), make('meter', undefined, {value: bar.share, 'aria-label': `votes for ${bar.letter}`}),
                    make('span', String(bar.votes)), mark);
        return line;
      });
      const buttons = make('p');
      for (const action of view.actions) {
        const button = make('button', action.label, {type: 'button'});
        button.onclick = () => act({do: action.do});
        buttons.append(button, ' ');
      }
      place.replaceChildren(make('p', view.head), make('p', view.says), ...bars, buttons);
    }

    async function refresh() {
      let board = null;
      try {
        const answer = await fetch('board.json', {cache: 'no-store'});
        if (!answer.ok) throw new Error((await answer.text()).trim());
        board = await answer.json();
      } catch (error) {
        element('count').textContent = `The server does not answer: ${error.message}`;
        return;
      }
      element('count').textContent = `${board.connections} of ${board.most_connections} connections.`;
      element('due').textContent = board.due ? `Due ${board.due}.` : '';
      fill(element('students'), studentRows(board), [3, 4, 5]);
      fill(element('predictions'), predictionRows(board), [1, 2]);
      fill(element('hand-ins'), handInRows(board), [3, 4]);
      showPoll(board.poll);
    }

    for (const id of ['ask-stage', 'ask-own'])
      element(id).onsubmit = (event) => {
        event.preventDefault();
        act({do: 'ask', ...Object.fromEntries(new FormData(event.target))});
      };
    element('poll-part').hidden = false;
    setInterval(refresh, kEvery);
    return refresh();
  }

  return {start, pollShown, studentRows, handInRows, predictionRows, size};
})();

if (typeof module !== 'undefined') module.exports = laneBoard;
else laneBoard.start({document, fetch: (...rest) => fetch(...rest), setInterval: (...rest) => setInterval(...rest)});
