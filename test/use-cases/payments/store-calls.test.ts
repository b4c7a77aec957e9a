/** How often the log is asked for a payment: figures that may fall, and do not rise unnoticed. */
import { describe, expect, it, onTestFinished } from 'vitest';
import { createStates } from '../../../projections/projector/states.ts';
import type { PaymentRail } from '../../../src/domain/ports/payment-rail.ts';
import { type CustomerId, idOf, type TransactionId, uuidOf } from '../../../src/kernel/ids.ts';
import { findExecutable } from '../../../src/use-cases/quotes/executable.ts';
import { execute, openQuote } from '../../../src/use-cases/quotes/execute.ts';
import { makeTransfer } from '../../../src/use-cases/transfers/make.ts';
import { findPair, newTransfer } from '../../../src/use-cases/transfers/transfer.ts';
import { customerDetails } from '../../support/builders/customers.ts';
import { validAccountInfo } from '../../support/builders/external-accounts.ts';
import { platformId } from '../../support/builders/identities.ts';
import { usd } from '../../support/builders/money.ts';
import { noLimits } from '../../support/builders/quoted.ts';
import { externalAccountDetails } from '../../support/builders/registered-accounts.ts';
import { quoteTerms } from '../../support/builders/terms.ts';
import { domainEvent } from '../../support/log/domain-events.ts';
import { eventStoreDbLog, type TestLog } from '../../support/log/eventstoredb-log.ts';
import { memoryEventStore } from '../../support/log/memory-event-store.ts';
import { watchedEventStore } from '../../support/log/watched-event-store.ts';
import { settlesAtOnce, takesAtOnce } from '../../support/rails/payment-rails.ts';
import { adaAccount, adaId, cause, startTown } from '../../support/traffic/town.ts';
import { uuidNumber } from '../../support/values/ids.ts';

type Direction = 'IN' | 'OUT';
const inUsd = idOf('ExternalAccount', uuidNumber(600));
const otherId = idOf('Customer', uuidNumber(601));

/** A process on a log of its own, where Ada, or another customer of the platform, has an account in dollars elsewhere. */
async function warmTown(rail: PaymentRail, log: TestLog, owner = adaId) {
  const town = await startTown({ rail, log });
  const store = watchedEventStore(town.log);
  const process = town.processOn(store, 5_000);
  const accountInfo = validAccountInfo('USD_ACCOUNT');
  const details = externalAccountDetails({
    externalAccountId: inUsd,
    customerId: owner,
    currency: 'USD',
    accountInfo,
  });
  const command = { type: 'CreateExternalAccount', details } as const;
  await process.commands.run('externalAccount', uuidOf(inUsd), command, cause);
  if (owner !== adaId) await process.commands.run('customer', uuidOf(owner), beside(owner), cause);
  return { town, store, process };
}

const beside = (owner: CustomerId) =>
  ({ type: 'CreateCustomer', details: customerDetails({ customerId: owner }) }) as const;

/** A process that has made one transfer, and so has met the accounts, the customer and the platform. */
async function warmProcess(direction: Direction, rail: PaymentRail, log: TestLog) {
  const { town, store, process } = await warmTown(rail, log);
  const { commands, payments, runTimer } = process;
  const deps = { commands, payments, operatorLimits: noLimits, now: town.clock.now };

  const request = async (number: number): Promise<TransactionId> => {
    const pair = await findPair(commands, platformId, adaAccount, inUsd);
    const asked = { uuid: uuidNumber(number), amount: 1_00n, direction };
    const terms = newTransfer(deps, asked, pair);
    await makeTransfer(deps, terms, pair.external, { requestedBy: `request-${number}`, cause });
    return terms.transactionId;
  };
  const worker = async (from: number) => {
    for (const stored of town.log.all.slice(from)) {
      await commands.react(domainEvent(stored), {});
      await payments.submit(domainEvent(stored));
    }
  };
  const outcome = (subject: TransactionId) =>
    runTimer({ subject, platform_id: platformId, kind: 'check-payment' });

  /** What the worker of another process asks of the log, which keeps the read models too. */
  const countedOfOther = async () => {
    const others = watchedEventStore(town.log);
    const other = town.processOn(others, 6_000);
    const states = createStates(others, undefined, other.commands.learn);
    const follow = async (from: number) => {
      const page = town.log.all.slice(from);
      await states.follow(page);
      for (const [n, stored] of page.entries()) {
        const later = page.slice(n + 1).filter(({ stream }) => stream === stored.stream);
        await other.commands.react(domainEvent(stored), {});
        await other.payments.submit(domainEvent(stored), later);
      }
    };
    await follow(0);
    const counts: ReturnType<typeof calls>[] = [];
    for (const number of [710, 711]) {
      Object.assign(others.counts, { appends: 0, reads: 0 });
      const before = town.log.all.length;
      const subject = await request(number);
      await follow(before);
      await other.runTimer({ subject, platform_id: platformId, kind: 'check-payment' });
      counts.push(calls(others.counts.appends, others.counts.reads));
    }
    return counts;
  };

  /** What each part of a payment asks of the log. */
  const counted = async (number: number) => {
    const since = () => {
      const { appends, reads, rounds } = store.counts;
      Object.assign(store.counts, { appends: 0, reads: 0, rounds: 0 });
      return { appends, reads, rounds };
    };
    since();
    const before = town.log.all.length;
    const id = await request(number);
    const asking = since();
    await worker(before);
    const handingOver = since();
    await outcome(id);
    const settling = since();
    const { status } = await commands.load('transaction', uuidOf(idOf('Transaction', uuidNumber(number))));
    return { asking, handingOver, settling, status };
  };
  await counted(700);
  return { counted, countedOfOther };
}

