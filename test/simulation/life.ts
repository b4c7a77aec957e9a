/** One life of the service, from a seed: what happened in it, and what came of it once nothing went wrong any more. */

import type { Account } from '../../src/domain/accounts/state.ts';
import type { KnownAgent } from '../../src/domain/agents/state.ts';
import type { DomainEvent } from '../../src/domain/aggregates.ts';
import type { Transaction } from '../../src/domain/payments/life/progress.ts';
import { uuidOf } from '../../src/kernel/ids.ts';
import { agentsOf } from './agents.ts';
import { type BugName, bugs } from './bugs.ts';
import { type Fault, faultsOf } from './faults.ts';
import { randomFrom } from './random.ts';
import { type Process, pendingTimers, type Service, startService } from './service.ts';
import { worldOf } from './world.ts';

/** All that a life follows from. */
export type Script = {
  readonly seed: number;
  /** Which of the seed's steps are taken. What happens in one does not depend on how many there are before it. */
  readonly steps: readonly number[];
  readonly without?: readonly Fault[];
  readonly bug?: BugName;
};

export const firstSteps = (count: number): readonly number[] => [...Array(count).keys()];

/** A state as a process remembers it, and as the log has it. */
export type Remembered = { readonly stream: string; readonly recalled: unknown; readonly loaded: unknown };

export type Evidence = Pick<Service, 'stored' | 'taken' | 'answered' | 'asked'> & {
  readonly struck: ReadonlyMap<Fault, number>;
  /** The log as the last crash left it, after a worker went over it, and after all that waits has had its time. */
  readonly left: readonly DomainEvent[];
  readonly recovered: readonly DomainEvent[];
  readonly finished: readonly DomainEvent[];
  /** What a second pass of a worker added. */
  readonly addedAgain: number;
  /** The payments, after the worker's pass and at the end. */
  readonly underWay: readonly KnownPayment[];
  readonly ended: readonly KnownPayment[];
  readonly accounts: ReadonlyMap<string, Account>;
  readonly agents: readonly KnownAgent[];
  readonly waiting: readonly string[];
  readonly remembered: readonly Remembered[];
};
export type KnownPayment = Exclude<Transaction, { stage: 'none' }>;

export async function live({ seed, steps, without, bug }: Script): Promise<Evidence> {
  const random = randomFrom(seed);
  const faults = faultsOf(random, without);
  const service = startService(random, { faults, bug: bug && bugs[bug] });
  const { openPlatforms, step } = worldOf(service, random, agentsOf);
  await openPlatforms();
  for (const n of steps) {
    service.beginStep(n);
    await step();
  }
  const left = [...service.events()];
  const remembered = await whatIsRemembered(service, left);
  const survivor = await service.recover();
  const recovered = [...service.events()];
  await service.recover();
  const addedAgain = service.events().length - recovered.length;
  const underWay = await paymentsIn(recovered, survivor);
  const last = await service.recover();
  await service.finish(last);
  const finished = [...service.events()];
  const { stored, taken, answered, asked } = service;
  return {
    stored,
    taken,
    answered,
    asked,
    struck: faults.struck,
    left,
    recovered,
    finished,
    addedAgain,
    underWay,
    ended: await paymentsIn(finished, last),
    accounts: await accountsIn(finished, last),
    agents: await agentsIn(finished, last),
    waiting: pendingTimers(finished).map(({ kind, subject }) => `${kind} ${subject}`),
    remembered,
  };
}

const uuidsOf = (category: string, log: readonly DomainEvent[]): readonly string[] => {
  const prefix = `${category}-`;
  const streams = new Set(log.map(({ stream }) => stream).filter((stream) => stream.startsWith(prefix)));
  return [...streams].map((stream) => stream.slice(prefix.length));
};

async function paymentsIn(
  log: readonly DomainEvent[],
  { commands }: Process,
): Promise<readonly KnownPayment[]> {
  const states = await Promise.all(
    uuidsOf('transaction', log).map((uuid) => commands.load('transaction', uuid)),
  );
  return states.flatMap((state) => (state.status === 'NONE' ? [] : [state]));
}

async function accountsIn(log: readonly DomainEvent[], { commands }: Process) {
  const opened = log.flatMap((event) => (event.type === 'AccountOpened' ? [event.data.accountId] : []));
  const load = async (id: (typeof opened)[number]) =>
    [id as string, await commands.load('account', uuidOf(id))] as const;
  return new Map(await Promise.all(opened.map(load)));
}

async function agentsIn(log: readonly DomainEvent[], { commands }: Process) {
  const states = await Promise.all(uuidsOf('agent', log).map((uuid) => commands.load('agent', uuid)));
  return states.flatMap((state) => ('usage' in state ? [state] : []));
}

/** The accounts that the processes have in memory, each as it stood in the log at some revision. */
async function whatIsRemembered(
  service: Service,
  log: readonly DomainEvent[],
): Promise<readonly Remembered[]> {
  const { commands } = service.startUnharmed();
  const found: Remembered[] = [];
  for (const uuid of uuidsOf('account', log)) {
    const last = log.findLast(({ stream }) => stream === `account-${uuid}`);
    const loaded = await commands.load('account', uuid);
    for (const process of service.processes()) {
      const recalled = process.commands.recall('account', uuid, last?.position);
      if (recalled) found.push({ stream: `account-${uuid}`, recalled, loaded });
    }
  }
  return found;
}
