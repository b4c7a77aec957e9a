/** What faults there are, as a section of the sandbox's page. */
import { conditionsOf, type Effect, targetOf } from './rules.ts';

const faultText: Readonly<Record<Effect['kind'], string>> = {
  REFUSE:
    'refuses the operation with `code`; nothing is done; `RATE_LIMITED` and `SERVICE_UNAVAILABLE` have `Retry-After`',
  DELAY:
    'waits for `delay` (up to 30 seconds) `BEFORE` the operation, which finds what is there then, or `AFTER` it and before the answer',
  DROP: 'closes the connection without an answer, `BEFORE` the operation or `AFTER` it',
  DUPLICATE_WEBHOOK: 'sends a webhook twice',
  HOLD_WEBHOOK: 'sends a webhook `delay` later; those of other objects go first',
  RETURN_PAYMENT:
    'completes a payment over the rail that goes out, and returns it `delay` later with `OFFRAMP_FAILED`; what comes in to an internal account is not hit',
};

export const describeFaults = (): readonly string[] => [
  '## Faults',
  '',
  'A rule of `POST /sandbox/faults` has a `match`, an `effect`, and how often (`times`) and how long (`lasts`) it holds. What',
  'is left out of `match` matches everything; `percent` takes in a part. A code has its own status. Without `times` it holds',
  'each time, without `lasts` for 7 days by the clock of the platform, which is the longest.',
  '',
  '| `effect.kind` | Does | Matches by |',
  '| --- | --- | --- |',
  ...Object.entries(faultText).map(
    ([kind, does]) =>
      `| \`${kind}\` | ${does} | ${conditionsOf[targetOf({ kind: kind as Effect['kind'] })].map((one) => `\`${one}\``).join(', ')} |`,
  ),
  '',
  '`accountId`, `currency` and `paymentRail` are compared with the values of the request, and of the object that its path names.',
  'A transfer or a quote whose body names no `paymentRail` is not hit by one when it is made. The body of a transfer names',
  'no currency: it is hit by its accounts. What the policy of an agent names is a value of the agent, and of nothing that it',
  'asks for.',
  '',
  'Operations under `/sandbox` are never hit, nor are those that take no credentials; a rule that names one of them is 400.',
  'Other platforms are not hit, and in production there are no faults.',
  '',
];
