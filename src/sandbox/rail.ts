/** The sandbox's outside world: nothing leaves the process, and `outcomes.ts` says how everything ends. */
import {
  type AccountInfo,
  definitionOf,
  primaryIdentifier,
} from '../domain/external-accounts/definitions.ts';
import type {
  Ending,
  NameCheck,
  PaymentRail,
  RailPayment,
  RailStatus,
  Submission,
} from '../domain/ports/payment-rail.ts';
import { type PlatformId, uuidOf } from '../kernel/ids.ts';
import { Rejected } from '../kernel/rejected.ts';
import {
  arrivesSoon,
  type Outcome,
  outcomeOfAccount,
  outcomeOfAddress,
  type SandboxRow,
  sandboxUmaDomain,
  statusOutcomes,
  steers,
  suffixOf,
  verificationOutcomes,
} from './outcomes.ts';
import { rememberedPayments } from './remembered-payments.ts';

type Settled = Extract<Ending, { readonly status: 'settled' }>;

/** A rail of the sandbox forgets what a platform has paid that was put back to before it. */
export type SandboxRail = PaymentRail & { readonly forget: (platformId: PlatformId) => void };

/** Waits of the table are multiplied by `timeScale`. */
export function sandboxRail(now: () => Date, timeScale: number): SandboxRail {
  const after = (ms: number) => new Date(now().getTime() + ms * timeScale);
  const submission = (payment: RailPayment): Submission => {
    const row = rowOf(payment);
    if (!row) return { status: 'ended', ending: unreachable };
    const [first] = row.steps;
    if (first.afterMs === 0) return { status: 'ended', ending: toEnding(first.outcome) };
    const underway =
      payment.kind === 'quote' || payment.kind === 'incoming' || first.outcome.status === 'settled';
    const reference = `SBX-${uuidOf(payment.paymentId).slice(-12).toUpperCase()}`;
    return { status: 'accepted', reference, underway, checkAt: after(first.afterMs) };
  };

  const submitted = rememberedPayments<RailStatus>();
  const withdrawn = rememberedPayments<Ending>();
  /** What is said of payments that arrived and come back, until they do. */
  const arrived = rememberedPayments<Settled>();
  const isDue = (at: Date | undefined) => at === undefined || at <= now();

  return {
    async submit(payment) {
      const ending = withdrawn.get(payment);
      const answer: Submission = ending ? { status: 'ended', ending } : submission(payment);
      submitted.set(payment, answer.status === 'ended' ? answer.ending : answer);
      return answer;
    },
    takesAtOnce: submission,
    isOwnAccount: (info) => steers(primaryIdentifier(info)),
    async statusOf(payment) {
      const taken = submitted.get(payment);
      if (payment.recorded === 'begun') return taken ?? { status: 'unknown' };
      // Whoever asks again before its time hears the same again.
      if (payment.recorded === 'submitted' && taken?.status === 'accepted' && !isDue(taken.checkAt))
        return taken;
      const before = arrived.get(payment);
      if (before && !isDue(before.checkAt)) return before;
      const row = rowOf(payment);
      if (!row) return unreachable;
      const [first, second] = row.steps;
      if (payment.recorded === 'settled') return second ? toEnding(second.outcome) : { status: 'settled' };
      const ending = toEnding(first.outcome);
      if (!second || ending.status !== 'settled') return ending;
      const settled = { ...ending, checkAt: after(second.afterMs) };
      arrived.set(payment, settled);
      return settled;
    },
    async withdraw(payment) {
      const status = submitted.get(payment);
      if (status) return status;
      withdrawn.set(payment, unreachable);
      return { status: 'unknown' };
    },
    forget(platformId) {
      for (const memory of [submitted, withdrawn, arrived]) memory.forget(platformId);
    },
    umaDomain: sandboxUmaDomain,
    receiverAt,
    checkName: async (info) => checkName(info),
    statusOfNew: async (info) => {
      const suffix = suffixOf(primaryIdentifier(info));
      return Object.entries(statusOutcomes).find(([key]) => key === suffix)?.[1] ?? 'ACTIVE';
    },
  };
}

