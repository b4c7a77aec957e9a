import { execFileSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { basic, type Client, clientOf } from '../support/http/client.ts';
import { atMost, countByStatus } from '../support/http/concurrency.ts';
import { type DocumentedOperation, documented } from '../support/interface/interface.ts';
import { unbalanced } from '../support/log/books.ts';
import { type Daybook, removeDirectory, spawnDaybook } from '../support/processes/process.ts';
import { newCredentials } from '../support/processes/service.ts';
import { accessTokenFrom, createAgent } from '../support/resources/agents.ts';
import { type Belongings, createBelongings } from '../support/resources/platforms.ts';
import { givenSeed } from '../support/values/property.ts';
import { type FuzzAnswer, faultsOf } from './answers.ts';
import { type FuzzRequest, requestsOf } from './requests.ts';

/** A run is repeated with SEED, and one operation of it with FUZZ_OPERATION. */
const seed = givenSeed ?? randomInt(2 ** 31);
const only = process.env.FUZZ_OPERATION;
const perOperation = 36;
const atOnce = 12;
/** A few times what the service has after a start; the attacks that this is about took gigabytes. */
const residentMaxKib = 1024 * 1024;

const credentials = newCredentials();
const variables = {
  DAYBOOK_BOOTSTRAP_CLIENT_ID: credentials.clientId,
  DAYBOOK_BOOTSTRAP_CLIENT_SECRET: credentials.clientSecret,
  DAYBOOK_SANDBOX_TIME_SCALE: '0.01',
  DAYBOOK_RATE_LIMIT_CHALLENGE: '0',
  DAYBOOK_RATE_LIMIT_VERIFY: '0',
};

let cwd: string;
let daybook: Daybook;
let url: string;
let client: Client;
let own: Belongings;
let accessToken: string;
beforeAll(async () => {
  cwd = await mkdtemp(join(tmpdir(), 'daybook-fuzz-'));
  daybook = spawnDaybook({ cwd, variables });
  url = await daybook.ready;
  client = clientOf(url, credentials);
  own = await createBelongings(client);
  accessToken = await accessTokenFrom(client, await createAgent(client, own.customerId));
});
afterAll(async () => {
  daybook.kill('SIGKILL', 'group');
  await daybook.exited;
  await removeDirectory(cwd);
});

/** What deletes, or closes a door for others, comes last. */
const isLast = ({ method, operationId }: DocumentedOperation) =>
  method === 'DELETE' || operationId === 'updatePlatformConfig';

/** What would break those after it on purpose, and what goes on for as long as it is asked to. */
const apart = ['sandboxCreateFault', 'sandboxStreamEvents', 'watchTransactions'];

const chosen = documented
  .filter(({ operationId }) => (only === undefined ? !apart.includes(operationId) : operationId === only))
  .toSorted((a, b) => Number(isLast(a)) - Number(isLast(b)));

/** Its own for each operation, and the same whether others are asked or not. */
const seedOf = (operation: DocumentedOperation) => seed + documented.indexOf(operation);

const authorizationFor = ({ schemes }: DocumentedOperation): Record<string, string> => {
  if (schemes.length === 0) return {};
  return { authorization: schemes.includes('basic') ? basic(credentials) : `Bearer ${accessToken}` };
};

async function sent({ operation, target, headers, body }: FuzzRequest): Promise<FuzzAnswer> {
  const answer = await fetch(`${url}${target}`, {
    method: operation.method,
    headers: { ...headers, ...authorizationFor(operation) },
    ...(body !== undefined && operation.method !== 'GET' && { body }),
  });
  return { status: answer.status, type: answer.headers.get('content-type'), text: await answer.text() };
}

const shown = ({ operation, target, headers, body }: FuzzRequest): string =>
  `${operation.method} ${target} ${JSON.stringify(headers)} ${String(body).slice(0, 500)}`;

const residentKib = () => Number(execFileSync('ps', ['-o', 'rss=', '-p', String(daybook.pid)]).toString());

describe(`random requests to every operation (SEED=${seed})`, () => {
  const answers: FuzzAnswer[] = [];

  it('are answered as the OpenAPI document says', async () => {
    process.stdout.write(`fuzz: SEED=${seed}\n`);
    const requests = chosen.flatMap((operation) =>
      fc.sample(requestsOf(operation, own), { numRuns: perOperation, seed: seedOf(operation) }),
    );
    const faults = await atMost(atOnce, requests, async (request) => {
      const answer = await sent(request);
      answers.push(answer);
      return faultsOf(request, answer).map(
        (fault) => `${request.operation.operationId} ${fault}: ${shown(request)}`,
      );
    });
    expect(faults.flat()).toEqual([]);
  });

  it.runIf(only === undefined)('are of all kinds: taken, refused, and about nothing', () => {
    process.stdout.write(`fuzz: ${answers.length} answers ${JSON.stringify(countByStatus(answers))}\n`);
    const statuses = Object.keys(countByStatus(answers));
    expect(statuses).toEqual(expect.arrayContaining(['200', '201', '400', '404']));
  });

  it('leave the service up, its memory small and its books balanced', async () => {
    expect((await fetch(new URL('/healthz', url))).status).toBe(200);
    const kib = residentKib();
    process.stdout.write(`fuzz: ${kib} KiB resident\n`);
    expect(kib).toBeLessThan(residentMaxKib);
    expect(await unbalanced(client)).toEqual([]);
  });

  it('leave no failure in the log', () =>
    expect(daybook.stderr()).not.toMatch(/request failed|answering an error/));
});