/** Reads are begun at the same moment. */
const calls = (appends: number, reads: number, rounds = Math.min(reads, 1)) => ({ appends, reads, rounds });
const total = (parts: readonly ReturnType<typeof calls>[], of: 'appends' | 'reads') =>
  parts.reduce((sum, part) => sum + part[of], 0);
type Calls = Record<'asking' | 'handingOver' | 'settling', ReturnType<typeof calls>>;

/** The calls that a store makes of a server, in place of those that it is asked for. */
const sent = (names: readonly string[]) => {
  const all = names.filter((name) => name === 'Append' || name === 'Read');
  return calls(all.filter((name) => name === 'Append').length, all.filter((name) => name === 'Read').length);
};

it.each([
  ['of the payer', adaId, 4],
  ['of another customer', otherId, 5],
])(
  'looks at a quote and at those whom its execution concerns at one moment: to a bank account %s',
  async (_whose, owner, reads) => {
    const log = memoryEventStore();
    const { town, store, process } = await warmTown(settlesAtOnce, log, owner);
    const { commands, payees } = process;
    const terms = quoteTerms({
      source: { kind: 'INTERNAL', accountId: adaAccount },
      destination: { kind: 'EXTERNAL', accountId: inUsd },
      receiving: usd(99_50n),
    });
    await openQuote(process, terms, cause);
    Object.assign(store.counts, { reads: 0, rounds: 0 });
    const deps = { commands, payees, now: town.clock.now };
    const found = await findExecutable(deps, platformId, terms.quoteId);
    await execute(deps, found, { cause, requestedBy: 'request-1', signature: { stamp: undefined } });
    expect(store.counts).toMatchObject({ reads, rounds: 1 });
  },
);

describe.each(['memory', 'EventStoreDB'])(
  'a payment by a process that knows its parties, with the log in %s',
  (where) => {
    it.each<[Direction, string, PaymentRail, Calls]>([
      [
        'IN',
        'that is submitted',
        settlesAtOnce,
        // Whether its account still takes money is looked at once more before the rail is told to pull it.
        { asking: calls(2, 5, 2), handingOver: calls(0, 0), settling: calls(3, 0) },
      ],
      [
        'IN',
        'that the rail takes at once',
        takesAtOnce,
        { asking: calls(1, 4), handingOver: calls(0, 0), settling: calls(3, 0) },
      ],
      [
        'OUT',
        'that is submitted',
        settlesAtOnce,
        { asking: calls(3, 4), handingOver: calls(0, 0), settling: calls(1, 0) },
      ],
    ])(
      'asks the log no more often than this for a transfer %s %s',
      async (direction, _how, rail, expected) => {
        const server = where === 'memory' ? undefined : await eventStoreDbLog();
        const log = server ?? memoryEventStore();
        onTestFinished(() => log.close());
        const { counted } = await warmProcess(direction, rail, log);
        const before = server?.calls.length ?? 0;
        expect(await counted(701)).toEqual({ ...expected, status: 'COMPLETED' });
        const parts = Object.values(expected);
        const [appends, reads] = [total(parts, 'appends'), total(parts, 'reads')];
        // The last look at the payment is the test's own.
        if (server) expect(sent(server.calls.slice(before))).toMatchObject({ appends, reads: reads + 1 });
      },
    );
  },
);

describe('a worker beside the process that was asked for a transfer in', () => {
  it('reads nothing for it: what it needs to know it has from following the log', async () => {
    const { countedOfOther } = await warmProcess('IN', takesAtOnce, memoryEventStore());
    // To the first it has yet to meet the accounts.
    const [, second] = await countedOfOther();
    expect(second).toEqual(calls(3, 0));
  });
});