function rowOf({ kind, counterparty, senderUmaAddress }: RailPayment): SandboxRow | undefined {
  if (counterparty.kind === 'account') {
    const ofSender = senderUmaAddress === undefined ? undefined : outcomeOfAddress(senderUmaAddress);
    // What the sender's side does not send never comes to the account that it would go on to.
    if (ofSender && !arrivesSoon(ofSender)) return ofSender;
    const context = kind === 'transfer-in' || kind === 'transfer-out' ? 'transfer' : 'quote';
    return outcomeOfAccount(context, primaryIdentifier(counterparty.account.accountInfo));
  }
  // A simulated payment may name a customer here as its sender, who is on no list; it arrives.
  const unlisted = kind === 'incoming' ? outcomeOfAccount('quote', '') : undefined;
  return outcomeOfAddress(counterparty.umaAddress) ?? unlisted;
}

/** What everybody says who has one of the sandbox's own addresses. */
const persona = {
  FULL_NAME: 'Sam Sandbox',
  BIRTH_DATE: '1990-01-31',
  NATIONALITY: 'US',
  COUNTRY_OF_RESIDENCE: 'US',
  EMAIL: 'sam@example.com',
  PHONE_NUMBER: '+15550100000',
  POSTAL_ADDRESS: '1 Test Street, 10001, US',
  USER_TYPE: 'INDIVIDUAL',
} as const;

/** Nobody has the address any more, or the payment was called back before it came. */
const unreachable: Ending = { status: 'failed', reason: 'PAY_REQUEST_FAILED', refundFails: false };

/** The currency is the last part of the name. */
function receiverAt(umaAddress: string) {
  const row = outcomeOfAddress(umaAddress);
  if (!row) return undefined;
  const currency = (row.key.split('.').at(-1) ?? '').toUpperCase();
  const requiredPayerDataFields = [
    { name: 'FULL_NAME', mandatory: true },
    { name: 'BIRTH_DATE', mandatory: false },
    { name: 'NATIONALITY', mandatory: false },
  ] as const;
  return { currencies: [currency], requiredPayerDataFields, information: persona };
}

function toEnding(outcome: Outcome): Ending {
  if (outcome.status !== 'failed') return outcome;
  return { status: 'failed', reason: outcome.reason, refundFails: outcome.refund === 'fails' };
}

/** Names are given back for MATCHED and PARTIAL_MATCH only; wallets are not checked. */
function checkName(info: AccountInfo): NameCheck | undefined {
  const name = nameOf(info);
  const suffix = suffixOf(primaryIdentifier(info));
  const outcome = Object.entries(verificationOutcomes).find(([key]) => key === suffix)?.[1] ?? 'MATCHED';
  if (outcome === 'INVALID_ACCOUNT')
    throw new Rejected('INVALID_BANK_ACCOUNT', 'The bank does not know this account.');
  if (outcome === 'SIMULATED_ERROR')
    throw new Rejected('INTERNAL_ERROR', 'A simulated error: the identifier ends in 109.');
  if (definitionOf(info.accountType).rails.length === 0) return undefined;
  if (outcome === 'MATCHED') return { status: outcome, ...(name && { fullName: name }) };
  if (outcome === 'PARTIAL_MATCH') return { status: outcome, ...(name && { fullName: closeVariant(name) }) };
  return { status: outcome };
}

function nameOf(info: AccountInfo): string | undefined {
  const beneficiary = 'beneficiary' in info ? info.beneficiary : undefined;
  if (!beneficiary) return undefined;
  return beneficiary.beneficiaryType === 'INDIVIDUAL' ? beneficiary.fullName : beneficiary.legalName;
}

/** As a bank may have it: first names shortened to an initial, which is a whole character. */
function closeVariant(name: string): string {
  const [first = '', ...rest] = name.trim().split(/\s+/);
  const [initial = ''] = first;
  return rest.length === 0 ? `${first}.` : `${initial}. ${rest.join(' ')}`;
}
