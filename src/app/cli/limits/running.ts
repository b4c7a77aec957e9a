/** What a process keeps in memory, how often things may happen, and how long they take at most. */
import { statementMaxMs, waitingMax, waitMaxMs } from '../../../../projections/bounded.ts';
import { rememberedMax as rowsMax } from '../../../../projections/models/transaction-lists.ts';
import { namesMax } from '../../../../projections/prepared.ts';
import { rememberedMax as followedMax } from '../../../../projections/projector/states.ts';
import { rememberedMax as endpointsMax } from '../../../api/webhooks/content.ts';
import { lifetimeMs as lookupMs } from '../../../domain/lookups/lookup.ts';
import { cryptoLifetimeMs } from '../../../domain/quotes/new-quote.ts';
import { actionBytes, entryBytes } from '../../../domain/state-sizes.ts';
import { codeTriesMax, requestsMax, revocationsMax } from '../../../domain/wallets/evolve.ts';
import { credentialsMax, sessionsMax, signInsMax } from '../../../domain/wallets/rules.ts';
import { challengeLifetimeMs } from '../../../domain/wallets/state.ts';
import { closedEvery, pageMax as foldedMax } from '../../../infrastructure/closings/fold.ts';
import { reactedMax } from '../../../infrastructure/commands/flows.ts';
import { rememberedMax as streamsMax } from '../../../infrastructure/commands/states.ts';
import { keptBytesMax, keptMax } from '../../../infrastructure/event-store/postgres/recent.ts';
import { keptHours } from '../../../infrastructure/http/once/keys-table.ts';
import {
  behindMaxMs,
  ofOneTenantMax,
  refusedAfterMs,
  underWayMax,
} from '../../../infrastructure/http/pressure.ts';
import { drainMs, usualDoors } from '../../../infrastructure/http/server.ts';
import { leaseMs } from '../../../infrastructure/jobs/lease-line.ts';
import { slowMs as longListMs, slowForMs } from '../../../infrastructure/jobs/places.ts';
import { attemptsMax } from '../../../infrastructure/jobs/queues.ts';
import { ofOneMax } from '../../../infrastructure/jobs/shares.ts';
import { waitingMax as leavesMax } from '../../../infrastructure/log-tree/growing.ts';
import {
  connectionWaitMs,
  statementMaxMs as serviceStatementMaxMs,
} from '../../../infrastructure/postgres/pool.ts';
import { smallStateBytes, statesBytesMax } from '../../../infrastructure/remembered/states.ts';
import { goingOnMax } from '../../../infrastructure/scheduling/tenant-turns.ts';
import { filterBytesMax } from '../../../kernel/growing-filter.ts';
import { returnsKeptDays } from '../../../sandbox/faults/returns.ts';
import { codesKeptDays } from '../../../use-cases/agents/credentials.ts';
import { lifetimeMs as deviceCodeMs } from '../../../use-cases/agents/secrets.ts';
import { rememberedMs, rememberedMax as tokensMax } from '../../../use-cases/tokens/tokens.ts';
import { rememberedMax as looksMax } from '../../../workers/looks.ts';
import { waitingMax as clocksMax } from '../../../workers/platform-clocks/platform-clocks.ts';
import { againMax, pageMax, rememberedMax as timersMax } from '../../../workers/timers.ts';
import { approvalMaxBytes, approvalTimeoutMs } from '../../../workers/webhooks/approval.ts';
import { attemptTimeoutMs } from '../../../workers/webhooks/attempt.ts';
import {
  firstRetryMs,
  longestRetryMs,
  retryAfterMaxMs,
  retryForMs,
} from '../../../workers/webhooks/backoff.ts';
import { rememberedMax as keysMax } from '../../../workers/webhooks/keys.ts';
import { longestClosedMs, silentAfter, slowMs } from '../../../workers/webhooks/lanes/lane.ts';
import { bounds, type Kind } from '../../../workers/webhooks/lanes/lines.ts';
import { testTimeoutMs } from '../../../workers/webhooks/on-request.ts';
import {
  excerptMaxBytes,
  excerptMaxMs,
  rememberedMax as targetsMax,
  usualKeptMs,
  waitingMaxBytes,
} from '../../../workers/webhooks/send.ts';
import { readConfig } from '../../config.ts';
import { approvalMs } from '../../parts/rails.ts';
import { bytes, count, duration, section } from './page.ts';

