// The player's pages when the network is gone: a service worker for addresses below /p/.
//
// What is asked for comes from the network whenever there is one. A player's own page is kept on their phone as it was
// last seen, so that it still says where they play; nothing of it leaves the phone, and a link that has no page any
// more takes its page along. Files whose name bears a hash never change and come from the phone.
"use strict";

const PAGES = "ringside-pages-1";
const FILES = "ringside-files-1";
const NO_NETWORK = "/offline/";
const OWN = /^\/p\/[^/]+\/(qr\.png)?$/;
const HASHED = /\.[0-9a-f]{12}\.[a-z0-9]+$/;
const MOST = { [PAGES]: 12, [FILES]: 80 };
const PATIENCE = 6000;
const PART = "<!-- live -->";

addEventListener("install", (event) => {
  event.waitUntil(keep(PAGES, NO_NETWORK).then(() => skipWaiting()));
});

addEventListener("activate", (event) => {
  event.waitUntil(tidyUp().then(() => clients.claim()));
});

// The page that registered this worker was loaded without it and says what it is made of.
addEventListener("message", (event) => {
  const { page, files, language } = event.data || {};
  const wantedFiles = (files || []).filter((address) => new URL(address, location).pathname.startsWith("/static/"));
  const own = page && OWN.test(page) ? [keep(PAGES, page)] : [];
  event.waitUntil(Promise.allSettled([...own, keepNoNetwork(language || ""), ...wantedFiles.map((address) => keepOnce(FILES, address))]));
});

addEventListener("fetch", (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (url.origin !== location.origin) return;
  if (request.method === "GET" && url.pathname.startsWith("/static/")) event.respondWith(file(event, url));
  else if (request.method === "GET" && OWN.test(url.pathname)) event.respondWith(ownPage(event, url.pathname));
  else if (request.mode === "navigate") event.respondWith(fetch(request).catch(noNetwork));
});

// Sent by the server while the page is closed; the same news again takes the place of the first.
addEventListener("push", (event) => {
  const { title, body, page } = event.data?.json() ?? {};
  if (!page) return;
  const options = { body, tag: page, renotify: true, icon: "/static/ringside/icons/icon-192.png", data: { page } };
  event.waitUntil(registration.showNotification(title, options));
});

// A pressed notice leads to the page it speaks of.
addEventListener("notificationclick", (event) => {
  event.notification.close();
  const wantedPath = new URL(event.notification.data.page, location).pathname;
  event.waitUntil(
    clients.matchAll({ type: "window", includeUncontrolled: true }).then((open) => {
      const there = open.find((client) => new URL(client.url).pathname === wantedPath);
      return there ? there.focus() : clients.openWindow(wantedPath);
    }),
  );
});

// A script is not kept waiting until it is kept.
async function file(event, url) {
  const keptAnswer = await find(FILES, url.pathname);
  if (keptAnswer && HASHED.test(url.pathname)) return keptAnswer;
  try {
    const answer = await fetch(event.request);
    if (answer.status === 200) event.waitUntil(put(FILES, url.pathname, answer.clone()));
    return answer;
  } catch (problem) {
    if (keptAnswer) return keptAnswer;
    throw problem;
  }
}

// News that the page asks for itself must not come from yesterday: only whoever opens the page gets the kept one.
async function ownPage(event, path) {
  const isNews = event.request.headers.has("X-Ringside-Live");
  const keptAnswer = isNews ? undefined : await find(PAGES, path);
  try {
    const answer = await (keptAnswer ? inTime(fetch(event.request)) : fetch(event.request));
    const isThere = answer.status === 200 && !answer.redirected;
    if (isThere) event.waitUntil(isNews ? exchangePart(path, answer.clone()) : put(PAGES, path, answer.clone()));
    else if (answer.status === 404) event.waitUntil(forget(path));
    return answer;
  } catch (problem) {
    if (keptAnswer) return keptAnswer;
    if (event.request.mode === "navigate") return noNetwork();
    throw problem;
  }
}

// News of a page that is open comes without its frame: it takes the place of the old part in the page that is kept.
async function exchangePart(path, news) {
  const keptAnswer = await find(PAGES, path);
  const parts = keptAnswer ? (await keptAnswer.text()).split(PART) : [];
  const fresh = (await news.text()).split(PART)[1];
  if (parts.length !== 3 || !fresh) return;
  const headers = new Headers(keptAnswer.headers);
  for (const name of ["Content-Encoding", "Content-Length"]) headers.delete(name);
  await put(PAGES, path, new Response([parts[0], fresh, parts[2]].join(PART), { headers }));
}

// A network that neither answers nor fails is none.
function inTime(fetching) {
  return new Promise((resolve, reject) => {
    setTimeout(() => reject(new TypeError("no answer in time")), PATIENCE);
    fetching.then(resolve, reject);
  });
}

async function noNetwork() {
  const keptAnswer = await find(PAGES, NO_NETWORK);
  return keptAnswer || Response.error();
}

// The page for no network is kept in the language of the page that was opened last.
async function keepNoNetwork(language) {
  const keptAnswer = await find(PAGES, NO_NETWORK);
  if (keptAnswer && keptAnswer.headers.get("Content-Language") === language) return;
  await keep(PAGES, `${NO_NETWORK}?language=${encodeURIComponent(language)}`);
}

async function keep(where, address) {
  const answer = await fetch(address, { cache: "no-store" });
  if (answer.status === 200 && !answer.redirected) await put(where, new URL(address, location).pathname, answer);
}

async function keepOnce(where, address) {
  const path = new URL(address, location).pathname;
  if (!(await find(where, path))) await keep(where, address);
}

// The oldest make room; the page for no network was put first and stays.
async function put(where, path, answer) {
  const store = await caches.open(where);
  await store.delete(path, { ignoreVary: true });
  await store.put(path, answer);
  const keptRequests = (await store.keys()).filter((request) => new URL(request.url).pathname !== NO_NETWORK);
  for (const request of keptRequests.slice(0, Math.max(0, keptRequests.length - MOST[where]))) {
    await store.delete(request, { ignoreVary: true });
  }
}

// A store that cannot be read has nothing: the network answers.
async function find(where, path) {
  try {
    return await (await caches.open(where)).match(path, { ignoreVary: true });
  } catch {
    return undefined;
  }
}

async function forget(path) {
  const store = await caches.open(PAGES);
  const page = path.replace(/qr\.png$/, "");
  await Promise.all([page, `${page}qr.png`].map((each) => store.delete(each, { ignoreVary: true })));
}

async function tidyUp() {
  const names = await caches.keys();
  const old = names.filter((name) => name.startsWith("ringside-") && !(name in MOST));
  await Promise.all(old.map((name) => caches.delete(name)));
}
