// The service worker: after the first visit the page works without a network. It keeps the files that
// files.json names, and nothing else. A new version of the page is a new version of this file (pack.py writes
// its number here); it takes the old one's place as a whole, as soon as no tab runs that any more.
'use strict';

const version = 'VERSION', store = `lanewise-${version}`, list = 'files.json';

// The program and its content at once; the compiled stages one by one, as they are wanted, and then the rest
// of them (window.js).
async function keepAll() {
  const {files} = await (await fetch(list, {cache: 'no-cache'})).json();
  const names = files.map((file) => file.name).filter((name) => !name.startsWith('assets/'));
  const kept = await caches.open(store);
  await kept.addAll([list, './', ...names].map((name) => new Request(name, {cache: 'no-cache'})));
}
async function dropOlder() {
  for (const name of await caches.keys())
    if (name.startsWith('lanewise-') && name !== store) await caches.delete(name);
}

// What is here comes from here; what is not is fetched, and kept where it is one of the page's files.
async function answer(request) {
  const here = await caches.open(store), kept = await here.match(request, {ignoreSearch: true});
  if (kept) return kept;
  const come = await fetch(request);
  if (come.ok && request.url.includes('/assets/programs/')) await keepWhole(here, request, come.clone()).catch(() => {});
  return come;
}
// What was cut on the way is fetched anew the next time.
async function keepWhole(here, request, come) {
  const bytes = (await come.clone().arrayBuffer()).byteLength, {pathname} = new URL(request.url);
  const {files} = await (await here.match(list)).json();
  if (files.some((file) => pathname.endsWith(`/${file.name}`) && file.bytes === bytes)) await here.put(request, come);
}

addEventListener('install', (event) => event.waitUntil(keepAll()));
addEventListener('activate', (event) => event.waitUntil(dropOlder().then(() => clients.claim())));
addEventListener('fetch', (event) => {
  if (event.request.method !== 'GET' || !event.request.url.startsWith(registration.scope)) return;
  if (/\/(engine|board)(\.json)?$/.test(new URL(event.request.url).pathname)) return;  // a server's, of this moment
  event.respondWith(answer(event.request));
});
// A page that has loaded nothing yet asks for that; other tabs may run the old version.
addEventListener('message', (event) => {
  if (event.data !== 'take over') return;
  const here = (page) => page.url.startsWith(registration.scope);
  event.waitUntil(clients.matchAll({includeUncontrolled: true}).then((open) => open.filter(here).length <= 1 && skipWaiting()));
});
