/**
 * The log page by page, for all who follow it in a process: from memory as far as that goes. What only the database
 * knows is read once, in one statement, and kept for those who come to it later.
 */
import { smaller } from '../../../kernel/money.ts';
import type { Pool } from '../../postgres/pool.ts';
import type { StoredEvent } from '../event-store.ts';
import { columns, type Row, toStored } from './read.ts';
import type { Follower, Recent } from './recent.ts';
import { logSchema } from './schema.ts';
import type { Seen } from './seen.ts';
import type { Wakers } from './wakers.ts';

/** The events right after a position, at most so many. `asks` says that the database may have more than is known of. */
export type NextPage = (
  follower: Follower,
  position: bigint,
  most: number,
  asks: boolean,
) => Promise<readonly StoredEvent[]>;

/** Positions that are not in memory: those after one, so many. */
type Gap = { readonly after: bigint; readonly count: number };

/** Whoever follows is woken where another has read what nobody knew of. */
export function pagesOf(
  readers: Pool,
  recent: Recent,
  { wakeAll }: Pick<Wakers, 'wakeAll'>,
  { note }: Pick<Seen, 'note'>,
): NextPage {
  const underway = new Map<string, Promise<readonly StoredEvent[]>>();

  const read = async (gaps: readonly Gap[]): Promise<readonly StoredEvent[]> => {
    const [gap, ...others] = gaps;
    if (!gap) return [];
    if (others.length === 0) {
      const { rows } = await readers.query<Row>({
        name: 'follow',
        text: `select ${columns} from ${logSchema}.events where position > $1 order by position limit $2`,
        values: [gap.after, gap.count],
      });
      return rows.map(toStored);
    }
    const { rows } = await readers.query<Row>({
      name: 'follow-gaps',
      text: `
        select e.* from unnest($1::bigint[], $2::int[]) as gap (after, count)
        cross join lateral (
          select ${columns} from ${logSchema}.events
          where position > gap.after and position <= gap.after + gap.count order by position
        ) as e
        order by position`,
      values: [gaps.map(({ after }) => after), gaps.map(({ count }) => count)],
    });
    return rows.map(toStored);
  };

  const fill = async (
    follower: Follower,
    known: readonly StoredEvent[],
    gaps: readonly Gap[],
    { after: position, count }: Gap,
  ): Promise<readonly StoredEvent[]> => {
    const page = merged(known, await read(gaps));
    if (known.length > 0 && page.some((event, n) => event.position !== position + BigInt(n + 1))) {
      // The database has less than it should: what is in memory says nothing of what lies between.
      recent.forget();
      return read([{ after: position, count }]);
    }
    note(page);
    if (recent.learn(page, follower)) wakeAll(true);
    return page;
  };

  return async (follower, position, most, asks) => {
    const known = follower.after(position, most);
    const end = position + BigInt(most);
    const upTo = asks ? end : smaller(end, recent.newest());
    const gaps = gapsIn(known, position, upTo);
    if (gaps.length === 0) return known;
    const key = `${position} ${upTo}`;
    const begun = underway.get(key);
    if (begun) return begun;
    const filling = fill(follower, known, gaps, { after: position, count: most }).finally(() =>
      underway.delete(key),
    );
    underway.set(key, filling);
    return filling;
  };
}

function gapsIn(known: readonly StoredEvent[], position: bigint, upTo: bigint): readonly Gap[] {
  const gaps: Gap[] = [];
  let after = position;
  for (const { position: next } of known) {
    if (next > after + 1n) gaps.push({ after, count: Number(next - after - 1n) });
    after = next;
  }
  if (upTo > after) gaps.push({ after, count: Number(upTo - after) });
  return gaps;
}

/** Both are in order, and have nothing in common. */
function merged(one: readonly StoredEvent[], other: readonly StoredEvent[]): readonly StoredEvent[] {
  if (one.length === 0) return other;
  return [...one, ...other].sort((a, b) => Number(a.position - b.position));
}
