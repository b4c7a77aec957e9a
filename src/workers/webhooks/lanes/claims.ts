/** Takes what is due for one attempt each: evenly among platforms, and as much of each as its endpoint can take. */
import { isBeforeCutoff } from '../../../../projections/kept/webhook-events.ts';
import type { WebhookEndpoint } from '../../../../projections/models/webhook-endpoints.ts';
import type { Moved } from '../../../infrastructure/clock/platform-times.ts';
import type { WorkSession } from '../../../infrastructure/jobs/work-session.ts';
import type { Pool } from '../../../infrastructure/postgres/pool.ts';
import type { PlatformId, WebhookId } from '../../../kernel/ids.ts';
import { closedMaxMs, type Lane, unknownLane } from './lane.ts';
import { bounds, type Kind, type Room } from './lines.ts';

/** A worker that claims an event has it to itself for this long, while it lives: longer than a call can take. */
export const leaseMs = 15_000;
/** Claims of all processes on events of one platform: calls under way, and as many whose end is being written down. */
const claimsPerPlatformMax = 2 * bounds.notices.limits.prompt;

/** An event that this process attempts, and where it goes. `attempts` tells one claim of an event from the next. */
export type Claimed = Pick<WebhookEndpoint, 'url' | 'environment'> & {
  readonly id: WebhookId;
  readonly platformId: PlatformId;
  readonly attempts: number;
  readonly objectId: string;
  readonly type: string;
  readonly body: string;
  readonly retries: number;
  readonly retryingSince: Date;
  readonly redelivery: boolean;
  readonly lane: Lane;
};

export type Claims = {
  /** What is due at `now`, and of platforms that have a time of their own by that. */
  readonly claim: (
    kind: Kind,
    now: Date,
    room: Room,
    moved?: readonly Moved[],
  ) => Promise<readonly Claimed[]>;
  /** Remembers what is known of endpoints now, for every worker. */
  readonly keep: (lanes: readonly KnownLane[]) => Promise<void>;
};

export type KnownLane = { readonly platformId: PlatformId; readonly url: string; readonly lane: Lane };

/** As the two indexes of what is due have it. */
const chosenBy: Readonly<Record<Kind, string>> = {
  notices: `type <> 'INCOMING_PAYMENT.PENDING'`,
  approvals: `type = 'INCOMING_PAYMENT.PENDING'`,
};

/** What is asked for once is asked of a silent endpoint too: it has no second chance. */
const closedRoom: Readonly<Record<Kind, number>> = { notices: 0, approvals: bounds.approvals.limits.silent };

const isCut = (event: string) => `coalesce(${isBeforeCutoff(event, 'cutoff')}, false)`;

/**
 * The oldest of each platform stand first; those that are claimed keep their places. Platforms come in turn, those with
 * fewer calls under way before others. What was pending when an endpoint was switched off is passed over until it is
 * cancelled. Events are locked by their ids alone: the planner, which thinks that few are
 * pending, would rather go through all that are.
 */
