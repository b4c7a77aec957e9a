import { describe, expect, it } from 'vitest';
import type { CustomerCommand } from '../../../src/domain/customers/customer.ts';
import type { QuoteTerms } from '../../../src/domain/payments/events.ts';
import { debitEntryId } from '../../../src/domain/payments/transaction.ts';
import { paymentAddressStream } from '../../../src/domain/reservations/reservation.ts';
import { derivedUuid, uuidOf } from '../../../src/kernel/ids.ts';
import { findExecutable } from '../../../src/use-cases/quotes/executable.ts';
import { execute } from '../../../src/use-cases/quotes/execute.ts';
import { debit } from '../../support/builders/accounts.ts';
import { supported, supportedCurrency } from '../../support/builders/customers.ts';
import {
  externalAccountId,
  payeeId,
  payeePlatformId,
  platformId,
  quoteId,
  transactionId,
} from '../../support/builders/identities.ts';
import { usd } from '../../support/builders/money.ts';
import { reserveName } from '../../support/builders/reservations.ts';
import { incomingPayment, origin, quoteTerms } from '../../support/builders/terms.ts';
import { domainEvent } from '../../support/log/domain-events.ts';
import { watchedEventStore } from '../../support/log/watched-event-store.ts';
import { settlesAtOnce } from '../../support/rails/payment-rails.ts';
import { testStart } from '../../support/time/clock.ts';
import {
  adaAccount,
  adaId,
  cause,
  graceAccount,
  graceAddress,
  startTown,
  type Town,
  theirs,
} from '../../support/traffic/town.ts';

const at = testStart;
const incomingUuid = derivedUuid('incoming-payment', transactionId);
const grace = {
  kind: 'CUSTOMER',
  platformId: payeePlatformId,
  customerId: payeeId,
  account: { kind: 'INTERNAL', accountId: graceAccount },
} as const;

/** Ada's quote for 99.50 USD to Grace. */
const termsOf = (overrides: Partial<QuoteTerms> = {}) =>
  quoteTerms({
    source: { kind: 'INTERNAL', accountId: adaAccount },
    destination: { kind: 'UMA_ADDRESS', umaAddress: graceAddress },
    receiving: usd(99_50n),
    payee: grace,
    ...overrides,
  });

const open = ({ commands }: Town, overrides: Partial<QuoteTerms> = {}) =>
  commands.run(
    'transaction',
    uuidOf(transactionId),
    { type: 'CreateQuote', terms: termsOf(overrides) },
    cause,
  );
const takeMoney = ({ commands }: Town) =>
  commands.run('account', uuidOf(adaAccount), debit({ entryId: debitEntryId(transactionId) }), cause);

const toGrace = ({ commands }: Town, command: CustomerCommand) =>
  commands.run('customer', uuidOf(payeeId), command, theirs);

/** Grace leaves her address, and Ada takes it. */
async function moveAddress(town: Town): Promise<void> {
  const { commands } = town;
  await toGrace(town, {
    type: 'UpdateCustomer',
    changes: { umaAddress: '$other@bank.example' },
    claim: 'g',
    at,
  });
  const reserve = reserveName({ holder: adaId, claim: 'a' });
  await commands.run('reservation', paymentAddressStream(graceAddress), reserve, cause);
  const take = { type: 'UpdateCustomer', changes: { umaAddress: graceAddress }, claim: 'a', at } as const;
  await commands.run('customer', uuidOf(adaId), take, cause);
}
async function deleteGrace(town: Town): Promise<void> {
  await toGrace(town, { type: 'BeginDeletion', at });
  await toGrace(town, { type: 'DeleteCustomer', deletion: 1, at });
}
const giveUpDollars = (town: Town) =>
  toGrace(town, { type: 'UpdateCustomer', changes: { currencies: ['EUR'] }, claim: 'g', at });
const configure = ({ commands }: Town, changes: object) =>
  commands.run('platform', uuidOf(payeePlatformId), { type: 'ChangeConfig', changes, at }, theirs);
const takeNothing = (town: Town) =>
  configure(town, {
    supportedCurrencies: [supportedCurrency('USD', { enabledTransactionTypes: ['OUTGOING'] })],
  });

const changes = [
  ['the address has moved', moveAddress, 'ADDRESS_MOVED'],
  ['the customer has been deleted', deleteGrace, 'ADDRESS_MOVED'],
  ['the customer does not take the currency any more', giveUpDollars, 'CURRENCY_NOT_TAKEN'],
  ["the customer's platform takes no payments in it any more", takeNothing, 'CURRENCY_NOT_TAKEN'],
] as const;

async function balances({ commands }: Pick<Town, 'commands'>) {
  const found = await Promise.all(
    [adaAccount, graceAccount].map((id) => commands.load('account', uuidOf(id))),
  );
  return found.map((account) => (account.status === 'none' ? undefined : account.balance));
}
const stateOf = ({ commands }: Pick<Town, 'commands'>, uuid = uuidOf(transactionId)) =>
  commands.load('transaction', uuid);
