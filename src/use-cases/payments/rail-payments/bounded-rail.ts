/** A rail that always answers within its time and in its words, or is `RailAway`. */
import type { AccountInfo } from '../../../domain/external-accounts/definitions.ts';
import type { ExternalAccountStatus } from '../../../domain/external-accounts/events.ts';
import type {
  Asked,
  NameCheck,
  PaymentRail,
  RailPayment,
  RailStatus,
  Submission,
} from '../../../domain/ports/payment-rail.ts';
import { answeredWithin } from '../../../infrastructure/deadlines/within.ts';
import { Rejected } from '../../../kernel/rejected.ts';
import {
  requireNameCheck,
  requireReceiver,
  requireStatus,
  requireStatusOfNew,
  requireSubmission,
} from './answers.ts';

const retryAfterSeconds = 5;

/**
 * The rail failed or gave no answer in time, or one that is none: what was asked of it is in doubt, and is asked again
 * later. A request that cannot go on without it is refused.
 */
export class RailAway extends Rejected {
  override name = 'RailAway';

  constructor(call: RailCall, cause: unknown) {
    const message = `The rail gave no answer to ${call}. Send the request again in ${retryAfterSeconds} seconds.`;
    super('SERVICE_UNAVAILABLE', message, { retryAfterSeconds });
    this.cause = cause;
  }
}

type Waited = 'submit' | 'statusOf' | 'withdraw' | 'checkName' | 'statusOfNew';
export type RailCall = Waited | 'receiverAt';

/** In milliseconds. Longer than a rail should need; whoever waits for an answer at the interface waits less. */
export type RailDeadlines = Readonly<Record<Waited, number>>;

export const railDeadlines: RailDeadlines = {
  submit: 20_000,
  statusOf: 10_000,
  withdraw: 10_000,
  checkName: 5_000,
  statusOfNew: 5_000,
};

export const railCalls: readonly RailCall[] = [...(Object.keys(railDeadlines) as Waited[]), 'receiverAt'];

/**
 * Every promise is kept in time: with an answer, or with `RailAway`. What is said at once is an answer, too: `takesAtOnce`
 * says nothing where it is none, and `receiverAt` throws `RailAway`.
 */
export type BoundedRail = Pick<PaymentRail, 'takesAtOnce' | 'umaDomain' | 'receiverAt'> & {
  readonly isOwnAccount: (info: AccountInfo) => boolean;
  readonly submit: (payment: RailPayment) => Promise<Submission>;
  readonly statusOf: (payment: RailPayment) => Promise<RailStatus>;
  readonly withdraw: (payment: RailPayment) => Promise<RailStatus>;
  readonly checkName: (info: AccountInfo) => Promise<NameCheck | undefined>;
  /** ACTIVE where the rail does not say. */
  readonly statusOfNew: (info: AccountInfo) => Promise<ExternalAccountStatus>;
};

export type RailWatch = {
  /** Told of every answer and of every failure. */
  readonly answered: (call: RailCall) => void;
  readonly failed: (call: RailCall, error: unknown) => void;
};

const unwatched: RailWatch = { answered: () => undefined, failed: () => undefined };

export function boundedRail(
  rail: PaymentRail,
  watch: RailWatch = unwatched,
  deadlines: RailDeadlines = railDeadlines,
): BoundedRail {
  const ask = async <Answer>(call: Waited, work: (asked: Asked) => Promise<Answer>): Promise<Answer> => {
    try {
      const answer = await answeredWithin(deadlines[call], work);
      watch.answered(call);
      return answer;
    } catch (error) {
      // Of a payment a rail refuses nothing: it says how it ended.
      if (error instanceof Rejected && (call === 'checkName' || call === 'statusOfNew')) throw error;
      watch.failed(call, error);
      throw new RailAway(call, error);
    }
  };
  const { umaDomain } = rail;
  return {
    submit: (payment) => ask('submit', async (asked) => requireSubmission(await rail.submit(payment, asked))),
    ...(rail.takesAtOnce && {
      takesAtOnce(payment) {
        try {
          const taken = rail.takesAtOnce?.(payment);
          return taken && requireSubmission(taken);
        } catch (error) {
          watch.failed('submit', error);
          return undefined;
        }
      },
    }),
    statusOf: (payment) =>
      ask('statusOf', async (asked) => requireStatus(await rail.statusOf(payment, asked))),
    withdraw: (payment) =>
      ask('withdraw', async (asked) => requireStatus(await rail.withdraw(payment, asked))),
    ...(umaDomain !== undefined && { umaDomain }),
    isOwnAccount: (info) => rail.isOwnAccount?.(info) ?? false,
    receiverAt(umaAddress) {
      try {
        return requireReceiver(rail.receiverAt(umaAddress));
      } catch (error) {
        watch.failed('receiverAt', error);
        throw new RailAway('receiverAt', error);
      }
    },
    statusOfNew: async (info) =>
      rail.statusOfNew
        ? ask('statusOfNew', async (asked) => requireStatusOfNew(await rail.statusOfNew?.(info, asked)))
        : 'ACTIVE',
    checkName: (info) =>
      ask('checkName', async (asked) => requireNameCheck(await rail.checkName(info, asked))),
  };
}
