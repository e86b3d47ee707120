// The lines of this account that the server has not accepted yet, stored in this browser (IndexedDB) and, by key, here.
export const ACCOUNT = document.body.dataset.account || "";
export const entries = new Map();
export const state = { isStorageFull: false, othersCount: 0 };

const UNSTORED = "ringside-entries-unstored";
const saving = new Map();
let database = null;

function openDatabase() {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open("ringside-entries", 1);
    request.onupgradeneeded = () => request.result.createObjectStore("entries", { keyPath: "key" });
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

// Strict durability: on the disk, so that even a crash of the machine does not lose it.
function inDatabase(mode, act) {
  return new Promise((resolve, reject) => {
    const transaction = database.transaction("entries", mode, { durability: "strict" });
    const request = act(transaction.objectStore("entries"));
    transaction.oncomplete = () => resolve(request.result);
    transaction.onabort = () => reject(transaction.error);
  });
}

export async function load() {
  try {
    database ??= await openDatabase();
    await storeHandedOver();
    const storedEntries = await inDatabase("readonly", (store) => store.getAll());
    state.othersCount = storedEntries.filter((entry) => entry.account !== ACCOUNT).length;
    const own = storedEntries.filter((entry) => entry.account === ACCOUNT && !entries.has(entry.key));
    for (const entry of own) entries.set(entry.key, { ...entry, isStored: true });
  } catch {
    state.isStorageFull = true;
  }
}
export const loading = load();

export function save(entry) {
  entries.set(entry.key, entry);
  const storing = write(entry);
  saving.set(entry.key, storing);
  return storing.finally(() => saving.get(entry.key) === storing && saving.delete(entry.key));
}

async function write(entry) {
  await loading;
  try {
    await inDatabase("readwrite", (store) => store.put(entry));
    entry.isStored = true;
  } catch {
    entry.isStored = false;
    state.isStorageFull = true;
  }
}

export async function remove(key) {
  entries.delete(key);
  await saving.get(key);
  try {
    await inDatabase("readwrite", (store) => store.delete(key));
  } catch {
    // It was never stored; or it is sent once more, and the server knows its key.
  }
}

// Sent once it is stored, unless another tab has sent it or opened it for a change.
export async function isStillWaiting(entry) {
  await saving.get(entry.key);
  if (entry.isStored) {
    const storedEntry = await inDatabase("readonly", (store) => store.get(entry.key)).catch(() => entry);
    if (!storedEntry) entries.delete(entry.key);
  }
  return entries.get(entry.key) === entry && entry.state === "waiting";
}

export function inOrder(wantedState, action = "") {
  const foundEntries = [...entries.values()].filter((entry) => entry.state === wantedState && (!action || entry.action === action));
  return foundEntries.sort((one, other) => one.at - other.at);
}

// A page that is left in the very moment of Enter hands over what the database had not confirmed yet.
addEventListener("pagehide", () => {
  const unsavedEntries = [...entries.values()].filter((entry) => saving.has(entry.key));
  if (unsavedEntries.length) localStorage.setItem(UNSTORED, JSON.stringify(unsavedEntries));
});

async function storeHandedOver() {
  const unsavedEntries = JSON.parse(localStorage.getItem(UNSTORED) || "[]");
  for (const entry of unsavedEntries) await inDatabase("readwrite", (store) => store.put(entry));
  localStorage.removeItem(UNSTORED);
}

addEventListener("beforeunload", (event) => {
  if ([...entries.values()].some((entry) => entry.isStored === false)) event.preventDefault();
});
