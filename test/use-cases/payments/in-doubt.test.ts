/** What is done where nobody knows whether the rail has a payment: after a crash, a silence, an account that is gone. */

import { beforeEach, describe, expect, it } from 'vitest';
import { debitEntryId } from '../../../src/domain/payments/transaction.ts';
import type {
  Accepted,
  Ending,
  PaymentRail,
  RailPayment,
  Submission,
} from '../../../src/domain/ports/payment-rail.ts';
import { uuidOf } from '../../../src/kernel/ids.ts';
import { Rejected } from '../../../src/kernel/rejected.ts';
import { loadPayment } from '../../../src/use-cases/find/payment.ts';
import { boundedRail } from '../../../src/use-cases/payments/rail-payments/bounded-rail.ts';
import { changeStatus, debit, freeze, unfreeze } from '../../support/builders/accounts.ts';
import { externalAccountId, platformId, transactionId } from '../../support/builders/identities.ts';
import { railPayment } from '../../support/builders/rail-payments.ts';
import { transferIn, transferOut } from '../../support/builders/terms.ts';
import { testStart } from '../../support/time/clock.ts';
import { adaAccount, cause, startTown, type Town } from '../../support/traffic/town.ts';

const taken: Accepted = { status: 'accepted', reference: 'BANK-1', underway: true };
const uuid = uuidOf(transactionId);

/** A bank with a memory. While it is away it takes what comes, and its answer is lost. */
function bank() {
  const paid = new Map<string, number>();
  const withdrawn = new Set<string>();
  const asked: string[] = [];
  const line = { isAway: false, isDeaf: false };
  const answer = <Said>(said: Said): Said => {
    if (line.isAway) throw new Error('the line is dead');
    return said;
  };
  const statusOf = ({ paymentId }: RailPayment) =>
    paid.has(paymentId) ? taken : ({ status: 'unknown' } as const);
  const rail: PaymentRail = {
    async submit(payment) {
      asked.push('submit');
      if (line.isDeaf) throw new Error('the line is dead');
      if (withdrawn.has(payment.paymentId))
        return answer({ status: 'ended', ending: { status: 'cancelled' } } as const);
      paid.set(payment.paymentId, (paid.get(payment.paymentId) ?? 0) + 1);
      return answer(taken);
    },
    async statusOf(payment) {
      asked.push('statusOf');
      if (line.isDeaf) throw new Error('the line is dead');
      return line.isAway ? { status: 'unknown' } : statusOf(payment);
    },
    async withdraw(payment) {
      asked.push('withdraw');
      if (line.isAway || line.isDeaf) throw new Error('the line is dead');
      const known = statusOf(payment);
      if (known.status === 'unknown') withdrawn.add(payment.paymentId);
      return known;
    },
    receiverAt: () => undefined,
    checkName: async () => undefined,
  };
  return { rail, paid, asked, line };
}

function openIn(town: Town) {
  const source = { kind: 'INTERNAL', accountId: adaAccount } as const;
  const opens = { kind: 'transfer', terms: transferOut({ source }) } as const;
  const entry = debit({ entryId: debitEntryId(transactionId), opens });
  return town.commands.run('account', uuidOf(adaAccount), entry, cause);
}

async function scene() {
  const { rail, paid, asked, line } = bank();
  const town = await startTown({ rail });
  const open = () => openIn(town);
  const state = () => town.commands.load('transaction', uuid);
  const balance = async () => {
    const account = await town.commands.load('account', uuidOf(adaAccount));
    return account.status === 'none' ? undefined : account.balance;
  };
  return { town, open, state, balance, paid, asked, line };
}

const closeAccount = ({ commands }: Town) =>
  commands.run(
    'externalAccount',
    uuidOf(externalAccountId),
    { type: 'DeleteExternalAccount', at: testStart },
    cause,
  );
const handOver = async ({ commands, payments }: Town) =>
  payments.handOver(await loadPayment(commands, platformId, transactionId), cause);

