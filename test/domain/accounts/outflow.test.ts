import { describe, expect, it } from 'vitest';
import { account } from '../../../src/domain/accounts/account.ts';
import type { AccountEvent } from '../../../src/domain/accounts/events.ts';
import type { OutflowLimits } from '../../../src/domain/payments/events.ts';
import {
  accountDebited,
  accountRefunded,
  debit,
  debitRefused,
  holding,
} from '../../support/builders/accounts.ts';
import { agentAction } from '../../support/builders/agents.ts';
import { usd } from '../../support/builders/money.ts';
import { specFor, thrownBy } from '../../support/builders/spec.ts';

const given = specFor(account);
const at = (time: string) => new Date(`2026-11-${time}Z`);

/** A payment of 100.00 at the time. */
const paid = (time: string, entryId = `paid ${time}`, balanceAfter = 500_00n) =>
  accountDebited({ entryId, balanceAfter, at: at(time) });
const asked = (time: string, limits: OutflowLimits, amount = usd(100_00n)) =>
  debit({ entryId: 'asked', amount, limits, at: at(time) });

const isBooked = (history: readonly AccountEvent[], command: ReturnType<typeof asked>) =>
  given(...holding(1_000_00n), ...history)
    .when(command)
    .then(
      accountDebited({
        entryId: 'asked',
        amount: command.amount,
        at: command.at,
        balanceAfter: (history.length > 0 ? 500_00n : 1_000_00n) - command.amount.minor,
      }),
    );
const refusal = (history: readonly AccountEvent[], command: ReturnType<typeof asked>) =>
  thrownBy(() =>
    given(...holding(1_000_00n), ...history)
      .when(command)
      .then(accountDebited()),
  );

describe('what may leave an account in a day', () => {
  const limits = { dailyVolume: 300_00n };

  it('is what the limit says, to the unit', () => {
    const before = [paid('02T08:00:00'), paid('02T09:00:00')];
    isBooked(before, asked('02T23:59:59.999', limits));
    const details = { currency: 'USD', limit: 300_00n, used: 200_00n, amount: 100_01n };
    expect(refusal(before, asked('02T23:59:59.999', limits, usd(100_01n)))).toMatchObject({
      code: 'DAILY_VOLUME_LIMIT_EXCEEDED',
      details: { ...details, resetsAt: '2026-11-03T00:00:00.000Z' },
    });
  });

  it('is counted from midnight UTC', () =>
    isBooked([paid('02T23:59:59.999')], asked('03T00:00:00', limits, usd(300_00n))));

  it('is not more because a payment was refunded', () => {
    const back = accountRefunded({ entryId: 'back', balanceAfter: 500_00n, at: at('02T10:00:00') });
    const refused = refusal([paid('02T09:00:00'), back], asked('02T11:00:00', limits, usd(200_01n)));
    expect(refused).toMatchObject({ code: 'DAILY_VOLUME_LIMIT_EXCEEDED' });
  });

  it('is not more by a clock that is behind', () => {
    const refused = refusal([paid('03T00:30:00')], asked('02T23:59:00', limits, usd(200_01n)));
    expect(refused).toMatchObject({ code: 'DAILY_VOLUME_LIMIT_EXCEEDED' });
  });

  it('may be nothing', () =>
    expect(refusal([], asked('02T09:00:00', { dailyVolume: 0n }, usd(1n)))).toMatchObject({
      code: 'DAILY_VOLUME_LIMIT_EXCEEDED',
    }));
});

describe('how many payments may leave an account in an hour', () => {
  const limits = { hourlyPayments: 2 };

  it('is what the limit says', () => {
    isBooked([paid('02T09:00:00')], asked('02T09:59:59.999', limits));
    const before = [paid('02T09:00:00'), paid('02T09:30:00')];
    expect(refusal(before, asked('02T09:59:59.999', limits, usd(1n)))).toMatchObject({
      code: 'VELOCITY_LIMIT_EXCEEDED',
      details: { limit: 2, used: 2, resetsAt: '2026-11-02T10:00:00.000Z' },
    });
  });

  it('is counted from the full hour', () =>
    isBooked([paid('02T09:58:00'), paid('02T09:59:00')], asked('02T10:00:00', limits)));
});

describe('an account without limits', () => {
  it('pays as much and as often as it is asked to', () => {
    const before = Array.from({ length: 100 }, (_, n) => paid('02T09:00:00', `paid ${n}`));
    isBooked(before, asked('02T09:00:00', {}, usd(500_00n)));
  });
});

describe("a repeat, and an agent's action", () => {
  it('find what was booked before, whatever has been paid since', () =>
    given(...holding(1_000_00n), paid('02T09:00:00', 'asked'), paid('02T09:01:00'))
      .when(asked('02T09:02:00', { hourlyPayments: 1 }))
      .thenNothing());

  it('are refused on the record', () =>
    given(...holding(1_000_00n), paid('02T09:00:00'))
      .when(debit({ entryId: 'asked', agentAction, limits: { hourlyPayments: 1 }, at: at('02T09:02:00') }))
      .then(
        debitRefused({
          agentAction,
          code: 'VELOCITY_LIMIT_EXCEEDED',
          message: 'The limit of 1 payments an hour out of the account is reached.',
          at: at('02T09:02:00'),
        }),
      ));
});
