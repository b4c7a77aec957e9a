import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { projectionsCheckpoint } from '../../../projections/kept/checkpoints.ts';
import { projectAgain } from '../../../projections/projector/again.ts';
import { projector } from '../../../projections/projector/projector.ts';
import { type AgentEvent, agentEvents } from '../../../src/domain/agents/events.ts';
import { encodeEvent } from '../../../src/infrastructure/event-store/encoding.ts';
import type { EventStore } from '../../../src/infrastructure/event-store/event-store.ts';
import { idOf, uuidOf } from '../../../src/kernel/ids.ts';
import {
  actionId,
  actionRejected,
  actionRequested,
  agentCreated,
  agentId,
} from '../../support/builders/agents.ts';
import { metadata } from '../../support/log/long-streams.ts';
import { memoryEventStore } from '../../support/log/memory-event-store.ts';
import { query } from '../../support/postgres/database.ts';
import { emptyBooks } from '../../support/postgres/read-models.ts';
import { testStart } from '../../support/time/clock.ts';
import { uuidNumber } from '../../support/values/ids.ts';

it('rows are made again without reading the streams of accounts, which may be long', async () => {
  const { db } = await emptyBooks();
  await db.insertInto('checkpoints').values({ name: projectionsCheckpoint, position: 0n }).execute();
  const read: string[] = [];
  const store = {
    read: async (stream: string) => {
      read.push(stream);
      return [];
    },
  };
  const named = (...categories: readonly string[]) =>
    categories.map((category) => `${category}-${randomUUID()}`);
  const theirs = named('customer', 'beneficialowner', 'document', 'externalaccount', 'transaction', 'agent');
  const others = named('account', 'wallet', 'lookup', 'invitation', 'verification');
  await projectAgain({ db, store, projected: async () => true }, [...others, ...theirs]);
  expect(read).toEqual(theirs);
});

const agent = `agent-${uuidOf(agentId)}`;

/** Rows of an agent who has asked for something. `follow` makes rows of what was said since, too. */
async function asked(...further: readonly AgentEvent[]) {
  const { db, url } = await emptyBooks();
  const store = memoryEventStore();
  const consumer = projector({ db, store, passed: () => undefined });
  const say = async (...events: readonly AgentEvent[]) => {
    const at = testStart.toISOString();
    const encoded = events.map((event) => ({
      ...encodeEvent(agentEvents, event, { ...metadata, at }),
      id: randomUUID(),
    }));
    await store.append(agent, store.all.length === 0 ? 'none' : store.all.length - 1, encoded);
  };
  const follow = () => consumer.consume(store.all);
  const status = async () => {
    const [row] = await query<{ status: string }>(
      url,
      `select status from daybook.agent_actions where id = '${actionId}'`,
    );
    return row?.status;
  };
  await say(agentCreated(), actionRequested(), ...further);
  await follow();
  return { db, url, store, say, follow, status };
}

it('a row says what came to its stream while it was made again', async () => {
  const { db, store, say, follow, status } = await asked();
  let isFirst = true;
  const read: EventStore['read'] = async (...which) => {
    const events = await store.read(...which);
    if (!isFirst) return events;
    isFirst = false;
    await say(actionRejected());
    await follow();
    return events;
  };
  const made = await projectAgain({ db, store: { read }, projected: async () => true }, [agent]);
  expect([await status(), made]).toEqual(['REJECTED', true]);
});

it('a row is not made again of what the read models have not come to', async () => {
  const { db, store, say, follow, status } = await asked();
  await say(actionRejected());
  expect(await projectAgain({ db, store, projected: async () => false }, [agent])).toBe(false);
  expect(await status()).toBe('PENDING_APPROVAL');
  const projected = async (position: bigint) => {
    expect([position, await status()]).toEqual([3n, 'PENDING_APPROVAL']);
    await follow();
    return true;
  };
  expect(await projectAgain({ db, store, projected }, [agent])).toBe(true);
  expect(await status()).toBe('REJECTED');
});

it('many rows of one stream are made again a thousand at a time', async () => {
  const actions = Array.from({ length: 1_300 }, (_, n) => idOf('AgentAction', uuidNumber(1_000 + n)));
  const { db, url, store } = await asked(
    ...actions.map((own) => actionRequested(undefined, { actionId: own })),
    ...actions.map((own) => ({ ...actionRejected().data, actionId: own })).map(rejected),
  );
  const sizes: number[] = [];
  const read: EventStore['read'] = async (...which) => {
    const events = await store.read(...which);
    sizes.push(events.length);
    return events.map((event) =>
      event.type === 'AgentActionRejected'
        ? { ...event, data: { ...event.data, rejectionReason: 'erased' } }
        : event,
    );
  };
  await projectAgain({ db, store: { read }, projected: async () => true }, [agent]);
  expect(sizes).toEqual([1_000, 1_000, 602, 0]);
  const written = await query<{ rows: number }>(
    url,
    `select count(*)::int as rows from daybook.agent_actions where rejection_reason = 'erased'
     group by xmin::text order by rows`,
  );
  expect(written.map(({ rows }) => rows)).toEqual([301, 999]);
});

const rejected = (data: ReturnType<typeof actionRejected>['data']): AgentEvent => ({
  type: 'AgentActionRejected',
  data,
});