describe('a payment that the rail took, and whose acceptance was never recorded', () => {
  it('is recorded and not refunded, though its account is gone', async () => {
    const { town, open, state, balance, paid, line } = await scene();
    await open();
    line.isAway = true;
    await handOver(town);
    expect([paid.get(transactionId), (await state()).stage]).toEqual([1, 'requested']);
    await closeAccount(town);
    line.isAway = false;
    const later = town.processOn(town.log, 5_000);
    await later.payments.check(transactionId, cause);
    expect([(await state()).stage, await balance(), paid.get(transactionId)]).toEqual([
      'submitted',
      900_00n,
      1,
    ]);
  });

  it('is not given to the rail a second time', async () => {
    const { town, open, state, paid, asked, line } = await scene();
    await open();
    line.isAway = true;
    await handOver(town);
    line.isAway = false;
    await town.processOn(town.log, 5_000).payments.check(transactionId, cause);
    expect([paid.get(transactionId), asked.filter((call) => call === 'submit').length]).toEqual([1, 1]);
    expect((await state()).stage).toBe('submitted');
  });
});

describe('a payment whose account is gone before the rail has it', () => {
  it('is refunded, and can never be paid by what is still on its way', async () => {
    const { town, open, state, balance, paid, asked } = await scene();
    await open();
    await closeAccount(town);
    await town.work();
    expect([(await state()).status, await balance(), asked]).toEqual(['FAILED', 1_000_00n, ['withdraw']]);
    const late = railPayment({ paymentId: transactionId });
    expect(await town.rail.submit(late, { signal: new AbortController().signal })).toMatchObject({
      status: 'ended',
    });
    expect(paid.size).toBe(0);
  });

  it('stays as it is while the rail does not promise that', async () => {
    const { town, open, state, balance, line } = await scene();
    await open();
    await closeAccount(town);
    line.isDeaf = true;
    await town.work();
    expect([(await state()).status, await balance()]).toEqual(['PENDING', 900_00n]);
  });
});

describe('a payment that is pulled for an account which was closed meanwhile', () => {
  it('fails, and is never pulled by what is still on its way', async () => {
    const { rail, paid, asked } = bank();
    const town = await startTown({ rail });
    const terms = transferIn({ destination: { kind: 'INTERNAL', accountId: adaAccount } });
    const closing = changeStatus('CLOSED');
    await town.commands.run('account', uuidOf(adaAccount), closing, cause);
    await town.commands.run('transaction', uuid, { type: 'CreateTransfer', terms }, cause);
    await town.work();
    const payment = await town.commands.load('transaction', uuid);
    expect([payment.status, asked, paid.size]).toEqual(['FAILED', ['withdraw'], 0]);
    expect(payment).not.toHaveProperty('refund');
  });
});

describe('a rail that is away', () => {
  it('fails no request, and has the payment once it is back', async () => {
    const { town, open, state, paid, line } = await scene();
    await open();
    line.isDeaf = true;
    expect(await handOver(town)).toMatchObject({ stage: 'requested' });
    await town.work();
    line.isDeaf = false;
    town.clock.advance(60_000);
    await town.payments.check(transactionId, cause);
    expect([paid.get(transactionId), (await state()).stage]).toEqual([1, 'submitted']);
  });

  it('is not asked again before a wait that grows', async () => {
    const { town, open, asked, line } = await scene();
    await open();
    line.isDeaf = true;
    for (let times = 5; times > 0; times--) await town.payments.check(transactionId, cause);
    expect(asked).toEqual(['statusOf']);
    town.clock.advance(1_000);
    for (let times = 5; times > 0; times--) await town.payments.check(transactionId, cause);
    town.clock.advance(1_000);
    await town.payments.check(transactionId, cause);
    expect(asked).toEqual(['statusOf', 'statusOf']);
  });

  it('refuses nothing of a payment: whatever it throws leaves it in doubt', async () => {
    const refusing: PaymentRail = {
      ...bank().rail,
      submit: async () => {
        throw new Rejected('SERVICE_UNAVAILABLE', 'not now', { retryAfterSeconds: 5 });
      },
      checkName: async () => {
        throw new Rejected('INVALID_BANK_ACCOUNT', 'nobody has it');
      },
    };
    const bounded = boundedRail(refusing);
    await expect(bounded.submit(railPayment())).rejects.toThrow('The rail gave no answer to submit');
    await expect(bounded.checkName({} as never)).rejects.toMatchObject({ code: 'INVALID_BANK_ACCOUNT' });
  });

  it('is told that nobody waits any more', async () => {
    const signals: AbortSignal[] = [];
    const silent: PaymentRail = {
      ...bank().rail,
      statusOf: (_payment, { signal }) => {
        signals.push(signal);
        return new Promise(() => undefined);
      },
    };
    const soon = { submit: 5, statusOf: 5, withdraw: 5, checkName: 5, statusOfNew: 5 };
    const asked = boundedRail(silent, undefined, soon).statusOf(railPayment());
    await expect(asked).rejects.toThrow('The rail gave no answer to statusOf');
    expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
  });
});

