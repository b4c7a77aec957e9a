import { describe, expect, it, vi } from 'vitest';
import { createStates } from '../../../projections/projector/states.ts';
import type { AgentCommand } from '../../../src/domain/agents/agent.ts';
import { aggregates } from '../../../src/domain/aggregates.ts';
import { closedEvery } from '../../../src/infrastructure/closings/fold.ts';
import { type AgentActionId, idOf, uuidOf } from '../../../src/kernel/ids.ts';
import {
  agentDetails,
  agentId,
  deviceCode,
  immediate,
  payout,
  policyOf,
  rates,
} from '../../support/builders/agents.ts';
import { usd } from '../../support/builders/money.ts';
import { closingsOf, emptyLog, metadata, startProcess } from '../../support/log/long-streams.ts';
import { query } from '../../support/postgres/database.ts';
import { testStart as at } from '../../support/time/clock.ts';
import { patienceMs } from '../../support/time/patience.ts';
import { uuidNumber } from '../../support/values/ids.ts';

const uuid = uuidOf(agentId);
const stream = `agent-${uuid}`;
const opening = 2 * closedEvery + 100;
const actions = 2_000;
/** Of these one in so many waits for approval. */
const waitsEvery = 100;

const idOfAction = (n: number): AgentActionId => idOf('AgentAction', uuidNumber(10_000 + n));
/** Amounts above 100.00 need approval. */
const policy = policyOf({ approvalThresholds: { currency: 'USD', amount: 100_00n } });
const submit = (n: number): AgentCommand => ({
  type: 'SubmitAction',
  actionId: idOfAction(n),
  operation: payout(usd(n % waitsEvery === 0 ? 100_01n : 1_00n)),
  rates,
  at,
});

type Process = Awaited<ReturnType<typeof startProcess>>;
const run = ({ commands }: Process, command: AgentCommand) => commands.run('agent', uuid, command, metadata);

async function load({ commands }: Process, about: readonly string[] = []) {
  const agent = await commands.load('agent', uuid, about);
  if (agent.status === 'NONE') throw new Error('there is no such agent');
  return agent;
}

/** The log of an agent that has done much, and the process in which it did. */
async function busyAgent() {
  const url = await emptyLog();
  const process = await startProcess(url);
  await run(process, { type: 'CreateAgent', details: agentDetails({ policy }), deviceCode, at });
  for (let n = 1; n <= actions; n += 100)
    await Promise.all(Array.from({ length: 100 }, (_, i) => run(process, submit(n + i))));
  await vi.waitFor(async () => expect(await closingsOf(url, stream)).toBeGreaterThanOrEqual(2), {
    timeout: patienceMs,
  });
  return { url, process };
}

/** An execution of a quote of its own that says much of the sender, and waits. */
function submitQuote(n: number): AgentCommand {
  const [quoteId, transactionId] = [idOf('Quote', uuidNumber(n)), idOf('Transaction', uuidNumber(n))];
  const told = Array.from({ length: 10 }, (_, field) => [`FIELD_${field}`, 'x'.repeat(1_000)]);
  const terms = { quoteId, transactionId, senderCustomerInfo: Object.fromEntries(told) };
  const operation = { ...immediate(terms), quoteId, transactionId };
  return { type: 'SubmitAction', actionId: idOfAction(n), operation, rates, at };
}

const fail = (n: number): AgentCommand => ({ type: 'FailAction', actionId: idOfAction(n), at });

