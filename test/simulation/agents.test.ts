import { beforeAll, describe, expect, it } from 'vitest';
import type { AgentEvent } from '../../src/domain/agents/events.ts';
import type { KnownAgent } from '../../src/domain/agents/state.ts';
import type { DomainEvent } from '../../src/domain/aggregates.ts';
import { type AgentActionId, uuidOf } from '../../src/kernel/ids.ts';
import { givenSeed } from '../support/property.ts';
import { agentsOf } from './agents.ts';
import { audit } from './audit.ts';
import { randomFrom } from './random.ts';
import { type Process, type Service, startService } from './service.ts';
import { worldOf } from './world.ts';

const steps = 250;
const seeds = givenSeed === undefined ? [...Array(6).keys(), Date.now() % 2 ** 32] : [givenSeed];

/** The types of event that came up in any life. */
const met = new Set<string>();

async function live(seed: number): Promise<Service> {
  const random = randomFrom(seed);
  const service = startService(random);
  const { openPlatforms, step } = worldOf(service, random, agentsOf);
  await openPlatforms();
  for (let n = 0; n < steps; n++) await step();
  return service;
}

type Started = Extract<AgentEvent, { type: 'AgentActionStarted' }>['data'];

const startedIn = (log: readonly DomainEvent[]): readonly Started[] =>
  log.flatMap((event) => (event.type === 'AgentActionStarted' ? [event.data] : []));
const failedIn = (log: readonly DomainEvent[]): ReadonlySet<AgentActionId> =>
  new Set(log.flatMap((event) => (event.type === 'AgentActionFailed' ? [event.data.actionId] : [])));
const sum = (all: readonly Started[]) => all.reduce((total, { spend }) => total + spend.minor, 0n);

/** Every action in whose name money was taken, or a transfer begun. */
function paidIn(log: readonly DomainEvent[]): readonly string[] {
  return log.flatMap((event) => {
    if (event.type === 'AccountDebited') return event.data.agentAction?.actionId ?? [];
    if (event.type === 'FundsReceived' && event.data.requestedBy.startsWith('AgentAction:'))
      return event.data.requestedBy;
    if (event.type === 'TransferCreated' && event.data.direction === 'IN')
      return event.data.agentAction?.actionId ?? [];
    return [];
  });
}

/** Every action whose payment was begun and came to nothing at once. */
const undoneIn = (log: readonly DomainEvent[]): readonly string[] =>
  log.flatMap((event) => {
    switch (event.type) {
      case 'ExecutionRefused':
      case 'TransactionFailed':
      case 'TransactionRejected':
        return event.data.agentAction?.actionId ?? [];
      default:
        return [];
    }
  });

describe.each(seeds)('agents, whatever happens (SEED=%i)', (seed) => {
  let service: Service;
  let survivor: Process;
  let log: readonly DomainEvent[];

  beforeAll(async () => {
    service = await live(seed);
    survivor = await service.recover();
    log = [...service.events()];
    for (const { type } of log) met.add(type);
  });

  it('leave the books in balance', () => void audit(log));

  it('never exceed a limit, at any position of the log', () => {
    for (const [n, event] of log.entries()) {
      if (event.type !== 'AgentActionStarted') continue;
      const before = log.slice(0, n + 1);
      const failed = failedIn(before);
      const { agentId, usage } = event.data;
      const counted = startedIn(before).filter((one) => one.agentId === agentId && !failed.has(one.actionId));
      const today = counted.filter((one) => one.usage.day === usage.day);
      const month = counted.filter((one) => one.usage.day.slice(0, 7) === usage.day.slice(0, 7));
      expect(usage).toEqual({
        day: usage.day,
        dailyTransactionCount: today.length,
        dailySpend: sum(today),
        monthlySpend: sum(month),
      });
      expect(usage.dailySpend <= 20_000n && usage.monthlySpend <= 50_000n).toBe(true);
      expect(usage.dailyTransactionCount <= 12 && event.data.spend.minor <= 9_000n).toBe(true);
    }
  });

  it('have paid for each action that started, once, and for nothing else; unless it failed', () => {
    const paid = paidIn(log);
    expect(new Set(paid).size).toBe(paid.length);
    const [started, failed] = [startedIn(log).map(({ actionId }) => actionId), failedIn(log)];
    const undone = new Set(undoneIn(log));
    const lasting = paid.filter((actionId) => !undone.has(actionId));
    expect(lasting.toSorted()).toEqual(started.filter((actionId) => !failed.has(actionId)).toSorted());
  });

  it('have nothing left to do after one pass of the worker', async () => {
    await service.recover();
    expect(service.events()).toHaveLength(log.length);
  });

  it('say the same of their usage as the log does', async () => {
    const failed = failedIn(log);
    for (const event of log) {
      if (event.type !== 'AgentCreated') continue;
      const { agentId } = event.data;
      const state = (await survivor.commands.load('agent', uuidOf(agentId))) as KnownAgent;
      const counted = startedIn(log).filter((one) => one.agentId === agentId && !failed.has(one.actionId));
      expect(state.usage.dailySpend).toBe(sum(counted.filter(({ usage }) => usage.day === state.usage.day)));
    }
  });
});

describe.runIf(givenSeed === undefined)('the simulation of agents', () => {
  it('comes across everything that can happen to an action', () => {
    const wanted = [
      'AgentActionRequested',
      'AgentActionStarted',
      'AgentActionFailed',
      'AgentActionRejected',
      'DebitRefused',
      'ExecutionDeclined',
      'ExecutionRefused',
      'AgentDeleted',
      'AgentChanged',
    ];
    expect(wanted.filter((type) => !met.has(type))).toEqual([]);
  });
});