describe('an answer of the rail that is none', () => {
  const settled = (more: object) => ({ status: 'ended', ending: { status: 'settled', ...more } });
  const failed = { status: 'failed', reason: 'OFFRAMP_FAILED' };
  it.each([
    undefined,
    null,
    {},
    { status: 'paid' },
    { status: 'accepted' },
    { ...taken, reference: 'a\u0000b' },
    { ...taken, reference: '\ud800' },
    { ...taken, checkAt: '2026-12-01T00:00:00Z' },
    { ...taken, checkAt: 1_800_000_000_000 },
    { ...taken, checkAt: null },
    { ...taken, checkAt: new Date(Number.NaN) },
    { ...taken, checkAt: new Date('0000-01-01T00:00:00Z') },
    { status: 'ended' },
    { status: 'ended', ending: { status: 'failed' } },
    { status: 'ended', ending: { ...failed, refundFails: 'no' } },
    settled({ checkAt: 'soon' }),
    settled({ checkAt: new Date(8.64e15) }),
  ])('counts as no answer, and the payment is asked for again: %j', async (said) => {
    const { rail, paid } = bank();
    const failures: unknown[] = [];
    const watch = { answered: () => undefined, failed: (...one: unknown[]) => void failures.push(one) };
    const wrong = { ...rail, submit: async () => said as Submission };
    const asked = boundedRail(wrong, watch).submit(railPayment());
    await expect(asked).rejects.toThrow('The rail gave no answer to submit');
    expect(failures).toEqual([['submit', expect.any(Error)]]);
    const town = await startTown({ rail: wrong });
    await openIn(town);
    await handOver(town);
    expect((await town.commands.load('transaction', uuid)).stage).toBe('requested');
    expect(paid.size).toBe(0);
  });
});

describe('an answer of the rail about an account or an address that is none', () => {
  const { rail } = bank();
  const failures: unknown[] = [];
  const watch = { answered: () => undefined, failed: (call: string) => void failures.push(call) };
  const saying = (answers: { readonly [call in keyof PaymentRail]?: () => unknown }) =>
    boundedRail({ ...rail, ...answers } as PaymentRail, watch);
  beforeEach(() => void failures.splice(0));
  const away = { name: 'RailAway', code: 'SERVICE_UNAVAILABLE' };

  it.each([null, 'MATCHED', { status: 'NONSENSE' }, { status: 'MATCHED', fullName: 'a\u0000' }])(
    'is no check of its name: %j',
    async (said) => {
      const asked = saying({ checkName: async () => said }).checkName({} as never);
      await expect(asked).rejects.toMatchObject(away);
      expect(failures).toEqual(['checkName']);
    },
  );

  it.each([undefined, 'OPEN'])('is no status of it: %j', async (said) => {
    const asked = saying({ statusOfNew: async () => said }).statusOfNew({} as never);
    await expect(asked).rejects.toMatchObject(away);
    expect(failures).toEqual(['statusOfNew']);
  });

  it.each([
    null,
    {},
    { currencies: 'EUR', requiredPayerDataFields: [] },
    { currencies: ['EUR'], requiredPayerDataFields: [{ name: 'SHOE_SIZE', mandatory: true }] },
    { currencies: ['EUR'], requiredPayerDataFields: [], information: { FULL_NAME: 7 } },
  ])('is nobody at the address, and not that there is none: %j', (said) => {
    const asked = saying({ receiverAt: () => said });
    expect(() => asked.receiverAt('$ada@bank.example')).toThrow(expect.objectContaining(away));
    expect(failures).toEqual(['receiverAt']);
  });

  it('takes no payment at once', () => {
    const asked = saying({ takesAtOnce: () => ({ ...taken, checkAt: 'soon' }) });
    expect(asked.takesAtOnce?.(railPayment())).toBeUndefined();
    expect(failures).toEqual(['submit']);
  });
});

