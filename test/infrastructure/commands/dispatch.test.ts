import { describe, expect, it } from 'vitest';
import { aggregates } from '../../../src/domain/aggregates.ts';
import { debitEntryId } from '../../../src/domain/payments/transaction.ts';
import { reactionsIn } from '../../../src/domain/reactions/reactions.ts';
import { createDispatcher } from '../../../src/infrastructure/commands/dispatch.ts';
import type { EventStore } from '../../../src/infrastructure/event-store/event-store.ts';
import { idOf, uuidOf } from '../../../src/kernel/ids.ts';
import { debit, deposit, openAccount } from '../../support/builders/accounts.ts';
import {
  accountId,
  depositId,
  payeeAccountId,
  payeePlatformId,
  platformId,
  transactionId,
} from '../../support/builders/identities.ts';
import { incomingPayment, quoteTerms, transferOut } from '../../support/builders/terms.ts';
import { domainEvent } from '../../support/log/domain-events.ts';
import { memoryEventStore } from '../../support/log/memory-event-store.ts';
import { watchedEventStore } from '../../support/log/watched-event-store.ts';
import { steppableClock } from '../../support/time/clock.ts';
import { sequentialIds, uuidNumber } from '../../support/values/ids.ts';

const cause = { platformId, correlationId: 'request-1', causationId: 'request-1', actor: 'token:1' };
const account = uuidOf(accountId);
const payment = uuidOf(transactionId);

const start = (store: EventStore, idsFrom = 1) =>
  createDispatcher(
    { store, newEventId: sequentialIds(idsFrom).uuid, now: steppableClock().now },
    aggregates,
    reactionsIn('sandbox'),
  );

const fund = deposit({ entryId: 'deposit', transactionId: depositId });
const pay = debit({ entryId: debitEntryId(transactionId) });
const fail = { type: 'FailTransaction', reason: 'OFFRAMP_FAILED', at: pay.at } as const;

/** An account with 100.00 USD and a quote to spend it. */
async function prepared() {
  const memory = memoryEventStore();
  const commands = start(memory);
  await commands.run('account', account, openAccount(), cause);
  await commands.run('account', account, fund, cause);
  await commands.run('transaction', payment, { type: 'CreateQuote', terms: quoteTerms() }, cause);
  return { memory, commands };
}

/** The same log under a process that dies at its n-th append from now. */
function dyingAt(store: EventStore, when: 'beforeAppend' | 'afterAppend', nth: number) {
  let appends = 0;
  const die = () => {
    if (++appends === nth) throw new Error('killed');
  };
  return start(watchedEventStore(store, { [when]: die }), 1_000);
}

const typesOf = (events: readonly { readonly type: string }[]) => events.map(({ type }) => type);

