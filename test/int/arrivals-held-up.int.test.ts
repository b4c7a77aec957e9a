/** Money that is told of a second time while its first telling stands still: what is answered then, the first heeds. */
import { describe, expect, it, onTestFinished } from 'vitest';
import { aggregates } from '../../src/domain/aggregates.ts';
import type { ArrivedMoney, RailReports } from '../../src/domain/ports/rail-module.ts';
import { reactionsIn } from '../../src/domain/reactions/reactions.ts';
import { arrivedMoneyStream } from '../../src/domain/reservations/reservation.ts';
import { createDispatcher } from '../../src/infrastructure/commands/dispatch.ts';
import { systemIds, uuidOf } from '../../src/kernel/ids.ts';
import { createArrivals } from '../../src/use-cases/payments/arrivals.ts';
import { booksOf, openLog } from '../support/postgres/read-models.ts';
import { serviceOfTests } from '../support/processes/service.ts';
import { accountOf, createCustomer, expectStatus, quoteBody } from '../support/resources/flows.ts';
import { balanceOf, quote } from '../support/resources/payments.ts';
import { movableClock } from '../support/time/movable-clock.ts';
import { fickleRail } from '../support/traffic/mixed-traffic.ts';

let reports: RailReports;
const clock = movableClock();
const service = serviceOfTests({
  clock,
  rail: async (own) => {
    reports = own;
    return fickleRail;
  },
});
const { client } = service;

/** Another process, which stands still before it takes money until it goes on, or is cut off there. */
async function heldUp(now = () => new Date(clock.now())) {
  const store = await openLog(service.databaseUrl);
  onTestFinished(() => store.close());
  const commands = createDispatcher(
    { store, newEventId: systemIds.uuid, now },
    aggregates,
    reactionsIn('sandbox'),
  );
  const [goesOn, isThere] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const held: typeof commands = {
    ...commands,
    async run(to, uuid, command, cause) {
      if (command.type === 'CreditAccount' || command.type === 'ReceiveFunds') {
        isThere.resolve();
        await goesOn.promise;
      }
      return commands.run(to, uuid, command, cause);
    },
  };
  const { db: readDb } = booksOf(service.databaseUrl);
  const deps = { commands: held, readDb, now, untilAllShown: async () => undefined, moved: undefined };
  return {
    arrived: createArrivals(deps),
    goOn: goesOn.resolve,
    cutOff: () => goesOn.reject(new Error('cut off')),
    isThere: isThere.promise,
  };
}

let told = 0;
async function payee() {
  const { id: customerId } = await createCustomer(client);
  const { id: accountId, fundingPaymentInstructions } = await accountOf(client, customerId);
  const reference = String(fundingPaymentInstructions[0].accountOrWalletInfo.reference);
  told += 1;
  const amount = { minor: 700n, currency: 'USD' };
  const money: ArrivedMoney = {
    named: [reference],
    amount,
    bankReference: `held/${told}`,
    refusalIsFinal: true,
  };
  const setStatus = async (status: 'ACTIVE' | 'FROZEN') =>
    expectStatus(await client.post(`/sandbox/internal-accounts/${accountId}/status`, { status }), 200);
  return { customerId, accountId, money, setStatus };
}
type Payee = Awaited<ReturnType<typeof payee>>;
const refused = { status: 'refused', code: 'USER_NOT_READY', stays: true };
async function recordedIn(...streams: readonly string[]): Promise<readonly string[]> {
  const store = await openLog(service.databaseUrl);
  onTestFinished(() => store.close());
  const all = (await Promise.all(streams.map((stream) => store.read(stream)))).flat();
  return all.map(({ type }) => type);
}
/** What is recorded of the account and of the reference under which its money came. */
const recordedOf = async ({ accountId, money: { bankReference } }: Payee) => {
  const streams = [`account-${uuidOf(accountId)}`, `reservation-${arrivedMoneyStream(bankReference)}`];
  return (await recordedIn(...streams)).filter((type) => type !== 'AccountStatusChanged');
};
/** A quote that is paid in, to an account here, with what its payer states. */
async function quoteFor({ accountId }: Pick<Payee, 'accountId'>) {
  const { customerId, money: other } = await payee();
  const source = { sourceType: 'REALTIME_FUNDING', currency: 'USD', customerId };
  const made = await quote(client, { ...quoteBody('', accountId), source });
  const amount = { minor: BigInt(made.totalSendingAmount), currency: 'USD' };
  const named = [String(made.paymentInstructions[0].accountOrWalletInfo.reference)];
  return { transactionId: made.transactionId, money: { ...other, amount, named } };
}

