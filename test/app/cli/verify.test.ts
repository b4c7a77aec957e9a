/** Whatever is done to a log, the verifier finds it and says where. */
import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { StoredEvent } from '../../../src/infrastructure/event-store/event-store.ts';
import { contentHashOf, sealed } from '../../../src/infrastructure/event-store/seal.ts';
import { firstSteps, live } from '../../simulation/life.ts';
import { faultIn, verify } from '../../support/resources/verify.ts';

const verifier = resolve(import.meta.dirname, '../../../src/app/cli/verify/verify.mjs');

let log: readonly StoredEvent[];

beforeAll(async () => {
  log = (await live({ seed: 7, steps: firstSteps(120) })).stored;
});

/** Places all over the log, but its last. */
const some = () => Array.from({ length: 23 }, (_, n) => Math.floor((n * (log.length - 2)) / 22));

/** The log with one event replaced. */
const withEvent = (n: number, change: (event: StoredEvent) => StoredEvent) =>
  log.map((event, i) => (i === n ? change(structuredClone(event)) : event));

/** The log with one event changed, and every hash of its stream made again. */
function forged(n: number, change: (event: StoredEvent) => StoredEvent): readonly StoredEvent[] {
  const events = withEvent(n, change);
  const { stream } = events[n] as StoredEvent;
  const own = events.filter((event) => event.stream === stream);
  const again = new Map(
    sealed(stream, { revision: -1, hash: undefined }, own).map((event) => [event.id, event]),
  );
  return events.map((event) => ({ ...event, ...again.get(event.id) }));
}

/** Every revision and every hash made again. */
const rechained = (events: readonly StoredEvent[]): readonly StoredEvent[] =>
  [...Map.groupBy(events, ({ stream }) => stream)]
    .flatMap(([stream, own]) => {
      const again = sealed(stream, { revision: -1, hash: undefined }, own);
      return own.map((event, revision) => ({ ...event, ...again[revision], revision }));
    })
    .toSorted((one, other) => Number(one.position - other.position));

const indexOf = (isIt: (event: StoredEvent) => boolean) => {
  const n = log.findIndex(isIt);
  expect(n).toBeGreaterThanOrEqual(0);
  return n;
};

it('counts nothing for a platform that came late to a stream that it had left', () => {
  const credit = log[indexOf(({ type }) => type === 'AccountCredited')] as StoredEvent;
  const { stream, metadata } = credit;
  const { platformId, at } = metadata;
  const behind = (n: number, event: StoredEvent): StoredEvent => ({
    ...event,
    id: randomUUID(),
    position: BigInt(log.length + n),
  });
  const founded: StoredEvent = {
    ...credit,
    stream: `installation-${randomUUID()}`,
    type: 'InstallationFounded',
    data: { environment: 'sandbox', at },
  };
  const generation = 1;
  const restored: StoredEvent = {
    ...credit,
    stream: `restorations-${randomUUID()}`,
    type: 'PlatformStateRestored',
    data: {
      platformId,
      snapshotId: `Snapshot:${randomUUID()}`,
      generation,
      streams: [stream],
      at,
    },
  };
  const after = (...events: readonly StoredEvent[]) =>
    faultIn(rechained([...log, ...events.map((event, n) => behind(n + 1, event))]))?.what;
  expect(after(founded, credit)).toMatch(/holds .*; its entry says/);
  expect(after(founded, restored, credit)).toBeUndefined();
  const goneOn = { ...credit, stream: `${stream}.${generation}` };
  expect(after(founded, restored, goneOn, goneOn)).toMatch(/holds .*; its entry says/);
});

it('is a file that can be read at one sitting', () => {
  const text = readFileSync(verifier, 'utf8');
  expect(text.trimEnd().split('\n').length).toBeLessThanOrEqual(420);
  expect([...text.matchAll(/ from '([^']+)'/g)].map(([, name]) => name)).toEqual(
    ['crypto', 'fs', 'path', 'util', 'zlib'].map((name) => `node:${name}`),
  );
});

it('finds nothing wrong with a log', () => {
  expect(log.length).toBeGreaterThan(100);
  expect(verify(log)).toMatchObject({ isRight: true, events: log.length, unsealed: 0 });
});

