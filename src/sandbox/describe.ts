/** The sandbox's rules as a page of the documentation, made from the tables that the sandbox itself reads. */
import { describeFaults } from './faults/describe.ts';
import { inboxUrl } from './inbox.ts';
import {
  type Outcome,
  type Step,
  sandboxOutcomes,
  sandboxUmaDomain,
  screeningOutcomes,
  statusOutcomes,
  verificationOutcomes,
} from './outcomes.ts';

export const describeSandbox = (): string =>
  [
    ...paymentsSection,
    ...externalAccountsSection,
    ...businessesSection,
    '## As data',
    '',
    '`GET /sandbox/outcomes` answers with all of these, from the same table.',
    '',
    ...clockSection,
    ...watchingSection,
    ...describeFaults(),
  ].join('\n');

const paymentsSection = [
  '# Sandbox outcomes',
  '',
  'Made from `src/sandbox/outcomes.ts` by `npm run docs:generate`.',
  '',
  "The last three characters of an external account's primary identifier choose how a payment ends. For an identifier",
  'with an `@`, the last three characters before it count. Waits are multiplied by `DAYBOOK_SANDBOX_TIME_SCALE`.',
  '',
  '## Transfer in and transfer out',
  '',
  'The external account decides: the source of a transfer in, the destination of a transfer out. What a transfer out had',
  'taken is refunded.',
  '',
  ...endings('transfer', 'Suffix'),
  '',
  '## Quotes to external accounts',
  '',
  "The destination decides. What the payment had taken is refunded: to the source account, or back the way it came; cryptocurrency to the customer's internal account in it, where there is one.",
  '',
  ...endings('quote', 'Suffix'),
  '',
  `## Payment addresses at ${sandboxUmaDomain}`,
  '',
  'They can be paid with a quote, and can pay with `POST /sandbox/uma/receive`. What one of them pays ends like this also',
  'where it goes on to an external account; where this says that it completes at once, that account decides.',
  'Suffix `006` ends it `REJECTED` then, without a refund: nothing was taken from anybody here.',
  '',
  ...endings('address', `Address before \`@${sandboxUmaDomain}\``),
  '',
];

function endings(context: string, head: string): readonly string[] {
  const rows = sandboxOutcomes.filter((row) => row.context === context);
  return [
    `| ${head} | Meaning | What happens |`,
    '| --- | --- | --- |',
    ...rows.map(
      ({ key, meaning, steps }) => `| \`${key}\` | ${meaning} | ${steps.map(describeStep).join('; ')} |`,
    ),
  ];
}

const verificationText: Partial<Record<string, string>> = {
  INVALID_ACCOUNT: '400 `INVALID_BANK_ACCOUNT`; nothing is stored',
  SIMULATED_ERROR: '500 `INTERNAL_ERROR`; nothing is stored',
};

const externalAccountsSection = [
  '## Name verification of external accounts',
  '',
  'Decided when the account is registered. A wallet has no name to verify, and no result; `105` and `109` hold for it too.',
  '',
  '| Suffix | Result |',
  '| --- | --- |',
  ...Object.entries(verificationOutcomes).map(
    ([suffix, result]) => `| \`${suffix}\` | ${verificationText[result] ?? `\`${result}\``} |`,
  ),
  '| other | `MATCHED` |',
  '',
  '## Status of external accounts',
  '',
  'What an account is when it is registered. `POST /sandbox/external-accounts/{externalAccountId}/status` changes it, as',
  'an operator would; `POST /sandbox/internal-accounts/{accountId}/status` freezes an internal account, and lifts that.',
  '',
  '| Suffix | `status` |',
  '| --- | --- |',
  ...Object.entries(statusOutcomes).map(([suffix, status]) => `| \`${suffix}\` | \`${status}\` |`),
  '| other | `ACTIVE` |',
  '',
];