describe('a telling that stands still before the account is credited', () => {
  it.each([[{}], [{ decision: 'd1' }]])('is refused as the second one was: %j', async (more) => {
    const { customerId, money, setStatus } = await payee();
    const first = await heldUp();
    const answer = first.arrived({ ...money, ...more });
    await first.isThere;
    await setStatus('FROZEN');
    expect(await reports.arrived({ ...money, ...more })).toMatchObject(refused);
    await setStatus('ACTIVE');
    first.goOn();
    expect(await answer).toMatchObject(refused);
    expect(await balanceOf(client, customerId)).toBe(0);
  });

  it('takes nothing that was given to somebody else meanwhile', async () => {
    const [one, other] = [await payee(), await payee()];
    const first = await heldUp();
    const answer = first.arrived(one.money);
    await first.isThere;
    await one.setStatus('FROZEN');
    expect(await reports.arrived(one.money)).toMatchObject(refused);
    const assigned = { ...other.money, bankReference: one.money.bankReference };
    expect(await reports.arrived(assigned)).toMatchObject({ status: 'credited' });
    await one.setStatus('ACTIVE');
    first.goOn();
    expect(await answer).toMatchObject({ status: 'refused' });
    await expect.poll(() => balanceOf(client, other.customerId)).toBe(700);
    expect(await balanceOf(client, one.customerId)).toBe(0);
  });
});

describe('money whose refusal is final', () => {
  it('is refused alike and writes nothing more, however often it is told of', async () => {
    const one = await payee();
    const { money, setStatus } = one;
    await setStatus('FROZEN');
    expect(await reports.arrived(money)).toMatchObject(refused);
    expect(await recordedOf(one)).toEqual(['AccountOpened', 'DepositRefused']);
    for (const status of ['FROZEN', 'ACTIVE'] as const) {
      await setStatus(status);
      for (const _ of [1, 2]) expect(await reports.arrived(money)).toMatchObject(refused);
    }
    expect(await recordedOf(one)).toEqual(['AccountOpened', 'DepositRefused']);
  });

  it('is credited by a decision, which is refused for good as well while the account takes none', async () => {
    const { customerId, money, setStatus } = await payee();
    await setStatus('FROZEN');
    expect(await reports.arrived(money)).toMatchObject(refused);
    expect(await reports.arrived({ ...money, decision: 'd1' })).toMatchObject(refused);
    await setStatus('ACTIVE');
    expect(await reports.arrived({ ...money, decision: 'd1' })).toMatchObject(refused);
    expect(await reports.arrived({ ...money, decision: 'd2' })).toMatchObject({ status: 'credited' });
    for (const more of [{}, { decision: 'd1' }, { decision: 'd2' }])
      expect(await reports.arrived({ ...money, ...more })).toMatchObject({ status: 'known' });
    await expect.poll(() => balanceOf(client, customerId)).toBe(700);
  });
});

describe('a telling that stands still before a quote is paid', () => {
  it('pays none that is over by then', async () => {
    const { transactionId, money } = await quoteFor(await payee());
    const then = new Date(clock.now());
    const first = await heldUp(() => then);
    const answer = first.arrived(money);
    await first.isThere;
    clock.advance(3_600_000);
    expect(await reports.arrived(money)).toMatchObject({ code: 'QUOTE_EXPIRED', stays: true });
    first.goOn();
    expect(await answer).toMatchObject({ status: 'refused' });
    // What a rail has told is in the log by its answer, and in the read models once they have followed.
    expect((await recordedIn(`transaction-${uuidOf(transactionId)}`)).at(-1)).toBe('TransactionExpired');
    const shown = async () => expectStatus(await client.get(`/transactions/${transactionId}`), 200).status;
    await expect.poll(shown).toBe('EXPIRED');
  });

  it('leaves the money to somebody else, where it was cut off and the quote is over', async () => {
    const payer = await payee();
    const { money } = await quoteFor(payer);
    const then = new Date(clock.now());
    const first = await heldUp(() => then);
    const answer = first.arrived(money);
    await first.isThere;
    first.cutOff();
    await expect(answer).rejects.toThrow('cut off');
    const assigned = { ...payer.money, bankReference: money.bankReference, amount: money.amount };
    expect(await reports.arrived(assigned)).toMatchObject({ status: 'refused', code: 'CONFLICT' });
    clock.advance(3_600_000);
    expect(await reports.arrived(money)).toMatchObject({ code: 'QUOTE_EXPIRED', stays: true });
    expect(await reports.arrived(assigned)).toMatchObject({ status: 'credited' });
    await expect.poll(() => balanceOf(client, payer.customerId)).toBe(Number(money.amount.minor));
  });

  it('may pay one that only its payee keeps from being paid: that may pass', async () => {
    const one = await payee();
    const { money } = await quoteFor(one);
    await one.setStatus('FROZEN');
    expect(await reports.arrived(money)).toMatchObject({ ...refused, stays: false });
    await one.setStatus('ACTIVE');
    expect(await reports.arrived(money)).toMatchObject({ status: 'credited' });
  });
});
