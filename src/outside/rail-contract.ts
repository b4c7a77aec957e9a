/** What every rail promises, as checks that a test runs against one. */
import assert from 'node:assert/strict';
import type { PaymentRail, RailPayment, RailStatus, Submission } from '../domain/ports/payment-rail.ts';

export type Contract = {
  readonly promise: string;
  readonly check: (given: GivenRail) => Promise<void>;
};

export type GivenRail = {
  readonly rail: PaymentRail;
  /** A payment that nobody has seen, of an amount and to an account that the rail carries. */
  readonly newPayment: () => RailPayment;
  /** The same rail after a restart of Daybook. */
  readonly restarted: () => Promise<PaymentRail>;
};

/** Generous: it only keeps a rail that never answers from being waited for. */
const answerMaxMs = 30_000;

const asked = () => ({ signal: AbortSignal.timeout(answerMaxMs) });
const statuses = ['accepted', 'settled', 'failed', 'rejected', 'cancelled', 'returned', 'unknown'];
const statusOf = (submission: Submission): RailStatus =>
  submission.status === 'ended' ? submission.ending : submission;

function requireShape(status: RailStatus): void {
  assert(statuses.includes(status.status), `no rail answers ${JSON.stringify(status.status)}`);
  if (status.status === 'accepted') {
    assert(status.reference.length > 0, 'an accepted payment has a reference');
    assert.equal(typeof status.underway, 'boolean', 'underway says whether it has begun');
  }
  const checkAt = 'checkAt' in status ? status.checkAt : undefined;
  assert(checkAt === undefined || !Number.isNaN(checkAt.getTime()), 'checkAt is a moment');
}

/** What the rail must not say of a payment that it never carries. */
const carried = ['accepted', 'settled', 'returned'];

export const railContract: readonly Contract[] = [
  {
    promise: 'does not know a payment that it was never given',
    async check({ rail, newPayment }) {
      assert.deepEqual(await rail.statusOf(newPayment(), asked()), { status: 'unknown' });
    },
  },
  {
    promise: 'takes a payment, or says at once how it ended',
    async check({ rail, newPayment }) {
      const status = statusOf(await rail.submit(newPayment(), asked()));
      requireShape(status);
      assert.notEqual(status.status, 'unknown');
    },
  },
  {
    promise: 'knows what it was given, before it is recorded and after',
    async check({ rail, newPayment }) {
      const payment = newPayment();
      await rail.submit(payment, asked());
      for (const recorded of ['begun', 'submitted'] as const) {
        const status = await rail.statusOf({ ...payment, recorded }, asked());
        requireShape(status);
        assert.notEqual(status.status, 'unknown', `forgets a payment that is ${recorded}`);
      }
    },
  },
  {
    promise: 'knows what it was given after a restart',
    async check({ rail, newPayment, restarted }) {
      const payment = newPayment();
      await rail.submit(payment, asked());
      const again = await restarted();
      assert.notEqual((await again.statusOf(payment, asked())).status, 'unknown');
    },
  },
  {
    promise: 'carries a payment once, however often it is given',
    async check({ rail, newPayment }) {
      const payment = newPayment();
      const answers = await Promise.all([1, 2, 3].map(() => rail.submit(payment, asked())));
      const last = await rail.submit(payment, asked());
      const references = [...answers, last].flatMap((answer) =>
        answer.status === 'accepted' ? [answer.reference] : [],
      );
      assert(new Set(references).size <= 1, `has taken it as ${references.join(' and ')}`);
    },
  },
  {
    promise: 'never carries a payment that was withdrawn before it came',
    async check({ rail, newPayment, restarted }) {
      const payment = newPayment();
      assert.deepEqual(await rail.withdraw(payment, asked()), { status: 'unknown' });
      assert.deepEqual(await rail.withdraw(payment, asked()), { status: 'unknown' }, 'once more');
      const submission = await rail.submit(payment, asked()).catch(() => undefined);
      if (submission) assert(!carried.includes(statusOf(submission).status), 'carries it all the same');
      const later = await (await restarted()).statusOf(payment, asked());
      assert(!carried.includes(later.status), 'carries it after a restart');
    },
  },
  {
    promise: 'does not give back by withdrawal what it has taken',
    async check({ rail, newPayment }) {
      const payment = newPayment();
      await rail.submit(payment, asked());
      const status = await rail.withdraw(payment, asked());
      requireShape(status);
      assert.notEqual(status.status, 'unknown');
    },
  },
  {
    promise: 'keeps payments apart',
    async check({ rail, newPayment }) {
      const [one, other] = [newPayment(), newPayment()];
      await rail.submit(one, asked());
      assert.equal((await rail.statusOf(other, asked())).status, 'unknown');
    },
  },
  {
    promise: 'comes to an end when nobody waits for its answer any more',
    async check({ rail, newPayment }) {
      const given = { signal: AbortSignal.abort() };
      await Promise.race([
        rail.statusOf(newPayment(), given).catch(() => undefined),
        new Promise((_resolve, reject) =>
          setTimeout(() => reject(new Error('still at it')), answerMaxMs).unref(),
        ),
      ]);
    },
  },
  {
    promise: 'knows nobody at an address that is not its own',
    async check({ rail }) {
      assert.equal(rail.receiverAt('$nobody@elsewhere.example'), undefined);
    },
  },
];