const callsOf = (kind: Kind) =>
  `${bounds[kind].promptMax} to endpoints that answer within ${duration(slowMs)}, ${bounds[kind].othersMax} to others`;

function callsToOne(kind: Kind): string {
  const { prompt, slow, unknown, silent } = bounds[kind].limits;
  return `${prompt}; ${slow} where it is slow, ${unknown} before its first answer, ${silent} where ${silentAfter} in a row got none`;
}

const hourMs = 3_600_000;

export const describeCaches = (): string[] =>
  section(
    'Caches of one process',
    [
      `A state counts for ${bytes(smallStateBytes)}, and for what grows with use on top: ${entryBytes} bytes for each entry of an account or used challenge of a wallet since its last closing, ${bytes(actionBytes)} for each action of an agent since then or that waits for approval, ${bytes(filterBytesMax)} at most for the filter of older ones, the lists of a policy, the credentials and sessions of a wallet, and the characters of what the sides of a payment are told of each other. These are estimates, on the safe side for most. One stream counts for no more than a quarter of the whole. The books of a stream are closed after ${count(closedEvery)} events, or every ${count(foldedMax)} where a long one is read that has not been closed.`,
    ],
    [
      ['states of streams, for commands', `${count(streamsMax)} streams, ${bytes(statesBytesMax)}`],
      ['states of streams, for read models', `${count(followedMax)} streams, ${bytes(statesBytesMax)}`],
      ['newest events of the log', `${count(2 * keptMax)} events, ${bytes(keptBytesMax)} of JSON`],
      ['events whose reactions have run', `${count(reactedMax)} ids`],
      ['events on their way into the tree of the log', `${count(leavesMax)} hashes`],
      ['rows of `GET /transactions`', `${count(rowsMax)} rows of 24 KiB at most, most of them 2 KiB`],
      ['API tokens', `${count(tokensMax)} rows of 1 KiB at most`],
      ['webhook endpoints that are set', `${count(endpointsMax)} ids`],
      ['keys of webhooks', `${count(keysMax)} pairs of 2 KiB at most`],
      ['targets of webhooks', `${count(targetsMax)} addresses of 4 KiB at most`],
      ['timers and looks that were queued', `${count(timersMax)} and ${count(looksMax)} keys`],
      ['names of prepared statements', `${count(namesMax)} texts of the code's own`],
    ],
  );

export function describeRates(): string[] {
  const { rateLimits, listsPerMinute, guesses, connectionsPerAddress } = readConfig({});
  const perMinute = (limit: number, variable: string) =>
    `${limit === 0 ? 'no limit' : `${limit} in a minute`} unless \`${variable}\` says otherwise`;
  return section(
    'Rates',
    [],
    [
      ['requests of one API token', perMinute(rateLimits.token, 'DAYBOOK_RATE_LIMIT_TOKEN')],
      ['pages of lists of one caller, in one process', perMinute(listsPerMinute, 'DAYBOOK_RATE_LIMIT_LISTS')],
      [
        'redemptions of unknown device codes from one network',
        perMinute(guesses.strangers, 'DAYBOOK_RATE_LIMIT_REDEEM'),
      ],
      [
        'unknown codes of invitations of one platform',
        perMinute(guesses.platforms, 'DAYBOOK_RATE_LIMIT_INVITATIONS'),
      ],
      [
        'connections of one address',
        `${count(connectionsPerAddress)} unless \`DAYBOOK_CONNECTIONS_PER_ADDRESS\` says otherwise; ${count(usualDoors.connectionsMax)} in all, fewer where few files may be open`,
      ],
      [
        'lists that wait for a connection to the database',
        `${waitingMax}, ${ofOneMax(waitingMax)} of one platform; further ones are 503`,
      ],
      [
        'connections that lists of platforms have whose lists take long',
        `all but one, where another platform asks; long is ${duration(longListMs)}, for ${duration(slowForMs)} after it`,
      ],
      ['challenges of one credential', perMinute(rateLimits.challenge, 'DAYBOOK_RATE_LIMIT_CHALLENGE')],
      ['verifications of one credential', perMinute(rateLimits.verify, 'DAYBOOK_RATE_LIMIT_VERIFY')],
      ['wrong tries of one mailed code', `${codeTriesMax}`],
      [
        'requests under way in one process',
        `${underWayMax}, ${ofOneTenantMax} of one platform, fewer while others need them; further ones are 503 after ${duration(refusedAfterMs)}`,
      ],
      [
        'requests that go on at a time in one process while several platforms ask',
        `${goingOnMax}; those of a platform that has its share wait for their turn`,
      ],
      ['how far read models may be behind', `${duration(behindMaxMs)}; changes are 503 beyond`],
      ['webhook calls under way in one process', callsOf('notices')],
      ['the same, of those that ask for approval', callsOf('approvals')],
      ['webhook calls under way to one endpoint', callsToOne('notices')],
      ['the same, of those that ask for approval', callsToOne('approvals')],
      [
        'changes of the clock of one platform of the sandbox under way or waiting in one process',
        `${clocksMax.platform}, ${clocksMax.process} of all platforms; further ones are 429`,
      ],
      [
        'open signature requests of one wallet',
        `${requestsMax}, and ${revocationsMax} more to revoke a credential or a session; further ones are 429`,
      ],
      ['credentials of one wallet', `${credentialsMax}`],
      [
        'active sessions of one wallet',
        `${sessionsMax}, and ${signInsMax} more by signing in; further ones are 429`,
      ],
    ],
  );
}

