import { gather } from '../../batches.ts';
import type { Pool } from '../../postgres/pool.ts';
import type { SubscribeOptions, Subscription } from '../event-store.ts';
import { columns, type Row, toStored } from './read.ts';
import type { Recent } from './recent.ts';
import { logSchema } from './schema.ts';

/** A subscriber looks this often even when no notification came. */
const pollMs = 2_000;
const usualBatchMax = 500;

/** Pushes the log page by page: from memory where this process has written it itself, else from the database. */
export function follow(
  pool: Pool,
  recent: Recent,
  wakers: Set<() => void>,
  { after, streamPrefixes, batchMax = usualBatchMax, consume }: SubscribeOptions,
): Subscription {
  let position = after ?? 0n;
  let stopped = false;
  let woken = false;
  let release: (() => void) | undefined;
  const inMemory = recent.follow();
  const wake = () => {
    woken = true;
    release?.();
  };
  wakers.add(wake);

  const sleep = async () => {
    if (woken || stopped) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, pollMs);
      release = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    release = undefined;
  };
  const fromDatabase = async () => {
    const { rows } = await pool.query<Row>({
      name: 'follow',
      text: `select ${columns} from ${logSchema}.events where position > $1 order by position limit $2`,
      values: [position, batchMax],
    });
    return rows.map(toStored);
  };
  const run = async () => {
    while (!stopped) {
      woken = false;
      const known = inMemory.after(position, batchMax);
      // That there is nothing in memory says nothing of what others have written.
      const page = known && known.length > 0 ? known : await fromDatabase();
      const wanted = streamPrefixes
        ? page.filter((event) => streamPrefixes.some((prefix) => event.stream.startsWith(prefix)))
        : page;
      if (wanted.length > 0 && !stopped) await consume(wanted);
      position = page.at(-1)?.position ?? position;
      if (page.length < batchMax) await sleep();
      if (!stopped) await gather(page.length);
    }
  };
  const done = run().finally(() => {
    wakers.delete(wake);
    inMemory.leave();
  });

  return {
    done,
    async stop() {
      stopped = true;
      wake();
      await done.catch(() => undefined);
    },
  };
}
