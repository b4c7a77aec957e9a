import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Credentials } from '../../src/app/bootstrap.ts';
import type { Config } from '../../src/app/config.ts';
import { startService } from '../../src/app/service.ts';
import { clientOf, type Json } from '../support/http/client.ts';
import { signIn } from '../support/http/console.ts';
import { expectProblem } from '../support/http/problems.ts';
import { query } from '../support/postgres/database.ts';
import { temporaryDirectory } from '../support/processes/process.ts';
import { newCredentials, serviceOfTests, testConfig } from '../support/processes/service.ts';
import { expectStatus } from '../support/resources/flows.ts';
import { clientFor, issueToken, untilForgotten } from '../support/resources/tokens.ts';

const service = serviceOfTests();

const configOf = (credentials: Credentials) =>
  testConfig(service.databaseUrl, credentials, { DAYBOOK_ROLES: 'api' });

async function start(config: Config) {
  const started = await startService(config);
  onTestFinished(() => started.stop());
  return started;
}

const takesOver = /^DAYBOOK_BOOTSTRAP_CLIENT_ID: .*daybook-[\w-]{12}.* was issued.*\. Set it to .*\.$/;

/** The platforms and tokens that there are. The log is told of the use of tokens in its own time. */
const everything = async () => [
  await query(
    service.databaseUrl,
    `select stream, type from daybook_log.events
     where type like 'Platform%' or (type like 'Token%' and type <> 'TokenUsed') order by stream, revision`,
  ),
  await query(service.databaseUrl, 'select * from daybook.api_tokens order by id'),
];

async function expectRefused(credentials: Credentials) {
  const before = await everything();
  await expect(start(configOf(credentials))).rejects.toThrow(takesOver);
  expect(await everything()).toEqual(before);
}

const ofIssued = ({ clientId, clientSecret }: Json): Credentials => ({ clientId, clientSecret });
const withAnotherSecret = ({ clientId }: Json): Credentials => ({ ...newCredentials(), clientId });

describe('a start with the client id of a token that was issued', () => {
  it('is refused with its own secret', async () => {
    await expectRefused(ofIssued(await issueToken(service.client, ['VIEW'])));
  });

  it('is refused with another secret, and whoever holds the token keeps it', async () => {
    const token = await issueToken(service.client, ['VIEW']);
    const taken = withAnotherSecret(token);
    await expectRefused(taken);
    expectStatus(await clientFor(service.url, token).get('/config'), 200);
    expectProblem(await clientOf(service.url, taken).get('/config'), 401);
  });

  it('is refused when the token was deleted, which it stays', async () => {
    const token = await issueToken(service.client, ['VIEW']);
    expectStatus(await service.client.delete(`/tokens/${token.id}`), 204);
    await untilForgotten();
    const taken = withAnotherSecret(token);
    await expectRefused(taken);
    for (const one of [taken, ofIssued(token)])
      expectProblem(await clientOf(service.url, one).get('/config'), 401);
  });

  it('is refused where it is kept in a file, which is named', async () => {
    const token = await issueToken(service.client);
    const dataDirectory = await temporaryDirectory();
    const path = join(dataDirectory, 'credentials');
    await writeFile(path, `${token.clientId}:${token.clientSecret}\n`);
    const config = { ...configOf(newCredentials()), bootstrap: undefined, dataDirectory };
    await expect(start(config)).rejects.toThrow(`DAYBOOK_DATA_DIR: the first token in the file ${path} has `);
    expect(await readFile(path, 'utf8')).toContain(token.clientId);
  });
});

describe('a secret with colons', () => {
  const clientSecret = 'correct:horse:battery:staple';
  const credentials = { ...newCredentials(), clientSecret };

  it('is taken beside the client id and the id of the token, and where somebody signs in', async () => {
    const url = (await start(configOf(credentials))).url ?? '';
    const client = clientOf(url, credentials);
    const first = await client.get('/tokens', { name: 'First token' });
    const { id: clientId } = expectStatus(first, 200).data[0];
    expectStatus(await clientOf(url, { clientId, clientSecret }).get('/config'), 200);
    for (const name of [clientId, credentials.clientId])
      expectStatus((await signIn({ client }, { clientId: name, clientSecret })).answer, 201);
  });

  it('is whole where it is kept in a file', async () => {
    const dataDirectory = await temporaryDirectory();
    await writeFile(join(dataDirectory, 'credentials'), `${newCredentials().clientId}:${clientSecret}\n`);
    const started = await start({ ...configOf(credentials), bootstrap: undefined, dataDirectory });
    expect(started.credentials.clientSecret).toBe(clientSecret);
    expectStatus(await clientOf(started.url ?? '', started.credentials).get('/config'), 200);
  });
});

describe('one more platform of a process', () => {
  it('is refused in the same way', async () => {
    const running = await start(configOf(newCredentials()));
    const token = await issueToken(service.client);
    const before = await everything();
    await expect(running.addPlatform(withAnotherSecret(token))).rejects.toThrow(takesOver);
    expect(await everything()).toEqual(before);
  });
});

describe('starts at the same moment with one first token', () => {
  it('all take it', async () => {
    const credentials = newCredentials();
    const started = await Promise.all([1, 2, 3].map(() => start(configOf(credentials))));
    const answers = await Promise.all(
      started.map(({ url }) => clientOf(url ?? '', credentials).get('/tokens', { name: 'First token' })),
    );
    const ids = answers.map((answer) => expectStatus(answer, 200).data[0].id);
    expect(new Set(ids).size).toBe(1);
  });
});
