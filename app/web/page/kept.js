// What the window writes below /state, kept by the browser (IndexedDB) file by file, and whose turn it is to
// keep: the tab's that was opened last. An older one hands over what it has, and keeps no more.
'use strict';

const kDatabase = 'lanewise', kFiles = 'files';  // the bytes by their path

const answered = (request) => new Promise((done, fail) => {
  request.onsuccess = () => done(request.result);
  request.onerror = () => fail(request.error);
});

function filesBelow(FS, folder) {
  return FS.readdir(folder).filter((name) => name !== '.' && name !== '..').flatMap((name) => {
    const path = `${folder}/${name}`;
    return FS.isDir(FS.stat(path).mode) ? filesBelow(FS, path) : [path];
  });
}

// Rejects where the browser keeps nothing of this page. A browser takes a while for its first one.
async function lanewiseDatabase() {
  const opening = indexedDB.open(kDatabase);
  opening.onupgradeneeded = () => opening.result.createObjectStore(kFiles);
  return answered(opening);
}

class LanewiseKeeper {
  constructor(FS, folder) {
    Object.assign(this, {FS, folder, database: null, kept: new Map()});
  }

  // Puts what was kept into the folder. database: lanewiseDatabase(), whose fault this is then.
  async open(database) {
    this.database = await database;
    this.database.onversionchange = () => this.database.close();
    const files = this.database.transaction(kFiles).objectStore(kFiles);
    const [names, contents] = await Promise.all([answered(files.getAllKeys()), answered(files.getAll())]);
    names.forEach((path, i) => {
      this.FS.mkdirTree(path.slice(0, path.lastIndexOf('/')));
      this.FS.writeFile(path, contents[i]);
      this.kept.set(path, this.stamp(path));
    });
  }

  // Another one after each change: a file that is written anew is another node.
  stamp(path) {
    const {node} = this.FS.lookupPath(path);
    return `${node.id} ${node.usedBytes} ${+new Date(node.timestamp)}`;
  }

  // Hands all that has changed to the browser before it returns, since a page that is left has no time
  // after. Rejects where the browser does not take it; the next call tries again.
  async keep() {
    if (!this.database) return;
    const before = this.kept, now = new Map(filesBelow(this.FS, this.folder).map((path) => [path, this.stamp(path)]));
    const changed = [...now.keys()].filter((path) => before.get(path) !== now.get(path));
    const gone = [...before.keys()].filter((path) => !now.has(path));
    if (!changed.length && !gone.length) return;
    const transaction = this.database.transaction(kFiles, 'readwrite'), files = transaction.objectStore(kFiles);
    const ended = new Promise((done, fail) => {
      transaction.oncomplete = () => done();
      transaction.onabort = () => fail(transaction.error || new Error('it takes no more'));
    });
    for (const path of changed) files.put(this.FS.readFile(path), path);
    for (const path of gone) files.delete(path);
    if (transaction.commit) transaction.commit();
    this.kept = now;
    await ended.catch((error) => {
      this.kept = before;  // all of it once more
      throw error;
    });
  }
}

// ---- Whose turn it is

const kTurn = 'lanewise-keeps', kPatienceWithOthers = 1500;  // ms; a tab that sleeps does not answer

class LanewiseTurn {
  // handOver() -> Promise: called where a newer tab asks; what is to be kept has to be kept by then.
  // given(): called after that.
  constructor(storage, handOver, given) {
    Object.assign(this, {storage, me: `${Date.now()}-${Math.random()}`, taken: false, heard: () => {}});
    this.channel = typeof BroadcastChannel === 'function' ? new BroadcastChannel(kTurn) : null;
    if (!this.channel) return;
    this.channel.onmessage = async ({data}) => {
      if (data.to === this.me) this.heard();
      if (!data.asks || !this.mine()) return;
      await handOver();
      this.taken = false;
      this.channel.postMessage({to: data.asks});
      given();
    };
  }
  mine() { return this.taken && (this.storage.getItem(kTurn) ?? this.me) === this.me; }
  // Waits for the tab that has it, where there is one.
  async take() {
    if (this.channel && this.storage.getItem(kTurn)) {
      const given = new Promise((done) => { this.heard = done; });
      this.channel.postMessage({asks: this.me});
      await Promise.race([given, new Promise((done) => setTimeout(done, kPatienceWithOthers))]);
    }
    this.storage.setItem(kTurn, this.me);
    this.taken = true;
  }
  end() {
    if (this.mine()) this.storage.removeItem(kTurn);
  }
}