describe('one bit of an event', () => {
  /** The text of an event with one bit of one character flipped, where it is JSON then. */
  const flipped = (text: string, at: number, bit: number): unknown => {
    const changed = String.fromCharCode(text.charCodeAt(at) ^ (1 << bit));
    try {
      return JSON.parse(text.slice(0, at) + changed + text.slice(at + 1));
    } catch {
      return undefined;
    }
  };

  it.each(['data', 'metadata', 'id', 'type', 'stream', 'revision'] as const)('is found in %s', (part) => {
    let tried = 0;
    for (const n of some()) {
      const event = log[n] as StoredEvent;
      const text = JSON.stringify(event[part]);
      const value = flipped(text, (n * 31) % text.length, n % 5);
      if (value === undefined || JSON.stringify(value) === text) continue;
      tried += 1;
      const fault = faultIn(withEvent(n, (one) => ({ ...one, [part]: value }) as StoredEvent));
      expect(fault?.position, `${event.type} at ${event.position}`).toBe(Number(event.position));
    }
    expect(tried).toBeGreaterThan(5);
  });
});

describe('what is found', () => {
  it('is an event that was taken out, at the next of its stream, or of the log', () => {
    for (const n of some()) {
      const gone = log[n] as StoredEvent;
      const left = log.filter((_, i) => i !== n);
      const next = left.find(({ stream, revision }) => stream === gone.stream && revision > gone.revision);
      const expected = next ?? left[n];
      // Money may be missed before.
      const { position = 0 } = faultIn(left) ?? {};
      expect(position, `${gone.stream} ${gone.revision}`).toBeGreaterThan(Number(gone.position));
      expect(position).toBeLessThanOrEqual(Number(expected?.position));
    }
  });

  it('is the order of two events', () => {
    for (const n of some()) {
      const [one, other] = [log[n], log[n + 1]] as [StoredEvent, StoredEvent];
      const swapped = [...log];
      swapped[n] = other;
      swapped[n + 1] = one;
      // What comes too early follows nothing, or what came too late does not follow.
      expect([one.position, other.position].map(Number)).toContain(faultIn(swapped)?.position);
      // In each other's places of their streams.
      swapped[n] = { ...other, position: one.position, stream: one.stream, revision: one.revision };
      swapped[n + 1] = { ...one, position: other.position, stream: other.stream, revision: other.revision };
      expect(faultIn(swapped)?.position).toBe(Number(one.position));
    }
  });

  it('is an event that says it is older than the chain', () => {
    const n = indexOf(({ revision }) => revision === 1);
    const stripped = withEvent(n, (event) => {
      const { hash: _, previousHash: __, ...rest } = event.metadata;
      return { ...event, metadata: rest };
    });
    expect(faultIn(stripped)?.what).toMatch(/has no hash/);
  });
});

describe('with all hashes made again', () => {
  const posted = (event: StoredEvent) => Array.isArray(event.data.postings);
  const money = (event: StoredEvent) =>
    event.data as { postings: { account: string; minor: string }[]; balanceAfter: string };

  it('money from nowhere is found', () => {
    const n = indexOf(posted);
    const wrong = forged(n, (event) => {
      const { postings } = money(event);
      const [first, ...rest] = postings as [{ account: string; minor: string }];
      const more = { ...first, minor: String(BigInt(first.minor) + 1n) };
      return { ...event, data: { ...event.data, postings: [more, ...rest] } };
    });
    expect(contentHashOf(wrong[n] as StoredEvent)).toBe(wrong[n]?.metadata.hash);
    expect(faultIn(wrong)).toMatchObject({
      position: n + 1,
      what: expect.stringMatching(/out of balance by 1 /),
    });
  });

  it('an entry that says another balance is found', () => {
    const n = indexOf(({ type }) => type === 'AccountCredited');
    const wrong = forged(n, (event) => ({ ...event, data: { ...event.data, balanceAfter: '999999' } }));
    expect(faultIn(wrong)).toMatchObject({
      position: n + 1,
      what: expect.stringMatching(/its entry says 999999/),
    });
  });

  it('an entry that says another amount than its postings is found', () => {
    const n = indexOf(({ type }) => type === 'AccountDebited');
    const wrong = forged(n, (event) => {
      const { currency } = event.data.amount as { currency: string };
      return { ...event, data: { ...event.data, amount: { currency, minor: '999999' } } };
    });
    expect(faultIn(wrong)).toMatchObject({
      position: n + 1,
      what: expect.stringMatching(/^the entry is of -999999, and its postings are of -\d+$/),
    });
  });

  it('an entry that brings another currency with it is found', () => {
    const n = indexOf(({ type }) => type === 'AccountCredited');
    const wrong = forged(n, (event) => {
      const { postings } = money(event);
      const account = String(event.data.accountId);
      const more = [
        { account, currency: 'XAU', minor: '5' },
        { account: 'rail', currency: 'XAU', minor: '-5' },
      ];
      return { ...event, data: { ...event.data, postings: [...postings, ...more] } };
    });
    expect(faultIn(wrong)).toMatchObject({
      position: n + 1,
      what: expect.stringMatching(/^the event is no entry of InternalAccount:\S+ in XAU, and changes it$/),
    });
  });

  it("an entry in another account's stream is found", () => {
    const n = indexOf(({ type }) => type === 'AccountCredited');
    const { stream: other = '' } =
      log.find(({ type, stream }) => type === 'AccountOpened' && stream !== log[n]?.stream) ?? {};
    const wrong = rechained(
      log
        .slice(0, n + 1)
        .filter(({ stream }, i) => i === n || stream !== log[n]?.stream)
        .map((event) => (event.id === log[n]?.id ? { ...event, stream: other } : event)),
    );
    expect(faultIn(wrong, 'growing')).toMatchObject({
      position: n + 1,
      what: expect.stringMatching(/^InternalAccount:\S+ has an entry in another stream$/),
    });
  });

  it('data of another shape are found', () => {
    const n = indexOf(({ type }) => type === 'AccountOpened');
    const wrong = forged(n, (event) => ({ ...event, data: { ...event.data, currency: 5 } }));
    expect(faultIn(wrong)).toMatchObject({
      position: n + 1,
      what: expect.stringMatching(/schema of AccountOpened/),
    });
  });

  it('a payment that ends with money in flight is found', () => {
    const n = indexOf(({ type, data }) => type === 'TransactionCompleted' && data.postings !== undefined);
    const wrong = forged(n, (event) => {
      const { postings: _, ...data } = event.data;
      return { ...event, data };
    });
    expect(faultIn(wrong)).toMatchObject({ position: n + 1, what: expect.stringMatching(/is in flight/) });
  });
});

