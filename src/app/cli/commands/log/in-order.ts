/** Two logs side by side: one is copied into the other, in the order of all its events, and both are compared. */
import { createHash } from 'node:crypto';
import type { Pair } from '../../../../../projections/kept/moved-log.ts';
import { type Page, pagesOf } from '../../../../../projections/projector/rebuild/pages.ts';
import {
  AppendTooLarge,
  type EventStore,
  type NewEvent,
  type StoredEvent,
} from '../../../../infrastructure/event-store/event-store.ts';
import { canonical } from '../../../../kernel/json.ts';

const pageMax = 1_000;
/** At most so many events of one stream travel in one append. */
const togetherMax = 100;

/** The log to which another one is to be copied has something else. */
export class LogsDiffer extends Error {
  override name = 'LogsDiffer';

  constructor(event: Pick<StoredEvent, 'stream' | 'revision'>, what: string) {
    super(`at revision ${event.revision} of the stream ${event.stream} ${what}`);
  }
}

export type Copied = { readonly events: number; readonly position: bigint; readonly until: bigint };

type Target = Pick<EventStore, 'append' | 'last' | 'subscribeToAll'>;

type CopyOptions = {
  /** Whether appends that are begun in order are done in order. */
  readonly keepsOrder: boolean;
  readonly onProgress: (copied: Copied) => void;
};

/**
 * Appends to `target` what it lacks of `source`, up to an event, in order, with ids, revisions, data and metadata as they
 * are; nobody else may append meanwhile. What is there already is compared: so a copy that was cut short goes on. Throws
 * `LogsDiffer` where `target` has something else.
 */
export async function copyLog(
  source: Pick<EventStore, 'subscribeToAll'>,
  target: Target,
  until: bigint,
  { keepsOrder, onProgress }: CopyOptions,
): Promise<void> {
  const there = one(await pagesUntil(target, await target.last()));
  let events = 0;
  for await (const page of pagesUntil(source, until)) {
    const missing: StoredEvent[] = [];
    for (const event of page) {
      const { value: found } = missing.length > 0 ? { value: undefined } : await there.next();
      if (found) requireSame(event, found);
      else missing.push(event);
    }
    await appendAll(target, runsOf(missing), keepsOrder);
    events += page.length;
    onProgress({ events, position: page.at(-1)?.position ?? 0n, until });
  }
  const { value: more } = await there.next();
  if (more) throw new LogsDiffer(more, 'the log that is copied to goes on, and the other one has ended');
}

/**
 * The positions of all events in both logs, page by page, each event compared with its copy; returns their number and
 * the SHA-256 of what they say. Throws `LogsDiffer` at the first difference.
 */
export async function* compareLogs(
  source: Pick<EventStore, 'subscribeToAll'>,
  target: Target,
  until: bigint,
): AsyncGenerator<readonly Pair[], { readonly events: number; readonly digest: string }> {
  const copies = one(pagesUntil(target, await target.last()));
  const hash = createHash('sha256');
  let events = 0;
  for await (const page of pagesUntil(source, until)) {
    const pairs: Pair[] = [];
    for (const event of page) {
      const { value: copy } = await copies.next();
      if (!copy) throw new LogsDiffer(event, 'the copy ends');
      hash.update(`${requireSame(event, copy)}\n`);
      pairs.push({ from: event.position, to: copy.position });
    }
    events += pairs.length;
    yield pairs;
  }
  const { value: more } = await copies.next();
  if (more) throw new LogsDiffer(more, 'the copy goes on, and the log has ended');
  return { events, digest: hash.digest('hex') };
}

async function* pagesUntil(
  store: Pick<EventStore, 'subscribeToAll'>,
  until: bigint,
): AsyncGenerator<Page, void, undefined> {
  if (until > 0n) yield* pagesOf(store, { after: undefined, until, pageMax });
}

/** What is on the pages, one after the other. */
async function* one(pages: AsyncIterable<Page>): AsyncGenerator<StoredEvent, undefined, undefined> {
  for await (const page of pages) yield* page;
  return undefined;
}

/** All that an event says, but for its position, which each log gives anew. */
const textOf = ({ id, stream, revision, type, data, metadata }: StoredEvent): string =>
  canonical([id, stream, revision, type, data, metadata]);

function requireSame(event: StoredEvent, copy: StoredEvent): string {
  const text = textOf(event);
  if (text !== textOf(copy)) throw new LogsDiffer(event, 'the two logs have different events');
  return text;
}

/** Events of one stream that follow each other. */
function runsOf(events: readonly StoredEvent[]): readonly (readonly StoredEvent[])[] {
  const runs: StoredEvent[][] = [];
  for (const event of events) {
    const run = runs.at(-1);
    if (run && run[0]?.stream === event.stream && run.length < togetherMax) run.push(event);
    else runs.push([event]);
  }
  return runs;
}

async function appendAll(
  target: Target,
  runs: readonly (readonly StoredEvent[])[],
  keepsOrder: boolean,
): Promise<void> {
  if (keepsOrder) await Promise.all(runs.map((run) => appendRun(target, run)));
  else for (const run of runs) await appendRun(target, run);
}

async function appendRun(target: Target, run: readonly StoredEvent[]): Promise<void> {
  const [first] = run;
  if (!first) return;
  const { stream, revision } = first;
  try {
    await target.append(stream, revision === 0 ? 'none' : revision - 1, run.map(asNew));
  } catch (error) {
    if (!(error instanceof AppendTooLarge) || run.length === 1) throw error;
    const half = Math.ceil(run.length / 2);
    await appendRun(target, run.slice(0, half));
    await appendRun(target, run.slice(half));
  }
}

const asNew = ({ id, type, data, metadata }: StoredEvent): NewEvent => ({ id, type, data, metadata });
