/** What an operator who signs as they please can write into an export, and what the verifier says of it. */
import { spawnSync } from 'node:child_process';
import { generateKeyPairSync, hash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Tree } from '../../../src/app/cli/verify/verify.mjs';
import type { StoredEvent } from '../../../src/infrastructure/event-store/event-store.ts';
import { sealed } from '../../../src/infrastructure/event-store/seal.ts';
import { rawPublicKey, signedNote, verifierKey } from '../../../src/infrastructure/log-tree/note.ts';
import { canonical } from '../../../src/kernel/json.ts';
import { firstSteps, live } from '../../simulation/life.ts';

const verifier = resolve(import.meta.dirname, '../../../src/app/cli/verify/verify.mjs');
const folder = mkdtempSync(join(tmpdir(), 'daybook-verify-exports-'));
afterAll(() => rmSync(folder, { recursive: true }));

const origin = 'daybook/0199';
const { privateKey } = generateKeyPairSync('ed25519');
const key = verifierKey(origin, rawPublicKey(privateKey));

let log: readonly StoredEvent[];

beforeAll(async () => {
  log = (await live({ seed: 7, steps: firstSteps(40) })).stored;
});

/** The first `size` events, signed. */
function noteOf(events: readonly StoredEvent[], size: number): string {
  const tree = new Tree();
  for (const { metadata } of events.slice(0, size)) tree.add(metadata.hash ?? '');
  return signedNote({ origin, size, root: Buffer.from(tree.root(), 'base64') }, privateKey);
}

/** The log with one event changed, and every hash of its stream made again. */
function forged(n: number, change: (event: StoredEvent) => StoredEvent): readonly StoredEvent[] {
  const events = log.map((event, i) => (i === n ? change(structuredClone(event)) : event));
  const { stream } = log[n] as StoredEvent;
  const own = events.filter((event) => event.stream === stream);
  const again = sealed(stream, { revision: -1, hash: undefined }, own);
  const byId = new Map(again.map(({ id, metadata }) => [id, metadata]));
  return events.map((event) => ({ ...event, metadata: byId.get(event.id) ?? event.metadata }));
}

const lineOf = ({ position, id, stream, revision, type, data, metadata }: StoredEvent): string =>
  canonical({ position, id, stream, revision, type, data, metadata });
const headOf = (...notes: readonly string[]): string => JSON.stringify({ checkpoints: notes, key });
const endOf = (events: number): string => JSON.stringify({ export: { events, positions: 'dense' } });

/** Its exit code, and what it writes. */
function verified(lines: readonly string[], ...options: readonly string[]) {
  writeFileSync(join(folder, 'log.ndjson'), `${lines.join('\n')}\n`);
  const args = [verifier, 'log.ndjson', ...options];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8' });
  return { status, said: (stdout + stderr).trimEnd() };
}

describe('checkpoints that were kept', () => {
  const size = 20;
  const whole = (events: readonly StoredEvent[], ...notes: readonly string[]) => [
    headOf(...notes, noteOf(events, events.length)),
    ...events.map(lineOf),
    endOf(events.length),
  ];
  const rewritten = () =>
    forged(3, (event) => ({ ...event, metadata: { ...event.metadata, actor: 'else' } }));
  const keep = (text: string) => writeFileSync(join(folder, 'kept'), text);
  const options = ['--checkpoints', 'kept', '--key', key];

  it('are those of a log that has only grown', () => {
    keep(noteOf(log, size));
    expect(verified(whole(log), ...options)).toMatchObject({ status: 0 });
    expect(verified(whole(log, noteOf(log, size)), ...options)).toMatchObject({ status: 0 });
  });

  it('are not outvoted by those of an export whose events were written anew', () => {
    keep(noteOf(log, size));
    const events = rewritten();
    expect(verified(whole(events), ...options)).toMatchObject({
      status: 4,
      said: expect.stringMatching(/^of events 1 to 20 one is not what the checkpoint was made of: at/),
    });
    expect(verified(whole(events, noteOf(events, size)), ...options)).toEqual({
      status: 4,
      said: `${origin} has signed two checkpoints of ${size} events, and their roots differ`,
    });
  });

  const [, id = '', encoded = ''] = key.split('+');
  const altered = (change: (note: string) => string) => {
    keep(change(noteOf(log, size)));
    return verified(whole(log), ...options);
  };
  const bytesOf = (note: string) => Buffer.from(note.trimEnd().split(' ')[2] ?? '', 'base64');

  it.each([
    ['another name', (note: string) => note.replace(`— ${origin} `, '— daybook/else ')],
    ['no dash', (note: string) => note.replace('— ', '- ')],
    [
      'the id of another key',
      (note: string) => {
        const bytes = bytesOf(note);
        const other = Buffer.concat([Buffer.from('00000000', 'hex'), bytes.subarray(4)]);
        return note.replace(bytes.toString('base64'), other.toString('base64'));
      },
    ],
  ])('are not signed by a line with %s', (_, change) => {
    const said = `the checkpoint of ${size} events is not signed by ${origin}`;
    expect(altered(change)).toEqual({ status: 4, said });
  });

  it('are signed also where somebody else has signed beside', () => {
    const more = `— witness/1 ${Buffer.alloc(68).toString('base64')}\n`;
    expect(altered((note) => note.replace('\n\n', `\n\n${more}`))).toMatchObject({ status: 0 });
  });

  it('are not of an export that names another key than that which is given', () => {
    const other = `${origin}+${id}+${encoded.slice(0, -1)}${encoded.endsWith('A') ? 'B' : 'A'}`;
    const [, ...others] = whole(log);
    const head = JSON.stringify({ checkpoints: [noteOf(log, log.length)], key: other });
    expect(verified([head, ...others], '--key', key)).toEqual({
      status: 4,
      said: `the export names ${other} as its key, which is ${key}`,
    });
  });

  it('are not two logs', () => {
    keep(JSON.stringify({ data: [log, rewritten()].map((events) => ({ note: noteOf(events, size) })) }));
    expect(verified(whole(log), ...options)).toEqual({
      status: 4,
      said: `${origin} has signed two checkpoints of ${size} events, and their roots differ`,
    });
  });
});