describe('running a command', () => {
  it('runs the reactions at once', async () => {
    const { memory, commands } = await prepared();
    await commands.run('account', account, pay, cause);
    expect(typesOf(memory.all).slice(-2)).toEqual(['AccountDebited', 'TransactionProcessing']);
    expect(await commands.load('transaction', payment)).toMatchObject({ status: 'PROCESSING' });
  });

  it('follows reactions as far as they lead', async () => {
    const { memory, commands } = await prepared();
    await commands.run('account', account, pay, cause);
    await commands.run('transaction', payment, fail, cause);
    expect(typesOf(memory.all).slice(-3)).toEqual([
      'TransactionFailed',
      'AccountCredited',
      'RefundCompleted',
    ]);
    expect(await commands.load('account', account)).toMatchObject({ balance: 100_00n });
  });

  it('answers with its own events only', async () => {
    const { commands } = await prepared();
    expect(typesOf((await commands.run('account', account, pay, cause)).events)).toEqual(['AccountDebited']);
  });

  it('says who caused what, down the line', async () => {
    const { memory, commands } = await prepared();
    await commands.run('account', account, pay, cause);
    const [debited, processing] = memory.all.slice(-2);
    expect(debited?.metadata).toMatchObject({ ...cause, at: pay.at.toISOString() });
    expect(processing?.metadata).toMatchObject({ ...cause, causationId: debited?.id, actor: 'policy' });
  });

  it('tells every position it wrote', async () => {
    const { memory, commands } = await prepared();
    const seen: bigint[] = [];
    const before = memory.all.length;
    await commands.run('account', account, pay, { ...cause, seen: (position) => void seen.push(position) });
    expect(seen).toEqual(memory.all.slice(before).map(({ position }) => position));
  });

  it('keeps nothing of the caller but its metadata', async () => {
    const { memory, commands } = await prepared();
    await commands.run('account', account, pay, { ...cause, seen: () => undefined });
    expect(Object.keys(memory.all.at(-2)?.metadata ?? {}).sort()).toEqual(
      Object.keys({ ...cause, at: '', hash: '', previousHash: '' }).sort(),
    );
  });

  it('runs no policy for a refusal', async () => {
    const { memory, commands } = await prepared();
    const before = memory.all.length;
    const tooMuch = debit({ amount: { minor: 100_01n, currency: 'USD' } });
    await expect(commands.run('account', account, tooMuch, cause)).rejects.toMatchObject({
      code: 'INSUFFICIENT_BALANCE',
    });
    expect(memory.all).toHaveLength(before);
  });

  it('carries out what other reactions make of an event that one is refused for', async () => {
    const memory = memoryEventStore();
    const refusedFirst = () => [
      { to: 'transaction', uuid: uuidNumber(99), command: { type: 'RecordRefund', at: pay.at } } as const,
    ];
    const commands = createDispatcher(
      { store: memory, newEventId: sequentialIds().uuid, now: steppableClock().now },
      aggregates,
      [(event) => (event.type === 'AccountCredited' ? refusedFirst() : []), ...reactionsIn('sandbox')],
    );
    await commands.run('account', account, openAccount(), cause);
    await expect(commands.run('account', account, fund, cause)).rejects.toThrow();
    expect(typesOf(memory.all)).toEqual(['AccountOpened', 'AccountCredited', 'DepositReceived']);
  });

  it('records a deposit for the platform it was run for', async () => {
    const { commands } = await prepared();
    const state = await commands.load('transaction', uuidOf(depositId));
    const terms = { kind: 'deposit', platformId, reference: 'WIRE-1' };
    expect(state).toMatchObject({ status: 'COMPLETED', terms });
  });
});

describe('forgetting, once events say less than they did', () => {
  /** A process that forgets at its first append, or read, from now, once it knows an account. */
  async function forgetful(
    when: 'beforeAppend' | 'afterAppend' | 'beforeRead',
    meanwhile?: (store: EventStore) => Promise<void>,
  ) {
    const { memory } = await prepared();
    let isDue = false;
    const forget = () => {
      if (!isDue) return undefined;
      isDue = false;
      commands.forget();
      return meanwhile?.(memory);
    };
    const commands = start(watchedEventStore(memory, { [when]: forget }), 2_000);
    await commands.load('account', account);
    isDue = true;
    return { commands };
  }

  it.each(['beforeAppend', 'afterAppend'] as const)(
    'leaves nothing of an append under way: %s',
    async (when) => {
      const { commands } = await forgetful(when);
      await commands.run('account', account, pay, cause);
      expect(commands.recall('account', account)).toBeUndefined();
      expect(commands.recall('transaction', payment)).toMatchObject({ status: 'PROCESSING' });
    },
  );

  it('leaves nothing of a read under way', async () => {
    const { commands } = await forgetful('beforeRead');
    await commands.load('account', account);
    expect(commands.recall('account', account)).toBeUndefined();
    await commands.load('account', account);
    expect(commands.recall('account', account)).toMatchObject({ balance: 100_00n });
  });

  it('keeps what was read since, after a lost race', async () => {
    const more = deposit({ entryId: 'more', transactionId: idOf('Transaction', uuidNumber(98)) });
    const { commands } = await forgetful('beforeAppend', async (memory) => {
      await start(memory, 3_000).run('account', account, more, cause);
    });
    await commands.run('account', account, pay, cause);
    expect(commands.recall('account', account)).toMatchObject({ balance: 100_00n });
  });
});

