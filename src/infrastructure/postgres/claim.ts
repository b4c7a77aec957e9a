import { readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { createConnection, createServer, type Server } from 'node:net';
import { basename, dirname } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { systemIds } from '../../kernel/ids.ts';

/** A live process that does not say in this time how far its claim is counts as the owner. */
const answerWithinMs = 1_000;
/** After a turn that took long, timers come before what has arrived meanwhile: it is read in this time. */
const readWithinMs = 100;
const askAgainAfterMs = 5;

const standings = ['dead', 'claiming', 'claimed'] as const;
type Standing = (typeof standings)[number];
const isStanding = (text: string): text is Standing => (standings as readonly string[]).includes(text);

export type Claim = {
  readonly won: true;
  /** Leaves a note for those who lose to this claim. */
  note(text: string): Promise<void>;
  release(): Promise<void>;
};

/** Another process has the path, and perhaps left this note. */
type Lost = { readonly won: false; readonly note: string | undefined };

/**
 * Claims `path` for this process alone, unless another one has it. Of several claims at the same moment exactly
 * one wins, and a claim ends with its process, however that ends.
 *
 * Each claimant listens on a Unix socket of its own, `<path>.<random>.sock`, and then asks all others. It wins when no
 * other lives: of two claimants the one that listened later sees the earlier one, so both cannot win. It gives way to
 * an owner, and to a claimant whose name sorts before its own, so one of them always wins. A socket gets its name when
 * it listens, so a named one that refuses connections is dead for ever, and may be removed.
 */
export async function claimPath(path: string): Promise<Claim | Lost> {
  const own = `${path}.${systemIds.uuid().slice(-8)}.sock`;
  let standing: Standing = 'claiming';
  const server = createServer((connection) => {
    connection.once('error', () => connection.destroy());
    connection.end(standing);
  });
  await listenAs(server, own);
  const release = async () => {
    standing = 'dead';
    await rm(noteOf(own), { force: true });
    await rm(own, { force: true });
    await new Promise<void>((done) => server.close(() => done()));
  };
  let lost: Lost;
  try {
    for (;;) {
      const others = await othersOf(path, own);
      if (others.length === 0) {
        standing = 'claimed';
        return { won: true, note: (text) => leaveNote(own, text), release };
      }
      const owner = others.find((other) => other.standing === 'claimed' || other.name < own);
      if (owner) {
        lost = { won: false, note: await readFile(noteOf(owner.name), 'utf8').catch(() => undefined) };
        break;
      }
      await setTimeout(askAgainAfterMs);
    }
  } catch (error) {
    await release();
    throw error;
  }
  await release();
  return lost;
}

const noteOf = (socket: string) => socket.replace(/sock$/, 'json');

/** Whole or not at all. Nobody needs it to tell who has the claim. */
async function leaveNote(socket: string, text: string): Promise<void> {
  const draft = `${noteOf(socket)}.draft`;
  const left = writeFile(draft, text, { mode: 0o600 }).then(() => rename(draft, noteOf(socket)));
  await left.catch(() => rm(draft, { force: true }));
}

async function listenAs(server: Server, name: string): Promise<void> {
  const draft = `${name}.draft`;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(draft, resolve);
  });
  server.unref();
  await rename(draft, name);
}

/** The living claimants of the path besides one's own; what dead ones left is removed. */
async function othersOf(path: string, own: string): Promise<{ name: string; standing: Standing }[]> {
  const prefix = `${basename(path)}.`;
  const names = (await readdir(dirname(path)))
    .filter((name) => name.startsWith(prefix) && name.endsWith('.sock'))
    .map((name) => `${dirname(path)}/${name}`)
    .filter((name) => name !== own);
  const all = await Promise.all(names.map(async (name) => ({ name, standing: await standingOf(name) })));
  await Promise.all(
    all
      .filter(({ standing }) => standing === 'dead')
      .flatMap(({ name }) => [noteOf(name), name])
      .map((name) => rm(name, { force: true })),
  );
  return all.filter(({ standing }) => standing !== 'dead');
}

async function standingOf(socket: string): Promise<Standing> {
  for (;;) {
    const answer = await ask(socket);
    if (answer !== 'gone meanwhile') return answer;
  }
}

function ask(socket: string): Promise<Standing | 'gone meanwhile'> {
  return new Promise((resolve) => {
    let connected = false;
    let answer = '';
    const settle = (standing: Standing | 'gone meanwhile') => {
      connection.destroy();
      resolve(standing);
    };
    const connection = createConnection(socket);
    const late = () => setTimeout(readWithinMs).then(() => settle('claimed'));
    connection.setEncoding('utf8').setTimeout(answerWithinMs, late);
    connection.once('connect', () => {
      connected = true;
    });
    connection.on('data', (text) => {
      answer += text;
    });
    connection.once('end', () => settle(isStanding(answer) ? answer : 'gone meanwhile'));
    connection.once('error', () => settle(connected ? 'gone meanwhile' : 'dead'));
  });
}