describe('what the rail tells by itself', () => {
  it.each([
    [{ status: 'settled' }, 'COMPLETED', 900_00n],
    [{ status: 'failed', reason: 'OFFRAMP_FAILED', refundFails: false }, 'FAILED', 1_000_00n],
    [{ status: 'returned', reason: 'OFFRAMP_FAILED' }, 'FAILED', 1_000_00n],
  ] as const)('is recorded once: %j', async (ending, status, balance) => {
    const { town, open, state, balance: balanceNow } = await scene();
    await open();
    await handOver(town);
    expect(await town.payments.ended(transactionId, ending)).toBe('recorded');
    expect(await town.payments.ended(transactionId, ending)).toBe('unchanged');
    expect([(await state()).status, await balanceNow()]).toEqual([status, balance]);
  });

  it('may leave out whether the refund fails', async () => {
    const { town, open, balance } = await scene();
    await open();
    await handOver(town);
    const ending = { status: 'failed', reason: 'OFFRAMP_FAILED' } as Ending;
    expect(await town.payments.ended(transactionId, ending)).toBe('recorded');
    expect(await balance()).toBe(1_000_00n);
  });

  it('may be a return after the arrival', async () => {
    const { town, open, state, balance } = await scene();
    await open();
    await handOver(town);
    await town.payments.ended(transactionId, { status: 'settled' });
    const returned = { status: 'returned', reason: 'OFFRAMP_FAILED' } as const;
    expect(await town.payments.ended(transactionId, returned)).toBe('recorded');
    expect([(await state()).status, await balance()]).toEqual(['FAILED', 1_000_00n]);
  });

  it('contradicts what is recorded where it says afterwards that it was otherwise, and then changes nothing', async () => {
    const [failed, settled] = [
      { status: 'failed', reason: 'OFFRAMP_FAILED', refundFails: false },
      { status: 'settled' },
    ] as const;
    const { town, open, state, balance } = await scene();
    await open();
    await handOver(town);
    expect(await town.payments.ended(transactionId, failed)).toBe('recorded');
    expect(await town.payments.ended(transactionId, settled)).toBe('contradicted');
    expect([(await state()).status, await balance()]).toEqual(['FAILED', 1_000_00n]);
  });

  it.each([
    { status: 'failed', reason: 'OFFRAMP_FAILED', refundFails: false },
    { status: 'returned', reason: 'OFFRAMP_FAILED' },
  ] as const)('contradicts the refund of %j where it cannot give it back after all', async (ending) => {
    const { town, open, state, balance } = await scene();
    await open();
    await handOver(town);
    expect(await town.payments.ended(transactionId, ending)).toBe('recorded');
    const kept = { status: 'failed', reason: 'OFFRAMP_FAILED', refundFails: true } as const;
    expect(await town.payments.ended(transactionId, kept)).toBe('contradicted');
    expect([(await state()).status, await balance()]).toEqual(['FAILED', 1_000_00n]);
  });

  it('contradicts a refund that its account holds, which is paid all the same', async () => {
    const { town, open, state, balance } = await scene();
    const tellAccount = (command: ReturnType<typeof freeze> | ReturnType<typeof unfreeze>) =>
      town.commands.run('account', uuidOf(adaAccount), command, cause);
    await open();
    await handOver(town);
    await tellAccount(freeze());
    const failed = { status: 'failed', reason: 'OFFRAMP_FAILED', refundFails: false } as const;
    expect(await town.payments.ended(transactionId, failed)).toBe('recorded');
    expect(await state()).toMatchObject({ refund: { status: 'PENDING' } });
    const kept = { ...failed, refundFails: true };
    expect(await town.payments.ended(transactionId, kept)).toBe('contradicted');
    await tellAccount(unfreeze());
    await town.work();
    expect(await state()).toMatchObject({ refund: { status: 'COMPLETED' } });
    expect(await balance()).toBe(1_000_00n);
  });

  it('may say again that the refund fails', async () => {
    const { town, open, balance } = await scene();
    await open();
    await handOver(town);
    const kept = { status: 'failed', reason: 'OFFRAMP_FAILED', refundFails: true } as const;
    expect(await town.payments.ended(transactionId, kept)).toBe('recorded');
    expect(await town.payments.ended(transactionId, kept)).toBe('unchanged');
    expect(await balance()).toBe(900_00n);
  });

  it('may say again that a payment had arrived which came back', async () => {
    const { town, open } = await scene();
    await open();
    await handOver(town);
    const returned = { status: 'returned', reason: 'OFFRAMP_FAILED' } as const;
    for (const ending of [{ status: 'settled' }, returned] as const)
      expect(await town.payments.ended(transactionId, ending)).toBe('recorded');
    for (const ending of [{ status: 'settled' }, returned] as const)
      expect(await town.payments.ended(transactionId, ending)).toBe('unchanged');
  });

  it.each([
    [{ status: 'setled' }, '"setled" is no ending'],
    [{ status: 'settled', checkAt: 'soon' }, 'checkAt: '],
    [{ status: 'settled', checkAt: new Date(8.64e15) }, 'checkAt: is in none of the years 1 to 9999'],
    [{ status: 'failed', reason: 'OFFRAMP_FAILED', refundFails: 'no' }, 'refundFails: '],
    [{ status: 'failed' }, 'undefined is no reason'],
    [{ status: 'returned', reason: 'BAD_LUCK' }, '"BAD_LUCK" is no reason'],
    [undefined, 'undefined is no ending'],
  ])('is refused where it is none of its words, and names them: %j', async (said, why) => {
    const { town, open, state } = await scene();
    await open();
    await handOver(town);
    await expect(town.payments.ended(transactionId, said as Ending)).rejects.toThrow(why);
    expect((await state()).stage).toBe('submitted');
  });

  it.each(['Transaction:00000000-0000-7000-8000-00000000ffff', 'nothing', ''])(
    'is of no payment: %j',
    async (paymentId) => {
      const { town } = await scene();
      expect(await town.payments.ended(paymentId, { status: 'settled' })).toBe('unknown');
    },
  );

  it('is asked for at once where it only says that there is news', async () => {
    const { town, open, asked } = await scene();
    await open();
    await handOver(town);
    await town.payments.news(transactionId);
    expect(asked).toEqual(['statusOf', 'submit', 'statusOf']);
  });

  it('is told of again where the rail that says that there is news does not answer then', async () => {
    const { town, open, asked, line } = await scene();
    await open();
    await handOver(town);
    line.isDeaf = true;
    await expect(town.payments.news(transactionId)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    line.isDeaf = false;
    await town.payments.news(transactionId);
    expect(asked).toEqual(['statusOf', 'submit', 'statusOf', 'statusOf']);
  });

  it('comes back where it has failed after another process has heard that it arrived', async () => {
    const { rail } = bank();
    let meanwhile: () => Promise<unknown> = async () => undefined;
    const statusOf: typeof rail.statusOf = async (payment, asked) => {
      if (payment.recorded === 'begun') return rail.statusOf(payment, asked);
      await meanwhile();
      return { status: 'failed', reason: 'OFFRAMP_FAILED', refundFails: false };
    };
    const contradictions: string[] = [];
    const contradicted = (id: string) => void contradictions.push(id);
    const town = await startTown({ rail: { ...rail, statusOf }, contradicted });
    await openIn(town);
    await handOver(town);
    const other = town.processOn(town.log, 5_000);
    meanwhile = () => other.payments.ended(transactionId, { status: 'settled' });
    await town.payments.check(transactionId, cause);
    expect(await town.commands.load('transaction', uuid)).toMatchObject({ cameBack: true });
    expect(contradictions).toEqual([]);
  });
});