const town = () => startTown({ rail: settlesAtOnce });
const rows = ({ log }: Town) => log.all.map(({ type }) => type);

describe('the execution of a quote to an address', () => {
  const attempt = { cause, requestedBy: 'request-1', signature: { stamp: undefined } };
  const tryIt = async ({ commands, payees, clock }: Town) => {
    const deps = { commands, payees, now: clock.now };
    return execute(deps, await findExecutable(deps, platformId, quoteId), attempt);
  };

  it('takes the money where the payee is whom it was for', async () => {
    const here = await town();
    await open(here);
    expect(await tryIt(here)).toMatchObject({ status: 'PROCESSING' });
  });

  it.each(changes)('is refused where %s, and nothing moves', async (_what, change, reason) => {
    const here = await town();
    await open(here);
    await change(here);
    const before = here.log.all.length;
    await expect(tryIt(here)).rejects.toMatchObject({ code: 'INVALID_RECEIVER', details: { reason } });
    expect(here.log.all).toHaveLength(before);
  });

  it('is refused where the account that was fixed is gone', async () => {
    const here = await town();
    await open(here, { payee: { ...grace, account: { kind: 'EXTERNAL', accountId: externalAccountId } } });
    const gone = { type: 'DeleteExternalAccount', at } as const;
    await here.commands.run('externalAccount', uuidOf(externalAccountId), gone, cause);
    await expect(tryIt(here)).rejects.toMatchObject({ details: { reason: 'NOT_READY' } });
  });

  it('is refused where a customer has the address that was outside', async () => {
    const here = await town();
    await open(here, { payee: { kind: 'OUTSIDE' } });
    await expect(tryIt(here)).rejects.toMatchObject({ details: { reason: 'ADDRESS_MOVED' } });
  });

  it('pays whoever holds the address now for a quote from before payees were fixed', async () => {
    const here = await town();
    await open(here, { payee: undefined });
    await tryIt(here);
    await here.work();
    expect(await balances(here)).toEqual([900_00n, 99_50n]);
  });
});

describe('a payment to an address whose money is taken', () => {
  it.each(changes)('is given back where %s by then', async (_what, change) => {
    const here = await town();
    await open(here);
    await takeMoney(here);
    await change(here);
    await here.work();
    expect(await stateOf(here)).toMatchObject({
      status: 'FAILED',
      reason: 'PAY_REQUEST_FAILED',
      refund: { status: 'COMPLETED' },
    });
    expect([await balances(here), await stateOf(here, incomingUuid)]).toMatchObject([
      [1_000_00n, 0n],
      { stage: 'none' },
    ]);
  });

  it.each([
    ['to a customer here', grace, graceAddress],
    ['outside', { kind: 'OUTSIDE' }, '$out@rail.example'],
  ] as const)('has its way %s in the log before anything leaves', async (_where, payee, umaAddress) => {
    const outside = { currencies: ['USD'], requiredPayerDataFields: [] };
    let atSubmission: readonly string[] = [];
    const here = await startTown({
      rail: {
        ...settlesAtOnce,
        receiverAt: (asked) => (asked === '$out@rail.example' ? outside : undefined),
        submit: async (payment, asked) => {
          atSubmission = rows(here);
          return settlesAtOnce.submit(payment, asked);
        },
      },
    });
    await open(here, { payee, destination: { kind: 'UMA_ADDRESS', umaAddress } });
    await takeMoney(here);
    await here.work();
    const left =
      payee.kind === 'OUTSIDE'
        ? atSubmission
        : rows(here).slice(0, rows(here).indexOf('IncomingPaymentCreated'));
    expect(left.at(-1)).toBe('PaymentRouted');
    expect(await stateOf(here)).toMatchObject({ route: payee });
  });

  it.each([
    ['arrives though the address has moved', moveAddress, 'COMPLETED', [900_00n, 99_50n]],
    ['goes back where the address has gone with its customer', deleteGrace, 'FAILED', [1_000_00n, 0n]],
  ] as const)(
    'goes out once after a crash behind its delivery, and %s',
    async (_how, change, status, left) => {
      const here = await town();
      await open(here);
      await takeMoney(here);
      const die = (events: readonly { readonly type: string }[]) => {
        if (events.some(({ type }) => type === 'IncomingPaymentCreated')) throw new Error('killed');
      };
      const dying = here.processOn(
        watchedEventStore(here.log, { afterAppend: (_stream, events) => die(events) }),
        5_000,
      );
      for (const stored of [...here.log.all])
        await dying.payments.submit(domainEvent(stored))?.catch(() => undefined);
      expect(rows(here).at(-1)).toBe('CreditDue');
      await change(here);
      await here.workAgain(6_000);
      await here.workAgain(7_000);
      const after = here.processOn(here.log, 8_000);
      expect(await stateOf(after)).toMatchObject({ status });
      expect(await balances(after)).toEqual(left);
      expect(rows(here).filter((type) => type === 'IncomingPaymentCreated')).toHaveLength(1);
    },
  );

  it('from before ways were recorded stays with whom it was announced to', async () => {
    const here = await town();
    await open(here, { payee: undefined });
    await takeMoney(here);
    const account = { kind: 'EXTERNAL', accountId: externalAccountId } as const;
    const terms = incomingPayment({
      transactionId: `Transaction:${incomingUuid}`,
      platformId: payeePlatformId,
      customerId: payeeId,
      destination: account,
      amount: usd(99_50n),
      origin: { ...origin, transactionId, platformId },
    });
    await here.commands.run('transaction', incomingUuid, { type: 'CreateIncomingPayment', terms }, theirs);
    await moveAddress(here);
    await here.work();
    expect(await stateOf(here)).toMatchObject({ stage: 'submitted', route: { ...grace, account } });
    expect(rows(here).filter((type) => type === 'IncomingPaymentCreated')).toHaveLength(1);
  });

  it('is routed once by two processes that see different payees', async () => {
    const here = await town();
    await open(here);
    await takeMoney(here);
    const other = here.processOn(here.log, 5_000);
    const ready = here.log.all.map(domainEvent);
    await Promise.all([
      ...ready.map((event) => other.payments.submit(event)),
      moveAddress(here).then(() => Promise.all(ready.map((event) => here.payments.submit(event)))),
    ]);
    await here.workAgain(6_000);
    const [ada = 0n, paid = 0n] = await balances(here.processOn(here.log, 7_000));
    expect([
      [900_00n, 99_50n],
      [1_000_00n, 0n],
    ]).toContainEqual([ada, paid]);
  });
});