describe('an event that its stream has left behind', () => {
  it('leads to nothing, and nobody is told that it failed', async () => {
    const memory = memoryEventStore();
    const deps = { store: memory, now: steppableClock().now };
    const silent = createDispatcher({ ...deps, newEventId: sequentialIds().uuid }, aggregates, []);
    await silent.run('account', account, openAccount(), cause);
    await silent.run('account', account, fund, cause);
    let isLeft = true;
    const commands = createDispatcher(
      { ...deps, newEventId: sequentialIds(1_000).uuid, isLeft: () => isLeft },
      aggregates,
      reactionsIn('sandbox'),
    );
    const [, credited] = memory.all.map(domainEvent);
    if (!credited) throw new Error('nothing was credited');
    await commands.react(credited, {});
    expect(typesOf(memory.all)).toEqual(['AccountOpened', 'AccountCredited']);
    isLeft = false;
    const afterwards = createDispatcher(
      { ...deps, newEventId: sequentialIds(2_000).uuid, isLeft: () => isLeft },
      aggregates,
      reactionsIn('sandbox'),
    );
    await afterwards.react(credited, {});
    expect(typesOf(memory.all)).toEqual(['AccountOpened', 'AccountCredited', 'DepositReceived']);
  });
});

describe('a command for another platform', () => {
  const incomingId = idOf('Transaction', uuidNumber(99));
  const terms = incomingPayment({
    transactionId: incomingId,
    platformId: payeePlatformId,
    origin: { transactionId, platformId },
    destination: { kind: 'INTERNAL', accountId: payeeAccountId },
  });

  it('belongs to that platform with all that follows', async () => {
    const { memory, commands } = await prepared();
    await commands.run('account', account, pay, cause);
    const theirs = { ...cause, platformId: payeePlatformId };
    await commands.run('account', uuidOf(payeeAccountId), openAccount({ accountId: payeeAccountId }), theirs);
    const before = memory.all.length;
    await commands.run('transaction', uuidNumber(99), { type: 'CreateIncomingPayment', terms }, theirs);
    const owners = memory.all.slice(before).map(({ type, metadata }) => [type, metadata.platformId]);
    expect(owners.slice(-3)).toEqual([
      ['AccountCredited', payeePlatformId],
      ['TransactionCompleted', payeePlatformId],
      ['TransactionCompleted', platformId],
    ]);
  });
});

describe.each([
  ['quote', 'payout', { kind: 'quote', terms: quoteTerms() }, 'PROCESSING'],
  ['transfer', 'transfer', { kind: 'transfer', terms: transferOut() }, 'PENDING'],
] as const)('a debit that opens a %s', (_kind, purpose, opens, status) => {
  const openingDebit = { ...pay, purpose, opens };

  async function funded() {
    const memory = memoryEventStore();
    const commands = start(memory);
    await commands.run('account', account, openAccount(), cause);
    await commands.run('account', account, fund, cause);
    return { memory, commands };
  }

  it('has its payment at once', async () => {
    const { commands } = await funded();
    await commands.run('account', account, openingDebit, cause);
    expect(await commands.load('transaction', payment)).toMatchObject({
      status,
      terms: { reference: opens.terms.reference },
    });
  });

  it('leaves nothing behind when it is refused', async () => {
    const { memory, commands } = await funded();
    const before = memory.all.length;
    const tooMuch = { ...openingDebit, amount: { minor: 100_01n, currency: 'USD' } };
    await expect(commands.run('account', account, tooMuch, cause)).rejects.toMatchObject({
      code: 'INSUFFICIENT_BALANCE',
    });
    expect(memory.all).toHaveLength(before);
  });

  it.each([1, 2])('has its payment once after a crash at append %i', async (nth) => {
    const { memory } = await funded();
    const dying = dyingAt(memory, 'afterAppend', nth);
    await expect(dying.run('account', account, openingDebit, cause)).rejects.toThrow('killed');
    for (const seed of [5_000, 6_000]) {
      const restarted = start(memory, seed);
      for (const event of memory.all) await restarted.react(domainEvent(event), {});
      expect(await restarted.load('transaction', payment)).toMatchObject({ status });
    }
    expect(new Set(typesOf(memory.all)).size).toBe(memory.all.length);
  });
});