describe('a line', () => {
  /** The export with the first debit written as `change` has its text, which the hash is made of. */
  function rewritten(change: (text: string) => string): readonly string[] {
    const n = log.findIndex(({ type }) => type === 'AccountDebited');
    const { position, id, stream, revision, type, data, metadata } = log[n] as StoredEvent;
    const { hash: _, ...rest } = metadata;
    const text = change(canonical({ data, id, metadata: rest, revision, stream, type }));
    const line = text
      .replace('"previousHash"', `"hash":"${hash('sha256', text)}","previousHash"`)
      .replace('"revision":', `"position":${position},"revision":`);
    const lines = log.slice(0, n + 1).map((event, i) => (i === n ? line : lineOf(event)));
    return [...lines, endOf(n + 1)];
  }

  it('is that of its event', () => {
    expect(verified(rewritten((text) => text))).toMatchObject({ status: 0 });
  });

  it.each([
    ['a member twice, of which the first has another amount', '"amount":{"currency":"USD","minor":"1"},'],
    ['a number that is rounded', '"a":9007199254740993,'],
    ['a number that is written otherwise', '"a":1.0,'],
    ['a space', ' '],
  ])('with %s is refused, however it was hashed', (_, more) => {
    expect(verified(rewritten((text) => text.replace('"data":{', `"data":{${more}`)))).toMatchObject({
      status: 4,
      said: expect.stringMatching(
        /^the line is not the canonical JSON of the event: at position \d+, account-/,
      ),
    });
  });

  it('that does not end is given up before it fills the memory', () => {
    writeFileSync(join(folder, 'bomb.gz'), gzipSync(Buffer.alloc(1 << 28, 'a')));
    const args = ['--max-old-space-size=128', verifier, 'bomb.gz'];
    const run = spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8' });
    expect(run).toMatchObject({
      status: 1,
      stderr: 'bomb.gz is not an export of a log: a line of more than 16777216 characters\n',
    });
  });

  it('does not write on the terminal of who reads it', () => {
    const [first, ...others] = log;
    const stream = 'x\r\u001b[2K1035 events. All is right.\u202e';
    const lines = [lineOf({ ...(first as StoredEvent), stream }), ...others.map(lineOf)];
    for (const text of [lines, ['\u001b[2Jtext']]) {
      const { status, said } = verified(text);
      expect(status).not.toBe(0);
      expect(said).not.toMatch(/[\p{Cc}\p{Cf}]/u);
    }
    const forgedKey = key.replace('0199', '0199\u001b[2K');
    const { status, said } = verified([JSON.stringify({ checkpoints: [noteOf(log, 1)], key: forgedKey })]);
    expect([status, said]).toEqual([2, expect.stringMatching(/^daybook\/0199\\u\{1b\}\[2K\S+ is no key/)]);
  });
});

describe('an export', () => {
  it('in which an event is missing is told where', () => {
    const n = log.findIndex(
      ({ stream }, i) => i > 5 && !log.slice(i + 1).some((event) => event.stream === stream),
    );
    expect(n).toBeGreaterThan(0);
    const left = log.filter((_, i) => i !== n);
    const said = expect.stringMatching(`^an event before this one is missing: at position ${n + 2}, `);
    for (const count of [left.length, log.length])
      expect(verified([...left.map(lineOf), endOf(count)])).toEqual({ status: 4, said });
  });

  it('that is cut is told how much of it is there', () => {
    const cut = log.slice(0, 10).map(lineOf);
    expect(verified(cut)).toEqual({
      status: 4,
      said: 'the export is not whole: the last line, which says how many events there are, is missing',
    });
    expect(verified([...cut, endOf(11)])).toEqual({
      status: 4,
      said: 'the export is not whole: it has 10 events of 11',
    });
  });

  it('whose last line does not say how positions grow is not taken for one that may have gaps', () => {
    for (const end of [{ events: log.length }, { events: log.length, positions: 'denser' }])
      expect(verified([...log.map(lineOf), JSON.stringify({ export: end })])).toEqual({
        status: 4,
        said: 'the last line does not say whether positions are dense or growing',
      });
  });

  it.each([
    ['a member that is no part of an event', { approved: 'by the regulator' }],
    ['what the first line has', { checkpoints: [], key }],
    ['what the last line has', { export: { events: log?.length, positions: 'dense' } }],
    ['what says that it is a part', { part: {} }],
  ])('has no event with %s', (_, more) => {
    const [first, ...others] = log.map(lineOf);
    for (const n of [0, 5, log.length - 1]) {
      const { position, id, stream, revision, type, data, metadata } = log[n] as StoredEvent;
      const forgery = canonical({ position, id, stream, revision, type, data, metadata, ...more });
      const lines = [first, ...others].with(n, forgery) as string[];
      const said = expect.stringContaining('the line is not the canonical JSON of the event: at position');
      expect(verified([...lines, endOf(log.length)])).toEqual({ status: 4, said });
    }
  });

  it('has what only its first line may say nowhere else', () => {
    for (const line of [headOf(), JSON.stringify({ part: {} }), JSON.stringify({ checkpoints: [] })]) {
      const lines = [...log.slice(0, 5).map(lineOf), line, ...log.slice(5).map(lineOf), endOf(log.length)];
      const said = `log.ndjson is not an export of a log, at line 6: no event: ${line.slice(0, 40)}`;
      expect(verified(lines)).toEqual({ status: 1, said });
    }
  });

  it('has positions that are numbers, and the last one is that of its last event', () => {
    const lines = log.map(lineOf);
    const asText = lines.map((line) => line.replace(/"position":(\d+)/, '"position":"$1"'));
    expect(verified([...asText, endOf(log.length)])).toMatchObject({
      status: 4,
      said: expect.stringMatching(/^positions do not grow: at position 1, /),
    });
    const end = { events: log.length, positions: 'dense' };
    const endAt = (position: number) => JSON.stringify({ export: { ...end, position } });
    expect(verified([...lines, endAt(log.length)])).toMatchObject({ status: 0 });
    expect(verified([...lines, endAt(log.length + 1)])).toEqual({
      status: 4,
      said: `the last event is at ${log.length}, not ${log.length + 1}`,
    });
  });

  it.each([
    [[{ part: { after: 100 } }], {}],
    [[{ part: { platformId: 'Platform:1' } }], {}],
    [[], { after: 0, platformId: 'Platform:1' }],
    [[], { after: 5 }],
  ])('of a part of a log is told to be one: %j %j', (head, said) => {
    const own = log.filter(({ stream }) => stream === log.at(0)?.stream);
    const end = { export: { events: own.length, positions: 'growing', ...said } };
    const lines = [...head.map((one) => JSON.stringify(one)), ...own.map(lineOf), JSON.stringify(end)];
    const answer = { status: 1, said: 'log.ndjson is no whole log.' };
    for (const options of [[], ['--json']]) expect(verified(lines, ...options)).toEqual(answer);
  });

  it('that goes on after its last line is not whole', () => {
    expect(
      verified([...log.slice(0, -1).map(lineOf), endOf(log.length), lineOf(log.at(-1) as StoredEvent)]),
    ).toEqual({
      status: 4,
      said: 'a line follows the last one, which says how many events there are',
    });
  });

  it('whose hashes were taken off says so', () => {
    const bare = log.map((event) => {
      const { hash: _, previousHash: __, ...metadata } = event.metadata;
      return lineOf({ ...event, metadata });
    });
    expect(verified([...bare, endOf(bare.length)]).said).toContain(
      `, 0 of them signed, ${bare.length} without a hash and sealed by nothing. All is right.`,
    );
  });
});