describe('an agent of many actions', () => {
  it('is opened from its last closing, and holds few of them', async () => {
    const { url, process } = await busyAgent();
    const next = await startProcess(url);
    for (const one of [process, next]) {
      const agent = await load(one);
      expect(agent.usage).toMatchObject({
        dailyTransactionCount: actions - actions / waitsEvery,
        dailySpend: BigInt(actions - actions / waitsEvery) * 1_00n,
      });
      expect(agent.actions.size).toBeLessThan(opening);
      expect(aggregates.agent.extraBytes(agent)).toBeLessThan(8 * 1024 * 1024);
    }
    expect(next.store.counts.events).toBeLessThan(opening);
  });

  it('does nothing for a repeat of an old one, and fails an old one once', async () => {
    const { url } = await busyAgent();
    const next = await startProcess(url);
    expect((await run(next, submit(7))).events).toEqual([]);
    const before = await load(next);
    const { events, state } = await run(next, fail(7));
    expect(events).toMatchObject([{ type: 'AgentActionFailed', data: { actionId: idOfAction(7) } }]);
    expect(state).toMatchObject({ usage: { dailySpend: before.usage.dailySpend - 1_00n } });
    expect((await run(next, fail(7))).events).toEqual([]);
    const last = await startProcess(url);
    expect((await run(last, fail(7))).events).toEqual([]);
    const known = await load(last, [idOfAction(7), idOfAction(8)]);
    expect([7, 8].map((n) => known.actions.get(idOfAction(n))?.status)).toEqual(['FAILED', 'APPROVED']);
  });

  it('still has all that wait for approval, and rejects them when it is deleted', async () => {
    const { url } = await busyAgent();
    const next = await startProcess(url);
    const waiting = Array.from({ length: actions / waitsEvery }, (_, i) => idOfAction((i + 1) * waitsEvery));
    const held = (await load(next)).actions.all().filter(([, { status }]) => status === 'PENDING_APPROVAL');
    expect(held.map(([id]) => id)).toEqual(waiting);
    const { events } = await run(next, { type: 'DeleteAgent', by: 'token', at });
    expect(events.map(({ type }) => type)).toEqual([
      'AgentDeleted',
      ...waiting.map(() => 'AgentActionRejected'),
    ]);
  });

  it('closes its books in few characters, whatever the quotes say whose executions wait', async () => {
    const url = await emptyLog();
    const process = await startProcess(url);
    const details = agentDetails({ policy: policyOf({ defaultExecutionMode: 'APPROVAL_REQUIRED' }) });
    await run(process, { type: 'CreateAgent', details, deviceCode, at });
    for (let n = 1; n <= closedEvery + 100; n += 100)
      await Promise.all(Array.from({ length: 100 }, (_, i) => run(process, submitQuote(n + i))));
    await vi.waitFor(async () => expect(await closingsOf(url, stream)).toBeGreaterThanOrEqual(1), {
      timeout: patienceMs,
    });
    const [length] = await query<{ state: number; values: number }>(
      url,
      `select (select max(length(state)) from daybook.closings) as state,
         (select sum(length(value))::int from daybook.closed_values) as values`,
    );
    expect(length?.state).toBeLessThan(closedEvery * 1_000);
    expect(length?.values).toBeLessThan(closedEvery * 1_000);
    const next = await startProcess(url);
    expect((await load(next)).actions.all()).toHaveLength(closedEvery + 100);
  });

  it('is seen by another process as it was at each event, old actions too', async () => {
    const { url } = await busyAgent();
    const [writer, reader] = [await startProcess(url), await startProcess(url)];
    await load(reader);
    for (const n of [3, 701, 1_501]) await run(writer, fail(n));
    expect((await run(reader, fail(701))).events).toEqual([]);
    const [first] = await query<{ revision: number }>(
      url,
      `select min(revision)::int as revision from daybook_log.events where type = 'AgentActionFailed'`,
    );
    const failed = await reader.store.read(stream, first?.revision);
    const { store, closings } = await startProcess(url);
    const followed = await createStates(store, closings).follow(failed);
    expect(followed.map(({ data, state }) => [data, state])).toMatchObject(
      [3, 701, 1_501].map((n) => [{ actionId: idOfAction(n) }, { status: 'ACTIVE' }]),
    );
    for (const [i, n] of [3, 701, 1_501].entries()) {
      const { state } = followed[i] ?? {};
      const action = state && 'actions' in state ? state.actions.get(idOfAction(n)) : undefined;
      expect(action).toMatchObject({ status: 'FAILED', operation: payout(usd(1_00n)) });
    }
    expect(store.counts.events).toBeLessThan(opening);
  });

  it('runs again what follows from an old action, and from no other', async () => {
    const { url } = await busyAgent();
    const { commands, store } = await startProcess(url);
    const seen: bigint[] = [];
    const isIts = ({ data }: { data: object }) => 'actionId' in data && data.actionId === idOfAction(42);
    const note = { seen: (position: bigint) => void seen.push(position) };
    await commands.resume('agent', uuid, isIts, note, [idOfAction(42)]);
    expect(seen).toEqual([44n]);
    expect(store.counts.events).toBeLessThan(opening + 2 * closedEvery);
  });
});
