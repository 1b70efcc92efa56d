// The class's bar above the window, where the page's engine is a class's server: the question that the teacher
// asks, with a button for each choice, and handing in. Plain HTML, so that a screen reader and a phone have it
// as well. What it says to the server, and what the server says, app/hub/class_desk.h lists.
'use strict';

const lanewiseClass = (() => {
  const kMostBytes = 8 * 1024 * 1024;  // as the server has it
  const kSaidFor = 15000;              // ms

  const letter = (i) => String.fromCharCode(65 + i);
  // "2026-12-01T23:59:00Z" -> "2026-12-01 23:59 UTC"
  const time = (text) => `${text.slice(0, 10)} ${text.slice(11, 16)} UTC`;

  // What the bar shows of a state:
  //   poll     null, or {number, stage, question, hint, explain, open, choices: [{label, text, mine, right, share, count}]}
  //   handIn   null, or {text, button}
  //   assignment  null, or {text}
  // `offered`: the workspace that was saved here, {name, text}, or null.
  function shown(state, offered) {
    const poll = state.poll && {
      number: state.poll.number, stage: state.poll.stage, question: state.poll.question || 'Your teacher asks:', open: state.poll.state === 'open',
      hint: hintOf(state.poll), explain: state.poll.explain || '',
      choices: state.poll.choices.map((text, i) => {
        const told = state.poll.state === 'revealed' && state.poll.votes, all = told ? state.poll.votes.reduce((a, b) => a + b, 0) : 0;
        return {label: letter(i), text, mine: state.poll.mine === i, right: state.poll.state === 'revealed' && state.poll.right === i,
                count: told ? state.poll.votes[i] : null, share: told && all ? state.poll.votes[i] / all : 0};
      }),
    };
    return {poll, handIn: handInOf(state, offered), assignment: state.assignment ? {text: `Your assignment: ${state.assignment.title}.`} : null};
  }

  function hintOf(poll) {
    if (poll.state === 'revealed') return poll.mine === null ? 'You did not vote.' : `You voted ${letter(poll.mine)}.`;
    if (poll.state === 'closed') return poll.mine === null ? 'No more votes are taken.' : `No more votes are taken. Yours is ${letter(poll.mine)}.`;
    return poll.mine === null ? 'Choose one. Your teacher sees how many chose it, and not who.'
                              : `Your vote is ${letter(poll.mine)}. You can change it until the votes are shown.`;
  }

  function handInOf(state, offered) {
    if (state.hand_in.refused) return null;
    const parts = [];
    if (state.due) parts.push(`Due ${time(state.due)}.`);
    if (state.hand_in.time) parts.push(`You handed in at ${time(state.hand_in.time)}${state.hand_in.late ? ', late' : ''}.`);
    if (offered) return {text: parts.concat(`${offered.name} is saved.`).join(' '), button: `Hand in ${offered.name}`};
    return parts.length ? {text: parts.join(' '), button: ''} : null;
  }

  // The file's text; throws a sentence where it cannot be handed in.
  async function workspaceIn(file) {
    if (!file.name.endsWith('.lanewise')) throw new Error('Choose a workspace, which the window saves as NAME.lanewise.');
    if (file.size > kMostBytes) throw new Error(`${file.name} is too large to hand in: 8 MiB are the most.`);
    return {name: file.name, text: await file.text()};
  }

  // frames: cbor.js. way: engine-socket.js. place: the bar's element, hidden until there is something to show.
  class Bar {
    constructor(way, place, {document, frames, later = (...rest) => setTimeout(...rest)}) {
      Object.assign(this, {way, place, document, frames, later, state: null, offered: null, put: '', away: '', drawn: '', said: '', onLink: () => {}});
      way.onClass = (frame) => this.heard(frames.decode(frame).class);
      way.onOpen = () => this.say({do: 'hello'});
      way.onGone = () => this.gone();
      if (way.current) way.onOpen();
      this.keepKeys(document.defaultView);
      document.defaultView.addEventListener('resize', () => this.makeRoom());
    }
    say(words) { this.way.send(this.frames.encode({type: 'class', ...words})); }
    heard(state) {
      this.state = state;
      if (state.re === 'hand_in' && !state.failed) this.offered = null;
      if (state.re === 'assignment' && state.link) this.onLink(state.link);
      if (state.said) this.tell(state.said);
      this.draw();
    }
    // The connection is: what is asked, and what becomes of it, is not known until it comes again.
    gone() {
      this.state = this.state && {...this.state, poll: null};
      this.draw();
    }
    // A sentence, for a while.
    tell(text) {
      this.said = text;
      this.later(() => {
        if (this.said !== text) return;
        this.said = '';
        this.draw();
      }, kSaidFor);
      this.draw();
    }
    // A lesson's question was answered in the window: the board counts it.
    predicted(stage, choice, right) {
      if (this.way.current) this.say({do: 'predicted', stage, choice, right});
    }
    // A workspace that the window has saved.
    offer(name, text) {
      if (!name.endsWith('.lanewise') || text.length > kMostBytes) return;
      this.offered = {name, text};
      this.put = '';
      this.draw();
    }
    handIn() {
      if (!this.offered) return;
      if (!this.way.current) return this.tell('The server is not reached now. Try again in a moment.');
      this.tell('Handing in …');
      this.say({do: 'hand_in', workspace: this.offered.text});
    }
    async choose(file) {
      try {
        this.offered = await workspaceIn(file);
        this.handIn();
      } catch (error) {
        this.tell(error.message);
      }
    }
    // What is typed on the bar's buttons is not the window's, which listens to the whole page.
    keepKeys(page) {
      for (const kind of ['keydown', 'keypress', 'keyup'])
        page.addEventListener(kind, (event) => {
          if (event.target instanceof page.Element && this.place.contains(event.target)) event.stopImmediatePropagation();
        }, true);
    }

    make(name, text, attributes = {}) {
      const made = this.document.createElement(name);
      if (text) made.textContent = text;
      for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
      return made;
    }
    button(text, press, attributes = {}) {
      const made = this.make('button', text, {type: 'button', ...attributes});
      made.onclick = press;
      return made;
    }
    draw() {
      if (!this.state) return;
      const view = shown(this.state, this.offered), key = JSON.stringify([view, this.said, this.put, this.away]);
      if (key === this.drawn) return;
      this.drawn = key;
      const focused = this.document.activeElement && this.document.activeElement.id;
      const parts = [];
      if (view.poll) parts.push(this.pollPart(view.poll));
      if (view.assignment && this.away !== view.assignment.text) parts.push(this.assignmentPart(view.assignment));
      // Put away, what is due comes back with the next saved workspace.
      if (view.handIn && this.put !== view.handIn.text) parts.push(this.handInPart(view.handIn));
      if (this.said) parts.push(this.make('p', this.said, {role: 'status', class: 'said'}));
      this.place.replaceChildren(...parts);
      this.place.hidden = parts.length === 0;
      const again = focused && this.document.getElementById(focused);
      if (again && this.place.contains(again)) again.focus();
      this.makeRoom();
    }
    // The window begins below the bar, which is higher where it is narrower.
    makeRoom() {
      this.document.body.style.setProperty('--class-bar', this.place.hidden ? '0px' : `${this.place.offsetHeight}px`);
    }
    pollPart(poll) {
      const part = this.make('div', '', {role: 'group', 'aria-labelledby': 'class-question'});
      part.append(this.make('p', poll.question, {id: 'class-question'}));
      const row = this.make('div', '', {class: 'choices'});
      poll.choices.forEach((choice, i) => {
        const words = choice.count === null ? '' : ` · ${choice.count} ${choice.count === 1 ? 'vote' : 'votes'}${choice.right ? ' · right' : ''}`;
        const button = this.button(`${choice.label}  ${choice.text}${words}`, () => this.say({do: 'vote', poll: poll.number, choice: i}),
                                   {id: `class-choice-${i}`, 'aria-pressed': String(choice.mine), class: choice.right ? 'right' : ''});
        if (!poll.open) button.setAttribute('disabled', '');
        if (choice.count !== null) button.style.setProperty('--share', `${Math.round(100 * choice.share)}%`);
        row.append(button);
      });
      part.append(row, this.make('p', poll.explain ? `${poll.hint} ${poll.explain}` : poll.hint, {'aria-live': 'polite', class: 'hint'}));
      return part;
    }
    assignmentPart(assignment) {
      const part = this.make('p', '', {class: 'assignment'});
      const put = () => { this.away = assignment.text; this.draw(); };
      part.append(this.make('span', assignment.text), this.button('Open it', () => { this.say({do: 'assignment'}); put(); }, {id: 'class-assignment'}),
                  this.button('Put away', put, {id: 'class-assignment-away'}));
      return part;
    }
    handInPart(handIn) {
      const part = this.make('p', '', {class: 'hand-in'});
      part.append(this.make('span', handIn.text));
      if (handIn.button) part.append(this.button(handIn.button, () => this.handIn(), {id: 'class-hand-in'}));
      const field = this.make('input', '', {type: 'file', accept: '.lanewise', hidden: ''});
      field.onchange = () => field.files[0] && this.choose(field.files[0]);
      part.append(field, this.button('Hand in a file …', () => field.click(), {id: 'class-file'}),
                  this.button('Put away', () => { this.put = handIn.text; this.draw(); }, {id: 'class-put-away'}));
      return part;
    }
  }

  return {Bar, shown, workspaceIn};
})();

if (typeof module !== 'undefined') module.exports = lanewiseClass;