describe('a rail that cannot say now who holds an address', () => {
  const startAway = async () => {
    const line = { isDead: false };
    const rail = {
      ...settlesAtOnce,
      receiverAt: () => {
        if (line.isDead) throw new Error('the line is dead');
        return undefined;
      },
    };
    return { here: await startTown({ rail }), line };
  };

  it('fails no payment: it is asked again, and the payment arrives', async () => {
    const { here, line } = await startAway();
    await open(here);
    await takeMoney(here);
    line.isDead = true;
    await here.work();
    expect(await stateOf(here)).toMatchObject({ status: 'PROCESSING' });
    line.isDead = false;
    await here.workAgain(6_000);
    expect(await balances(here)).toEqual([900_00n, 99_50n]);
  });
});

it('a quote that expires while its money is being taken is said to have expired', async () => {
  const here = await startTown({ rail: settlesAtOnce });
  const quoted = { kind: 'EXTERNAL', accountId: externalAccountId } as const;
  await open(here, { source: quoted });
  const { payment } = await findExecutable(here, platformId, quoteId);
  const find = async () => {
    const expire = { type: 'ExpireQuote', at: payment.terms.quote.expiresAt } as const;
    await here.commands.run('transaction', uuidOf(transactionId), expire, cause);
    const account = await here.commands.load('account', uuidOf(adaAccount));
    return { from: { kind: 'INTERNAL', account }, to: () => undefined };
  };
  const executable = { payment, find } as unknown as Parameters<typeof execute>[1];
  const attempt = { cause, requestedBy: 'r', signature: { stamp: undefined } };
  const deps = { ...here, now: here.clock.now };
  await expect(execute(deps, executable, attempt)).rejects.toMatchObject({ code: 'QUOTE_EXPIRED' });
});

describe('in production', () => {
  it.each([
    ['without', undefined, 'WEBHOOK_ENDPOINT_NOT_SET'],
    ['with', 'https://hooks.example/daybook', undefined],
  ])(
    'a payee whose platform is %s an endpoint is asked, or cannot be paid',
    async (_how, webhookEndpoint, code) => {
      const here = await startTown({ rail: settlesAtOnce, environment: 'production' });
      await configure(here, { webhookEndpoint, supportedCurrencies: supported('USD') });
      const standing = here.payees.standing(termsOf()).then(
        () => undefined,
        (error) => error.code,
      );
      expect(await standing).toBe(code);
    },
  );

  it('nothing is approved by itself, though the endpoint is gone since', async () => {
    const here = await startTown({ rail: settlesAtOnce, environment: 'production' });
    await configure(here, { webhookEndpoint: 'https://hooks.example/daybook' });
    await open(here);
    await takeMoney(here);
    await configure(here, { webhookEndpoint: null });
    await here.work();
    expect(await stateOf(here)).toMatchObject({ status: 'FAILED', reason: 'PAYMENT_APPROVAL_WEBHOOK_ERROR' });
    expect(await balances(here)).toEqual([1_000_00n, 0n]);
  });
});
