/**
 * How payments end in the sandbox: the one table that the sandbox rail reads and docs/reference/sandbox.md is made
 * from. A row is chosen by the last three characters of the external account's primary
 * identifier, or by the payment address.
 */
import type { FailureReason } from '../domain/payments/events.ts';

/** What the rail reports at one of its checks. */
export type Outcome =
  | { readonly status: 'settled' }
  | { readonly status: 'failed'; readonly reason: FailureReason; readonly refund?: 'fails' }
  | { readonly status: 'rejected'; readonly reason: FailureReason }
  | { readonly status: 'cancelled' }
  /** After it was settled, the receiving bank sent the money back. */
  | { readonly status: 'returned'; readonly reason: FailureReason };

/** A wait, and what is known after it. No wait at all means that the request's own answer shows the outcome. */
export type Step = { readonly afterMs: number; readonly outcome: Outcome };

export type SandboxRow = {
  readonly context: 'transfer' | 'quote' | 'address';
  /** The suffix, the name of the payment address, or `other`. */
  readonly key: string;
  readonly meaning: string;
  readonly steps: readonly [Step, ...Step[]];
};

const second = 1_000;
const soon = second;

const failed = (reason: FailureReason): Outcome => ({ status: 'failed', reason });
const settled: Outcome = { status: 'settled' };

export const sandboxOutcomes: readonly SandboxRow[] = [
  row('transfer', '002', 'insufficient funds, fails at once', [0, failed('QUOTE_EXECUTION_FAILED')]),
  row('transfer', '003', 'account closed or invalid, fails at once', [0, failed('OFFRAMP_FAILED')]),
  row('transfer', '004', 'rejected by the bank', [soon, { status: 'rejected', reason: 'OFFRAMP_FAILED' }]),
  row('transfer', '005', 'pending for 30 seconds, then fails', [30 * second, failed('OFFRAMP_FAILED')]),
  row('transfer', 'other', 'completes', [soon, settled]),
  row('quote', '002', 'quote execution failed', [soon, failed('QUOTE_EXECUTION_FAILED')]),
  row('quote', '003', 'completes after 6 minutes', [360 * second, settled]),
  row('quote', '004', 'counterparty delivery failed', [soon, failed('OFFRAMP_FAILED')]),
  row(
    'quote',
    '005',
    'completes, then the receiving bank returns the payment',
    [soon, settled],
    [soon, { status: 'returned', reason: 'OFFRAMP_FAILED' }],
  ),
  row('quote', '006', 'user cancellation', [soon, { status: 'cancelled' }]),
  row('quote', '007', 'payout and refund failed', [
    soon,
    { status: 'failed', reason: 'OFFRAMP_FAILED', refund: 'fails' },
  ]),
  row('quote', 'other', 'completes', [soon, settled]),
  row('address', '$success.usd', 'completes', [soon, settled]),
  row('address', '$success.eur', 'completes', [soon, settled]),
  row('address', '$success.mxn', 'completes', [soon, settled]),
  row('address', '$pending.long.usd', 'stays under way for 24 hours', [24 * 3600 * second, settled]),
  row('address', '$fail.compliance.usd', 'fails a compliance check', [soon, failed('PAY_REQUEST_FAILED')]),
];

type Pair = readonly [afterMs: number, outcome: Outcome];

function row(
  context: SandboxRow['context'],
  key: string,
  meaning: string,
  first: Pair,
  ...rest: Pair[]
): SandboxRow {
  const step = ([afterMs, outcome]: Pair): Step => ({ afterMs, outcome });
  return { context, key, meaning, steps: [step(first), ...rest.map(step)] };
}

/** The row for an account with this identifier; `other` where no suffix applies. */
export function outcomeOfAccount(context: 'transfer' | 'quote', primaryIdentifier: string): SandboxRow {
  const suffix = suffixOf(primaryIdentifier);
  const rows = sandboxOutcomes.filter((one) => one.context === context);
  const found = rows.find(({ key }) => key === suffix) ?? rows.find(({ key }) => key === 'other');
  if (!found) throw new Error(`no outcome for ${context}`);
  return found;
}

/** The row for one of the sandbox's own payment addresses, or `undefined` when there is no such address. */
export const outcomeOfAddress = (address: string): SandboxRow | undefined =>
  sandboxOutcomes.find(
    ({ context, key }) => context === 'address' && address === `${key}@${sandboxUmaDomain}`,
  );

/** Whether a payment ends as if there were nothing special about it. */
export const arrivesSoon = ({ steps: [{ afterMs, outcome }] }: SandboxRow): boolean =>
  afterMs === soon && outcome.status === 'settled';

/** The domain of the sandbox's own payment addresses; no customer has an address there. */
export const sandboxUmaDomain = 'sandbox.daybook.test';

