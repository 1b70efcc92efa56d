// The service worker: after the first visit the page works without a network. It keeps the files that
// files.json names, and nothing else; a new version of them replaces the old one as a whole.
'use strict';

const list = 'files.json';
const storeOf = (version) => `lanewise-${version}`;

// The program and its content at once; the compiled stages one by one, as they are wanted.
async function keepAll() {
  const {version, files} = await (await fetch(list, {cache: 'no-store'})).json();
  const store = await caches.open(storeOf(version));
  await store.addAll([list, './', ...files.map((file) => file.name).filter((name) => !name.startsWith('assets/'))]);
  for (const name of await caches.keys())
    if (name.startsWith('lanewise-') && name !== storeOf(version)) await caches.delete(name);
}

// What is here comes from here; what is not is fetched, and kept where it is one of the page's files.
async function answer(request) {
  const kept = await caches.match(request, {ignoreSearch: true});
  if (kept) return kept;
  const come = await fetch(request);
  const [newest] = (await caches.keys()).filter((name) => name.startsWith('lanewise-')).slice(-1);
  if (come.ok && newest && request.url.includes('/assets/programs/'))
    await (await caches.open(newest)).put(request, come.clone());
  return come;
}

addEventListener('install', (event) => event.waitUntil(keepAll().then(() => skipWaiting())));
addEventListener('activate', (event) => event.waitUntil(clients.claim()));
addEventListener('fetch', (event) => {
  if (event.request.method !== 'GET' || !event.request.url.startsWith(registration.scope)) return;
  if (/\/(engine|board)(\.json)?$/.test(new URL(event.request.url).pathname)) return;  // a server's, of this moment
  event.respondWith(answer(event.request));
});
// A new version is looked for whenever the page is opened with a network.
addEventListener('message', (event) => {
  if (event.data === 'look') event.waitUntil(keepAll().catch(() => {}));
});