function claimQuery(kind: Kind): string {
  const { limits } = bounds[kind];
  const due = `state = 'PENDING' and next_attempt_at is not null and ${chosenBy[kind]}`;
  return `
  with recursive platforms as (
    (select platform_id from webhook_events where ${due} order by platform_id limit 1)
    union all
    select (
      select e.platform_id from webhook_events e where ${due} and e.platform_id > p.platform_id
      order by e.platform_id limit 1)
    from platforms p where p.platform_id is not null
  ), lanes as (
    select p.platform_id, e.url, e.environment, coalesce(own.at, $1) as at, coalesce(b.calls, 0) as calls,
      l.pace, l.silences, l.trips, l.closed_until, c.position as cutoff, case
        when l.platform_id is null then 'unknown'
        when l.closed_until > coalesce(own.at, $1)
          and l.closed_until <= coalesce(own.at, $1) + ${closedMaxMs} * interval '1 millisecond' then 'closed'
        when l.trips > 0 then 'silent'
        when l.pace = 'prompt' and (l.silences > 0 or b.slow > 0) then 'slow'
        else l.pace end as standing
    from platforms p join webhook_endpoints e on e.platform_id = p.platform_id and e.url is not null
    left join webhook_cutoffs c on c.platform_id = p.platform_id
    left join webhook_lanes l on l.platform_id = p.platform_id and l.url = e.url
    left join unnest($3::text[], $4::int[], $5::int[]) as b (platform_id, calls, slow)
      on b.platform_id = p.platform_id
    left join unnest($9::text[], $10::timestamptz[]) as own (platform_id, at) on own.platform_id = p.platform_id
  ), rooms as (
    select *, standing = 'prompt' as is_prompt, case standing
      when 'prompt' then ${limits.prompt} when 'slow' then ${limits.slow} when 'unknown' then ${limits.unknown}
      when 'silent' then ${limits.silent} else ${closedRoom[kind]} end - calls as room
    from lanes
  ), turns as (
    select head.id, is_prompt,
      row_number() over (partition by is_prompt order by calls + place, head.next_attempt_at) as turn
    from rooms cross join lateral (
      select id, next_attempt_at, row_number() over (order by next_attempt_at, position, n) as place from (
        select id, next_attempt_at, position, n, locked_until, asked_position from webhook_events
        where platform_id = rooms.platform_id and ${due} and next_attempt_at <= rooms.at
        order by platform_id, next_attempt_at, position, n
        limit case when standing in ('silent', 'closed') then 1 else ${claimsPerPlatformMax} end
      ) as heads where (locked_until is null or locked_until <= $1) and not ${isCut('heads')}
    ) as head
    where room > 0 and place <= room
  ), held as (
    select id, platform_id, object_id, position, asked_position, state, next_attempt_at, locked_until
    from webhook_events where id = any (array(
      select id from turns where turn <= case when is_prompt then $6::int else $7::int end
    )) for update skip locked
  ), free as (
    select held.id, url, environment, lanes.at, case when pace is not null then json_build_object(
      'pace', pace, 'silences', silences, 'trips', trips,
      'closedUntil', (extract(epoch from closed_until) * 1000)::float8) end as lane
    from held join lanes using (platform_id)
    where state = 'PENDING' and next_attempt_at <= lanes.at and (locked_until is null or locked_until <= $1)
      and not ${isCut('held')} and held.id = (
        select oldest.id from webhook_events oldest
        where oldest.platform_id = held.platform_id and oldest.object_id = held.object_id
          and oldest.state = 'PENDING'
        order by oldest.position, oldest.n limit 1)
  )
  update webhook_events e set locked_until = $2, claimed_by = $8, attempts = attempts + 1, updated_at = free.at from free
  where e.id = free.id
  returning e.id, e.platform_id as "platformId", object_id as "objectId", type, body, attempts, retries,
    retrying_since as "retryingSince", redelivery, url, environment, lane`;
}

const queries: Readonly<Record<Kind, string>> = {
  notices: claimQuery('notices'),
  approvals: claimQuery('approvals'),
};

const keepQuery = `
  insert into webhook_lanes (platform_id, url, pace, silences, trips, closed_until)
  select * from unnest($1::text[], $2::text[], $3::text[], $4::int[], $5::int[], $6::timestamptz[])
  on conflict (platform_id) do update set url = excluded.url, pace = excluded.pace, silences = excluded.silences,
    trips = excluded.trips, closed_until = excluded.closed_until`;

type Row = Omit<Claimed, 'lane'> & { readonly lane: Lane | null };

export const createClaims = (session: Pick<WorkSession, 'claim'>, pool: Pool): Claims => ({
  async claim(kind, now, { prompt, others, busy }, moved = []) {
    const until = new Date(now.getTime() + leaseMs);
    const calls = [...busy.values()];
    const rows = await session.claim<Row>({
      name: `claim-${kind}`,
      text: queries[kind],
      values: (own) => [
        ...[now, until, [...busy.keys()], calls.map((one) => one.calls), calls.map((one) => one.slow)],
        ...[prompt, others, own, moved.map(({ platformId }) => platformId), moved.map(({ at }) => at)],
      ],
    });
    return rows.map((row) => ({ ...row, lane: row.lane ?? unknownLane }));
  },
  async keep(lanes) {
    // In one order, so that two that write at the same moment do not wait for each other for ever.
    const sorted = lanes.toSorted((a, b) => (a.platformId < b.platformId ? -1 : 1));
    await pool.query({
      name: 'keep-lanes',
      text: keepQuery,
      values: [
        sorted.map(({ platformId }) => platformId),
        sorted.map(({ url }) => url),
        sorted.map(({ lane }) => lane.pace),
        sorted.map(({ lane }) => lane.silences),
        sorted.map(({ lane }) => lane.trips),
        sorted.map(({ lane: { closedUntil } }) => (closedUntil === null ? null : new Date(closedUntil))),
      ],
    });
  },
});