export function describeTimes(): string[] {
  const { quoteLifetimeMs, walletSessionMs, webhooks, kept } = readConfig({});
  return section(
    'Timers and queues',
    ['What a variable sets has its usual value here.'],
    [
      [
        'a quote',
        `${duration(quoteLifetimeMs)}; crypto that is paid in real time ${duration(cryptoLifetimeMs)}`,
      ],
      [
        'a statement of a list',
        `${duration(statementMaxMs)}, after ${duration(waitMaxMs)} of waiting at most`,
      ],
      [
        'any other statement',
        `${duration(serviceStatementMaxMs)}, after ${duration(connectionWaitMs)} of waiting at most`,
      ],
      ['a lease that is not renewed', `${duration(leaseMs)}; then another process has it`],
      ['a lookup', duration(lookupMs)],
      ['approval of an incoming payment', duration(approvalMs)],
      ['a session of a wallet', duration(walletSessionMs)],
      [
        'a challenge of a wallet',
        `${duration(challengeLifetimeMs)}; for an OAUTH credential no longer than its token is taken`,
      ],
      ['a device code', duration(deviceCodeMs)],
      ['a kept answer to an `Idempotency-Key`', duration(keptHours * hourMs)],
      ['mails', duration(kept.mailsHours * hourMs)],
      ['webhook events that ended, and attempts', duration(kept.webhooksDays * 24 * hourMs)],
      ['what is known of a device code, from its issue on', duration(codesKeptDays * 24 * hourMs)],
      ['payments of the sandbox that have come back by a fault', duration(returnsKeptDays * 24 * hourMs)],
      ['a deleted token that still works', duration(rememberedMs)],
      [
        'a webhook call',
        `${duration(attemptTimeoutMs)}; ${duration(approvalTimeoutMs)} where it asks for approval, ${duration(testTimeoutMs)} for a test`,
      ],
      [
        'what is read of the answer to a webhook',
        `${bytes(excerptMaxBytes)}, for ${duration(excerptMaxMs)} from its head on; ${bytes(approvalMaxBytes)} where it asks for approval`,
      ],
      ['what is passed over before the head of that answer', bytes(waitingMaxBytes)],
      ['a connection to a receiver, without a call', duration(usualKeptMs)],
      ['until a silent endpoint is called again', `up to ${duration(longestClosedMs)}, a fifth more or less`],
      [
        'between retries of a webhook',
        `${duration(firstRetryMs)}, doubling, up to ${duration(longestRetryMs)}; \`Retry-After\` up to ${duration(retryAfterMaxMs)}`,
      ],
      ['retries of a webhook', `for ${duration(retryForMs)}`],
      ['both generations of webhook keys', duration(webhooks.keyOverlapMs)],
      [
        'timers that are looked for together',
        `${count(pageMax)}; ${againMax} of those that have ended nothing before`,
      ],
      ['tries of a job in a queue', `${attemptsMax}; what is due is looked for again besides`],
      ['requests that finish after SIGTERM', duration(drainMs)],
    ],
  );
}
