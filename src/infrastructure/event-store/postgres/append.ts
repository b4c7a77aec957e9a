/** Appends that arrive together commit together: while one transaction commits, those that arrive wait for the next. */
import { RequestLate } from '../../away.ts';
import { arrayText } from '../../postgres/arrays.ts';
import { isUnanswered } from '../../postgres/away.ts';
import type { Pool } from '../../postgres/pool.ts';
import { isRefusedWith } from '../../postgres/violations.ts';
import { inBatches } from '../../scheduling/batches.ts';
import {
  type Appended,
  type ExpectedRevision,
  earliest,
  type NewEvent,
  type Proviso,
  type StoredEvent,
  WrongRevision,
} from '../event-store.ts';
import { lateCode, logSchema } from './schema.ts';

/** At most this many appends travel in one transaction. */
const groupMax = 256;

export type Waiting = {
  readonly stream: string;
  readonly expected: ExpectedRevision;
  readonly events: readonly NewEvent[];
  readonly proviso: Proviso | undefined;
  readonly resolve: (appended: Appended) => void;
  readonly reject: (error: unknown) => void;
};

type Committed = (events: readonly StoredEvent[], bytes: number) => void;

type Outcome = {
  readonly n: number;
  readonly outcome: 'appended' | 'repeated' | 'conflict';
  readonly revision: bigint;
  readonly position: bigint;
};

/**
 * `committed` is told what a group has added to the log, in order, and its bytes as JSON, before anybody who waits for
 * it.
 */
export const appendInGroups = (pool: Pool, committed: Committed): ((waiting: Waiting) => void) =>
  inBatches(groupMax, (group) => commit(pool, group, committed));

const revisionOf = (expected: ExpectedRevision) => (expected === 'none' ? -1 : expected);

/** Whether it is to be sent; whoever waits for one that is not is told why. */
function isStill({ proviso, reject }: Waiting): boolean {
  try {
    proviso?.requireStill();
    return true;
  } catch (error) {
    reject(error);
    return false;
  }
}

async function commit(pool: Pool, waiting: readonly Waiting[], committed: Committed): Promise<void> {
  const group = waiting.filter(isStill);
  if (group.length === 0) return;
  let sent: { readonly outcomes: readonly Outcome[]; readonly bytes: number };
  try {
    sent = await send(pool, group);
  } catch (error) {
    // One append that is late, or that Postgres cannot store, must not fail those that happened to travel with it. Where
    // Postgres does not answer, each by itself would only wait again.
    const told = isRefusedWith(error, lateCode) ? tooLate(error) : error;
    if (group.length === 1 || isUnanswered(error)) for (const { reject } of group) reject(told);
    else for (const one of group) await commit(pool, [one], committed);
    return;
  }
  const { outcomes, bytes } = sent;
  const added = outcomes.flatMap((outcome) => storedBy(outcome, group[outcome.n]));
  if (added.length > 0) committed(added, bytes);
  for (const [n, one] of group.entries()) settle(one, outcomes[n]);
}

async function send(pool: Pool, group: readonly Waiting[]) {
  const streams = group.map(({ stream }) => stream);
  const heads = group.map(({ expected }) => revisionOf(expected));
  const batch = group.flatMap(({ expected, events }, n) =>
    events.map((event, i) => ({ n, revision: revisionOf(expected) + 1 + i, event })),
  );
  // Of two appends to one stream the second depends on what becomes of the first.
  const oneByOne = new Set(streams).size < streams.length;
  // As JSON in one piece: an array of JSON would be escaped twice over.
  const data = `[${batch.map(({ event }) => event.text?.data ?? JSON.stringify(event.data)).join()}]`;
  const metadata = `[${batch.map(({ event }) => event.text?.metadata ?? JSON.stringify(event.metadata)).join()}]`;
  const { rows } = await pool.query<Outcome>({
    name: 'append',
    text: `
      select n, outcome, revision, position
      from ${logSchema}.append_events($1, $2, $3, $4, $5, $6, $7, $8, $9, to_timestamp($10 / 1000.0)) order by n`,
    values: [
      arrayText(streams),
      arrayText(heads),
      oneByOne,
      arrayText(batch.map(({ n }) => n)),
      arrayText(batch.map(({ revision }) => revision)),
      arrayText(batch.map(({ event }) => event.id)),
      arrayText(batch.map(({ event }) => event.type)),
      data,
      metadata,
      earliest(group.map(({ proviso }) => proviso)) ?? null,
    ],
  });
  const [first] = rows;
  const outcomes = first?.n === -1 ? allAppended(group, first.position) : rows;
  return { outcomes, bytes: data.length + metadata.length };
}

const tooLate = (cause: unknown) =>
  new RequestLate('the log came to what the request records too late', { cause });

/** One after the other, from the position after `head` on. */
function allAppended(group: readonly Waiting[], head: bigint): readonly Outcome[] {
  let position = head;
  return group.map(({ expected, events }, n) => {
    position += BigInt(events.length);
    const revision = BigInt(revisionOf(expected) + events.length);
    return { n, outcome: 'appended', revision, position };
  });
}

/** What the log has by an append, with what its writer knows of it. */
function storedBy(
  { outcome, position, revision }: Outcome,
  waiting: Waiting | undefined,
): readonly StoredEvent[] {
  if (outcome !== 'appended' || !waiting) return [];
  const { stream, events } = waiting;
  const behind = events.length - 1;
  return events.map(({ id, type, data, metadata, known }, i) => ({
    id,
    type,
    data,
    metadata,
    ...(known && { known }),
    stream,
    revision: Number(revision) - behind + i,
    position: position - BigInt(behind - i),
  }));
}

function settle({ stream, expected, resolve, reject }: Waiting, outcome: Outcome | undefined): void {
  const revision = Number(outcome?.revision);
  if (!outcome) reject(new Error(`no outcome for the append to ${stream}`));
  else if (outcome.outcome !== 'conflict') resolve({ revision, position: outcome.position });
  else reject(new WrongRevision(stream, expected, revision < 0 ? 'none' : revision));
}