const businessesSection = [
  '## Verification of businesses and of beneficial owners',
  '',
  'The last three characters of `businessInfo.registrationNumber` decide `kybStatus` when the business is verified with',
  "`POST /verifications`; nothing else is checked. Those of an owner's `personalInfo.lastName` decide the owner's",
  '`kycStatus` when the owner is created, and when a change names a `lastName` or makes the owner somebody else.',
  'An individual is approved.',
  '',
  '| Suffix | Business | Owner | Status of the verification |',
  '| --- | --- | --- | --- |',
  ...[...Object.entries(screeningOutcomes), ['other', 'APPROVED']].map(
    ([suffix, status]) =>
      `| ${suffix === 'other' ? suffix : `\`${suffix}\``} | \`${status}\` | \`${status}\` | \`${status === 'PENDING' ? 'PENDING_MANUAL_REVIEW' : status}\` |`,
  ),
  '',
];

const clockSection = [
  '## Clock',
  '',
  "Each platform has a clock of its own. It follows the installation's until it is frozen or advanced, and never goes back.",
  '',
  '| Operation | Does |',
  '| --- | --- |',
  '| `GET /sandbox/clock` | shows its time, its status, and when something is due next |',
  '| `POST /sandbox/clock/freeze` | stops it; with `at`, at that later moment |',
  '| `POST /sandbox/clock/advance` | puts it forward by `duration` (ISO 8601, up to weeks), `to` a moment, or `toNextTimer`; does all that is due by then, in order, and answers when what follows is done |',
  '| `POST /sandbox/clock/resume` | lets it go on from where it stands |',
  '',
  'Quotes, payments, approvals, invitations, sessions, limits by hour and day, and retries of webhooks keep to it.',
  'An invitation keeps to the clock of the platform that created it, also for others.',
  'Credentials, idempotency keys, rate limits and signatures of webhooks keep to the clock of the installation, and so do balances and statements of the audit: what a clock that was put forward dates later counts from when it was recorded.',
  '',
];

const watchingSection = [
  '## Watching',
  '',
  '| Operation | Does |',
  '| --- | --- |',
  '| `GET /sandbox/webhooks` | lists what your platform is told, oldest first, by `type`, `objectId` and `after`; `waitSeconds` (up to 30) waits for the first that matches |',
  '| `GET /sandbox/events` | sends the events of your platform as they are recorded, as server-sent events; `after` or `Last-Event-ID` goes on after one |',
  '',
  'What is sent of an [event](events.md) is its `id`, `type`, `stream`, `data` and `metadata`. Left out are `revision`, and `platformId`, `key`, `personal`, `hash` and `previousHash` of the metadata: the hashes are of the whole event. `correlationId` and `causationId` are there where a token or an agent of yours is the `actor`; of the operator `actor` says no more than that. What is of another platform is left out of `data`.',
  '',
  `A \`webhookEndpoint\` of \`${inboxUrl}\` takes everything, and needs no receiver.`,
  '',
];

function describeStep({ afterMs, outcome }: Step): string {
  const wait = afterMs === 0 ? 'at once' : `after ${describeWait(afterMs)}`;
  return `${wait} ${describeOutcome(outcome)}`;
}

function describeWait(ms: number): string {
  const seconds = ms / 1000;
  if (seconds < 60) return seconds === 1 ? '1 second' : `${seconds} seconds`;
  return seconds < 3600 ? `${seconds / 60} minutes` : `${seconds / 3600} hours`;
}

function describeOutcome(outcome: Outcome): string {
  switch (outcome.status) {
    case 'settled':
      return '`COMPLETED`';
    case 'failed':
      return `\`FAILED\` with \`${outcome.reason}\`${outcome.refund === 'fails' ? ', and the refund is `FAILED` too' : ''}`;
    case 'rejected':
      return `\`REJECTED\` with \`${outcome.reason}\``;
    case 'cancelled':
      return '`REFUNDED`, refund reason `USER_CANCELLATION`';
    case 'returned':
      return `\`FAILED\` with \`${outcome.reason}\`: the bank returned it`;
  }
}
