// Has the browser begin with its graphics. Where it has drawn nothing yet, the first context of WebGL takes up to a
// second, during which a page's own thread stands still; a Worker's does not matter. Without OffscreenCanvas the
// page's own context takes as long as it did.
'use strict';
let context = null;  // held until the page has its own
try {
  context = new OffscreenCanvas(1, 1).getContext('webgl2', {antialias: false, depth: false, stencil: false, alpha: false});
} catch (error) {
  // missingGraphics() in window.js says what there is
}
