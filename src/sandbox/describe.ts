/** The sandbox's rules as a page of the documentation, made from the tables that the sandbox itself reads. */
import {
  type Outcome,
  type Step,
  sandboxOutcomes,
  sandboxUmaDomain,
  screeningOutcomes,
  statusOutcomes,
  verificationOutcomes,
} from './outcomes.ts';

export function describeSandbox(): string {
  const rows = (context: string) => sandboxOutcomes.filter((row) => row.context === context);
  const table = (context: string, head: string) => [
    `| ${head} | Meaning | What happens |`,
    '| --- | --- | --- |',
    ...rows(context).map(
      ({ key, meaning, steps }) => `| \`${key}\` | ${meaning} | ${steps.map(describeStep).join('; ')} |`,
    ),
  ];
  return `${[
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
    ...table('transfer', 'Suffix'),
    '',
    '## Quotes to external accounts',
    '',
    'The destination decides. What the payment had taken is refunded, to the source account or back the way it came.',
    '',
    ...table('quote', 'Suffix'),
    '',
    `## Payment addresses at ${sandboxUmaDomain}`,
    '',
    'They can be paid with a quote, and can pay with `POST /sandbox/uma/receive`. What one of them pays ends like this also',
    'where it goes on to an external account; where this says that it completes at once, that account decides.',
    '',
    ...table('address', `Address before \`@${sandboxUmaDomain}\``),
    '',
    '## Name verification of external accounts',
    '',
    'Decided when the account is registered.',
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
    '## Verification of businesses and of beneficial owners',
    '',
    'The last three characters of `businessInfo.registrationNumber` decide `kybStatus` when the business is verified with',
    "`POST /verifications`; nothing else is checked. Those of an owner's `personalInfo.lastName` decide the owner's",
    '`kycStatus` when the owner is created, and when a change names a `lastName`. An individual is approved.',
    '',
    '| Suffix | Business | Owner | Status of the verification |',
    '| --- | --- | --- | --- |',
    ...[...Object.entries(screeningOutcomes), ['other', 'APPROVED']].map(
      ([suffix, status]) =>
        `| ${suffix === 'other' ? suffix : `\`${suffix}\``} | \`${status}\` | \`${status}\` | \`${status === 'PENDING' ? 'PENDING_MANUAL_REVIEW' : status}\` |`,
    ),
    '',
  ].join('\n')}`;
}

const verificationText: Partial<Record<string, string>> = {
  INVALID_ACCOUNT: '400 `INVALID_BANK_ACCOUNT`; nothing is stored',
  SIMULATED_ERROR: '500 `INTERNAL_ERROR`; nothing is stored',
};

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