/** The last three characters; with an `@`, of the part before it. */
export const suffixOf = (identifier: string): string => (identifier.split('@')[0] ?? '').slice(-3);

/** How the name of a beneficiary is found to match, by the same suffix. */
export const verificationOutcomes = {
  '102': 'NOT_MATCHED',
  '103': 'PARTIAL_MATCH',
  '104': 'PENDING',
  '105': 'INVALID_ACCOUNT',
  '106': 'UNSUPPORTED',
  '107': 'CHECKED_BY_RECEIVING_FI',
  '109': 'SIMULATED_ERROR',
} as const;

/** What an external account is at first, by the same suffix. */
export const statusOutcomes = { '120': 'PENDING', '121': 'UNDER_REVIEW', '122': 'INACTIVE' } as const;

/** What names are found by: those of the tables, and those that further ones may have. */
const reserved = /^1\d\d$/;

/** Whether an identifier ends in digits that are in a table: an IBAN that was made to end so has other check digits. */
export function steers(primaryIdentifier: string): boolean {
  const suffix = suffixOf(primaryIdentifier);
  return (
    reserved.test(suffix) ||
    sandboxOutcomes.some(({ context, key }) => context !== 'address' && key === suffix)
  );
}

/** Of businesses and owners: by the suffix of registrationNumber or lastName. */
export const screeningOutcomes = { '001': 'PENDING', '002': 'REJECTED' } as const;

export function screeningOutcomeOf(text: string): 'PENDING' | 'REJECTED' | 'APPROVED' {
  const suffix = suffixOf(text);
  return Object.entries(screeningOutcomes).find(([key]) => key === suffix)?.[1] ?? 'APPROVED';
}

/** What steers the sandbox, as data: what chooses, what is chosen by it, and what comes of it. */
export type MagicValue = {
  readonly chosenBy:
    | 'EXTERNAL_ACCOUNT_SUFFIX'
    | 'PAYMENT_ADDRESS'
    | 'REGISTRATION_NUMBER_SUFFIX'
    | 'LAST_NAME_SUFFIX';
  readonly applies: 'TRANSFER' | 'QUOTE' | 'NAME_CHECK' | 'ACCOUNT_STATUS' | 'VERIFICATION';
  /** `other` where none of the rest applies. */
  readonly value: string;
  readonly meaning: string;
  readonly steps: readonly { readonly afterMs: number; readonly status: string; readonly reason?: string }[];
};

const statusShown = {
  settled: 'COMPLETED',
  failed: 'FAILED',
  rejected: 'REJECTED',
  cancelled: 'REFUNDED',
  returned: 'FAILED',
} as const;

const shownStep = ({ afterMs, outcome }: Step) => ({
  afterMs,
  status: statusShown[outcome.status],
  ...('reason' in outcome && { reason: outcome.reason }),
});

const atOnce = (status: string) => [{ afterMs: 0, status }];

/** Every one of them. Waits are those of the table; an installation may scale them. */
export const magicValues = (): readonly MagicValue[] => [
  ...sandboxOutcomes.map(
    ({ context, key, meaning, steps }): MagicValue => ({
      chosenBy: context === 'address' ? 'PAYMENT_ADDRESS' : 'EXTERNAL_ACCOUNT_SUFFIX',
      applies: context === 'transfer' ? 'TRANSFER' : 'QUOTE',
      value: context === 'address' ? `${key}@${sandboxUmaDomain}` : key,
      meaning,
      steps: steps.map(shownStep),
    }),
  ),
  ...Object.entries({ ...verificationOutcomes, other: 'MATCHED' }).map(
    ([value, status]): MagicValue => ({
      chosenBy: 'EXTERNAL_ACCOUNT_SUFFIX',
      applies: 'NAME_CHECK',
      value,
      meaning: 'how the name of the beneficiary is found to match',
      steps: atOnce(status),
    }),
  ),
  ...Object.entries({ ...statusOutcomes, other: 'ACTIVE' }).map(
    ([value, status]): MagicValue => ({
      chosenBy: 'EXTERNAL_ACCOUNT_SUFFIX',
      applies: 'ACCOUNT_STATUS',
      value,
      meaning: 'what an external account is when it is registered',
      steps: atOnce(status),
    }),
  ),
  ...(['REGISTRATION_NUMBER_SUFFIX', 'LAST_NAME_SUFFIX'] as const).flatMap((chosenBy) =>
    Object.entries({ ...screeningOutcomes, other: 'APPROVED' }).map(
      ([value, status]): MagicValue => ({
        chosenBy,
        applies: 'VERIFICATION',
        value,
        meaning: chosenBy === 'LAST_NAME_SUFFIX' ? 'verification of an owner' : 'verification of a business',
        steps: atOnce(status),
      }),
    ),
  ),
];