describe('what cannot be used is told in one line, and what to change', () => {
  const folder = mkdtempSync(join(tmpdir(), 'daybook-verify-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  const key = `daybook/0199+c74f20a3+${'A'.repeat(44)}`;
  for (const [name, content] of [
    ['other.json', '{"a":1}\n'],
    ['text.ndjson', 'text\n'],
    ['text.gz', 'text\n'],
    ['cut.gz', gzipSync('{"a":1}\n').subarray(0, 20)],
  ] as const)
    writeFileSync(join(folder, name), content);

  it.each([
    [[], 2, /^One export has to be named\. Usage: node verify\.mjs LOG/],
    [['one', 'other'], 2, /^One export has to be named/],
    [['other.json', '--schema', 'x'], 2, /^Unknown option '--schema'/],
    [['other.json', '--key'], 2, /^Option '--key <value>' argument missing\. Usage/],
    [['other.json', '--key', 'xx'], 2, /^xx is no key: one is like daybook\//],
    [['other.json', '--checkpoints', 'other.json'], 2, /^--checkpoints needs --key/],
    [['none.gz'], 3, /^There is no file or folder none\.gz\.$/],
    [['none.ndjson'], 3, /^There is no file or folder none\.ndjson\.$/],
    [['other.json', '--schemas', 'none'], 3, /^There is no file or folder none\.$/],
    [['other.json', '--checkpoints', 'none', '--key', key], 3, /^There is no file or folder none\.$/],
    [['other.json'], 1, /^other\.json is not an export of a log, at line 1: no event: \{"a":1\}$/],
    [['text.ndjson'], 1, /^text\.ndjson is not an export of a log, at line 1: /],
    [['text.gz'], 1, /^text\.gz is not an export of a log: incorrect header check$/],
    [['cut.gz'], 1, /^cut\.gz is not an export of a log.*: /],
    [['other.json', '--schemas', '.'], 1, /^\S+ is not a schema: /],
    [['other.json', '--schemas', 'text.gz'], 1, /^text\.gz is not a folder of schemas: /],
    [['other.json', '--checkpoints', 'other.json', '--key', key], 1, /^other\.json is not a file of signed/],
    [['other.json', '--checkpoints', 'text.gz', '--key', key], 1, /^text\.gz is not a file of signed/],
  ] as const)('%j', (args, code, told) => {
    const run = spawnSync(process.execPath, [verifier, ...args], { cwd: folder, encoding: 'utf8' });
    expect(run).toMatchObject({ status: code, stdout: '', stderr: expect.stringMatching(/^.+\n$/) });
    expect(run.stderr.trimEnd()).toMatch(told);
  });
});
