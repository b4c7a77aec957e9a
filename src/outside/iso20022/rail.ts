/**
 * A bank that exchanges files of ISO 20022 through a folder: orders (`pain.001`) out; status reports (`pain.002`),
 * statements (`camt.053`) and returns (`pacs.004`) in. For EUR and GBP: docs/how-to/connect-a-bank.md.
 */
import type { FailureReason } from '../../domain/payments/events.ts';
import type { Accepted, RailPayment, RailStatus, Submission } from '../../domain/ports/payment-rail.ts';
import { defineRail, type Rail, type RailContext } from '../../domain/ports/rail-module.ts';
import { pause } from '../../infrastructure/jobs/pause.ts';
import { isIban } from '../../infrastructure/text/check-digits.ts';
import { type Ids, systemIds } from '../../kernel/ids.ts';
import { invariant } from '../../kernel/invariant.ts';
import { Rejected } from '../../kernel/rejected.ts';
import { openExchange } from './exchange.ts';
import type { Facts, First } from './files/payments.ts';
import { endToEndIdOf, instructionOf } from './instructions.ts';
import type { CreditTransfer } from './messages/model.ts';
import { readSettings, type Settings } from './settings.ts';
import { reasonOf } from './values/reasons.ts';
import { Unreadable } from './xml/element.ts';

/** News are told at once; asking again is for what nobody was there to hear. */
const askAgainMs = 3_600_000;

/** `turn` is what `watch` repeats. */
export type FileRail = Rail & { readonly turn: (signal: AbortSignal) => Promise<void> };

type Given = Pick<RailContext, 'reports' | 'now' | 'log'> & { readonly ids?: Ids };

export async function openFileRail(
  settings: Settings,
  { reports, now, log, ids = systemIds }: Given,
): Promise<FileRail> {
  const { payments, orders, write, turn } = await openExchange(settings, { reports, now, log, ids });
  const accepted = (reference: string): Accepted => ({
    status: 'accepted',
    reference,
    underway: true,
    checkAt: new Date(now().getTime() + askAgainMs),
  });
  const statusOf = (facts: Facts | undefined, { recorded }: RailPayment) =>
    knownOf(facts, recorded, accepted);
  const factsOf = ({ paymentId }: RailPayment) => payments.factsOf(endToEndIdOf(paymentId));

  /** Whether the bank's schema takes it: an order with one that it does not take could not leave. */
  const isWritable = (transfer: CreditTransfer): boolean => {
    const { amount, isInstant, endToEndId } = transfer;
    const order = {
      messageId: endToEndId,
      createdAt: now().toISOString(),
      currency: amount.currency,
      isInstant,
    };
    try {
      write(order, [transfer]);
      return true;
    } catch (error) {
      if (error instanceof Unreadable) return false;
      throw error;
    }
  };

  /** What is to be known of the payment for ever, by the settings of this process; nothing of it is written yet. */
  const firstFactOf = (payment: RailPayment): First => {
    const { paymentId } = payment;
    const instruction = instructionOf(payment, settings.accounts);
    const at = now().toISOString();
    if (instruction.status === 'carried' && isWritable(instruction.transfer))
      return { was: 'taken', paymentId, at, transfer: instruction.transfer };
    const { reason, why } = instruction.status === 'refused' ? instruction : breaksSchema;
    log.warn({ paymentId, why }, 'a payment was not taken');
    return { was: 'withdrawn', paymentId, at, reason };
  };

  /** Whatever another process says of it at the same time, with other settings: what was written first counts for both. */
  const take = async (payment: RailPayment): Promise<Facts | undefined> => {
    const endToEndId = endToEndIdOf(payment.paymentId);
    const fact = firstFactOf(payment);
    // First where the next order finds it, then as taken: what is known as taken is never left behind.
    if (fact.was === 'taken') await orders.wait(endToEndId);
    const { paymentId } = await payments.begin(endToEndId, fact);
    invariant(paymentId === payment.paymentId, `${payment.paymentId} has the identifier of another payment`);
    return payments.factsOf(endToEndId);
  };

  return {
    async submit(payment): Promise<Submission> {
      const status = statusOf((await factsOf(payment)) ?? (await take(payment)), payment);
      if (status.status === 'accepted') return status;
      return { status: 'ended', ending: status.status === 'unknown' ? calledBack : status };
    },
    statusOf: async (payment) => statusOf(await factsOf(payment), payment),
    async withdraw(payment) {
      const { paymentId } = payment;
      const at = now().toISOString();
      await payments.begin(endToEndIdOf(paymentId), { was: 'withdrawn', paymentId, at });
      return statusOf(await factsOf(payment), payment);
    },
    receiverAt: () => undefined,
    async checkName(info) {
      if (info.accountType === 'EUR_ACCOUNT' && !isIban(info.iban.toUpperCase()))
        throw new Rejected('INVALID_BANK_ACCOUNT', 'The check digits or the length of the IBAN are wrong.');
      return undefined;
    },
    turn,
    watch: repeated(turn, settings.everySeconds),
  };
}

/** Takes one turn after the other, until the signal is aborted. */
function repeated(turn: FileRail['turn'], everySeconds: number): FileRail['turn'] {
  /** Also after a turn that failed, when watching is begun anew: a file that stayed as it was for so long is whole. */
  let nextTurnAt = 0;
  return async (signal) => {
    while (!signal.aborted) {
      await pause(Math.max(0, nextTurnAt - performance.now()), signal);
      if (signal.aborted) return;
      try {
        await turn(signal);
      } finally {
        nextTurnAt = performance.now() + everySeconds * 1_000;
      }
    }
  };
}

const failed = (reason: FailureReason) => ({ status: 'failed', reason, refundFails: false }) as const;
const calledBack = failed('QUOTE_EXECUTION_FAILED');
const breaksSchema = { reason: 'OFFRAMP_FAILED', why: 'the order would break the schema' } as const;

/** Of a payment that is settled a debit counts for more than a refusal beside it: an operator has been told of that. */
function knownOf(
  facts: Facts | undefined,
  recorded: RailPayment['recorded'],
  accepted: (reference: string) => Accepted,
): RailStatus {
  if (!facts) return { status: 'unknown' };
  const { first, refused, debited, returned } = facts;
  if (first.was === 'withdrawn') return first.reason ? failed(first.reason) : { status: 'unknown' };
  if (refused && !(debited && recorded === 'settled')) return failed(reasonOf(refused.reasonCode));
  if (returned) return { status: 'returned', reason: reasonOf(returned.reasonCode) };
  return debited ? { status: 'settled' } : accepted(first.transfer.endToEndId);
}

/** What `DAYBOOK_RAIL=iso20022` loads. */
export default defineRail((context) =>
  openFileRail(readSettings(context.settings.SETTINGS, context.directory), context),
);
