/** What an operator who signs as they please can write into an export, and what the verifier says of it. */
import { spawnSync } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
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

  it('are not two logs', () => {
    keep(JSON.stringify({ data: [log, rewritten()].map((events) => ({ note: noteOf(events, size) })) }));
    expect(verified(whole(log), ...options)).toEqual({
      status: 4,
      said: `${origin} has signed two checkpoints of ${size} events, and their roots differ`,
    });
  });
});
