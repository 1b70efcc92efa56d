// Fingers and the wheel, as the window knows a mouse. One finger is the mouse: where it goes down, the pointer
// is a frame before the button, so that what lies there knows. Two fingers scroll, as on a page; drawn apart or
// together they bring closer or away what the wheel does, and elsewhere make everything larger or smaller.
'use strict';

const kPixelsOfNotch = 100, kLinesOfNotch = 3;  // of a mouse's wheel
const kPinchBegins = 24, kPinchStep = 1.12;     // pixels; of the distance between two fingers
const kStill = 8;                               // pixels; a finger that moved less has drawn nothing

// zoom(direction): what is between the fingers is to be larger (1) or smaller (-1).
function listenToPointer(canvas, zoom) {
  const mouse = (kind, at) => canvas.dispatchEvent(new MouseEvent(kind, {
    clientX: at.clientX, clientY: at.clientY, button: 0, buttons: kind === 'mousedown' ? 1 : 0, bubbles: true, cancelable: true}));
  const later = (what) => requestAnimationFrame(() => requestAnimationFrame(what));
  const away = {clientX: -1000, clientY: -1000};

  // ---- The wheel. GLFW takes a browser's pixels for notches, and down for up.
  const notches = new WeakSet();
  function turnWheel(at, x, y) {
    const event = new WheelEvent('wheel', {deltaX: -x, deltaY: -y, clientX: at.clientX, clientY: at.clientY, bubbles: true, cancelable: true});
    notches.add(event);
    canvas.dispatchEvent(event);
  }
  canvas.addEventListener('wheel', (event) => {
    if (notches.has(event)) return;
    event.stopImmediatePropagation();
    if (event.ctrlKey) return;  // the browser's own zoom
    event.preventDefault();
    const mode = event.deltaMode, all = mode === 1 ? kLinesOfNotch : mode === 2 ? 1 : kPixelsOfNotch;
    turnWheel(event, event.deltaX / all, event.deltaY / all);
  }, {capture: true, passive: false});

  // ---- One finger
  let press = null;
  function begin(touch) {
    const mine = (press = {at: touch, down: false, dropped: false, ended: null});
    canvas.focus();
    mouse('mousemove', touch);
    later(() => {
      if (mine.dropped) return;
      mouse('mousedown', touch);
      mine.down = true;
      if (mine.ended) later(() => mouse('mouseup', mine.ended));
    });
  }
  function draw(touch) {
    if (press) mouse('mousemove', touch);
  }
  function end(touch) {
    if (!press) return;
    if (press.down) later(() => mouse('mouseup', touch));
    press.ended = touch;
    press = null;
  }
  // A second finger: the first one has pressed nothing, unless it has drawn something already. What has gone down
  // goes up where nothing lies, and the two wait for that: else they would find the pointer there.
  let dropping = false;
  function drop(touch) {
    if (!press) return;
    if (Math.hypot(touch.clientX - press.at.clientX, touch.clientY - press.at.clientY) > kStill) return end(touch);
    press.dropped = true;
    if (press.down) {
      dropping = true;
      mouse('mousemove', away);
      later(() => {
        mouse('mouseup', away);
        later(() => {
          dropping = false;
          if (held) movePair(held);
          held = null;
        });
      });
    }
    press = null;
  }

  // ---- Two fingers
  let pair = null, held = null;  // held: it waits until the first finger's press is gone
  const pairOf = ([a, b]) => ({
    clientX: (a.clientX + b.clientX) / 2, clientY: (a.clientY + b.clientY) / 2,
    apart: Math.hypot(a.clientX - b.clientX, a.clientY - b.clientY)});
  function movePair(pair) {
    const now = pair.now;
    const moved = Math.hypot(now.clientX - pair.first.clientX, now.clientY - pair.first.clientY);
    if (!pair.pinches && !pair.scrolls) {
      pair.pinches = Math.abs(now.apart - pair.first.apart) > kPinchBegins;
      pair.scrolls = !pair.pinches && moved > kStill;
    }
    if (pair.scrolls || pair.pinches) mouse('mousemove', now);
    if (pair.scrolls) {
      turnWheel(now, (pair.last.clientX - now.clientX) / kPixelsOfNotch, (pair.last.clientY - now.clientY) / kPixelsOfNotch);
    }
    // A frame later, as for one finger: what lies between the fingers knows of the pointer then.
    for (; pair.pinches && now.apart > pair.apart * kPinchStep; pair.apart *= kPinchStep) later(() => zoom(1));
    for (; pair.pinches && now.apart < pair.apart / kPinchStep; pair.apart /= kPinchStep) later(() => zoom(-1));
    pair.last = now;
  }

  function heard(event) {
    event.preventDefault();
    event.stopImmediatePropagation();
    const touch = event.changedTouches[0], fingers = event.touches.length;
    if (event.type === 'touchmove' && pair && fingers === 2) {
      pair.now = pairOf(event.touches);
      return dropping ? undefined : movePair(pair);
    }
    if (event.type === 'touchmove') return draw(touch);
    if (event.type === 'touchstart' && fingers === 1) return begin(touch);
    if (event.type === 'touchstart') {
      drop(event.touches[0]);
      const first = pairOf(event.touches);
      pair = fingers === 2 ? {first, last: first, now: first, apart: first.apart, pinches: false, scrolls: false} : null;
      held = dropping ? pair : null;
      return;
    }
    pair = null;
    if (fingers === 0) end(touch);
  }
  for (const kind of ['touchstart', 'touchmove', 'touchend', 'touchcancel'])
    canvas.addEventListener(kind, heard, {capture: true, passive: false});
}