describe('a subscription that is quicker than the request', () => {
  it('keeps neither from seeing the whole flow', async () => {
    const { memory, commands: before } = await prepared();
    await before.run('account', account, pay, cause);
    const reactions: (Promise<void> | undefined)[] = [];
    // Told of an event before the request knows that it is in the log, as a subscription can be.
    const afterAppend = () => {
      const event = memory.all.at(-1);
      if (event) reactions.push(commands.react(domainEvent(event), {}));
    };
    const commands = start(watchedEventStore(memory, { afterAppend }), 2_000);
    let seen: bigint | undefined;
    await commands.run('transaction', payment, fail, {
      ...cause,
      seen: (position) => {
        seen = position;
      },
    });
    expect(typesOf(memory.all).slice(-3)).toEqual([
      'TransactionFailed',
      'AccountCredited',
      'RefundCompleted',
    ]);
    expect(seen).toBe(memory.all.at(-1)?.position);
    await Promise.all(reactionsIn('sandbox'));
    expect(typesOf(memory.all).filter((type) => type === 'RefundCompleted')).toHaveLength(1);
  });

  it('fails when a command of its policies fails', async () => {
    const { memory, commands: before } = await prepared();
    await before.run('account', account, pay, cause);
    let reaction: Promise<void> | undefined;
    let appends = 0;
    const store = watchedEventStore(memory, {
      beforeAppend: () => {
        if (++appends === 2) throw new Error('the store is down');
      },
      afterAppend: () => {
        const event = memory.all.at(-1);
        if (event) reaction ??= commands.react(domainEvent(event), {});
      },
    });
    const commands = start(store, 2_000);
    await expect(commands.run('transaction', payment, fail, cause)).rejects.toThrow('down');
    await expect(reaction).rejects.toThrow('down');
    const failed = memory.all.at(-1);
    if (failed) await commands.react(domainEvent(failed), {});
    expect(typesOf(memory.all).slice(-2)).toEqual(['AccountCredited', 'RefundCompleted']);
  });
});

describe('reacting to the log', () => {
  it('adds nothing to a flow that is complete, however often and in whatever order', async () => {
    const { memory, commands } = await prepared();
    await commands.run('account', account, pay, cause);
    await commands.run('transaction', payment, fail, cause);
    const before = [...memory.all];
    const restarted = start(memory, 5_000);
    for (const event of [...before, ...before.toReversed()]) await restarted.react(domainEvent(event), {});
    expect(memory.all).toEqual(before);
  });

  it.each([
    ['beforeAppend', 1],
    ['afterAppend', 1],
    ['beforeAppend', 2],
    ['afterAppend', 2],
  ] as const)('finishes what a crash cut short: %s %i of a failing payment', async (when, nth) => {
    const { memory, commands } = await prepared();
    await commands.run('account', account, pay, cause);
    await expect(dyingAt(memory, when, nth).run('transaction', payment, fail, cause)).rejects.toThrow(
      'killed',
    );
    const restarted = start(memory, 5_000);
    for (const event of memory.all) await restarted.react(domainEvent(event), {});
    await restarted.run('transaction', payment, fail, cause);
    expect(await restarted.load('account', account)).toMatchObject({ balance: 100_00n });
    expect(await restarted.load('transaction', payment)).toMatchObject({
      status: 'FAILED',
      refund: { status: 'COMPLETED', settledAt: pay.at },
    });
  });

  it('belongs to the request that was cut short by a crash', async () => {
    const { memory } = await prepared();
    await expect(dyingAt(memory, 'afterAppend', 1).run('account', account, pay, cause)).rejects.toThrow(
      'killed',
    );
    const debited = memory.all.at(-1);
    const seen: bigint[] = [];
    if (debited)
      await start(memory, 5_000).react(domainEvent(debited), {
        seen: (position) => void seen.push(position),
      });
    expect(memory.all.at(-1)).toMatchObject({
      type: 'TransactionProcessing',
      metadata: { correlationId: 'request-1' },
    });
    expect(seen).toEqual([memory.all.at(-1)?.position]);
  });
});
