import { describe, expect, it } from 'vitest';
import { clientOf } from '../support/http/client.ts';
import { createDatabase } from '../support/postgres/database.ts';
import { credentialsIn, spawnDaybook, temporaryDirectory } from '../support/processes/process.ts';
import { expectStatus } from '../support/resources/flows.ts';
import { clientFor, everyPermission, issueToken } from '../support/resources/tokens.ts';
import { silentServer } from '../support/servers/silent-server.ts';

describe('the first token', () => {
  it('is shown by the first start that gets ready, and by no other', async () => {
    const cwd = await temporaryDirectory();
    const { port } = await silentServer();
    const failed = spawnDaybook({ cwd, variables: { PORT: port } });
    expect(await failed.exited).toEqual({ code: 1, signal: null });
    expect(failed.stdout()).not.toContain('secret');
    const { clientSecret: secret } = await credentialsIn(cwd);
    const shown: boolean[] = [];
    for (const _start of [1, 2]) {
      const daybook = spawnDaybook({ cwd });
      await daybook.ready;
      daybook.kill('SIGTERM');
      await daybook.exited;
      shown.push(daybook.stdout().includes(`client secret  ${secret}\n`));
    }
    expect(shown).toEqual([true, false]);
  });
});

describe('a first token that is made beside a database that others have used', () => {
  it('is told to be of another platform, once', async () => {
    const DATABASE_URL = await createDatabase();
    const lines: number[] = [];
    const [first, second] = [await temporaryDirectory(), await temporaryDirectory()];
    for (const cwd of [first, first, second, second]) {
      const daybook = spawnDaybook({ cwd, variables: { DATABASE_URL } });
      await daybook.ready;
      daybook.kill('SIGTERM');
      await daybook.exited;
      lines.push(daybook.stderr().split('the first token is of a new platform').length - 1);
    }
    expect(lines).toEqual([0, 0, 1, 0]);
  });
});

describe('the calls that a start prints', () => {
  it('need no variable of the terminal that it was started in', async () => {
    const cwd = await temporaryDirectory();
    const variables = {
      DAYBOOK_BOOTSTRAP_CLIENT_ID: 'suite',
      DAYBOOK_BOOTSTRAP_CLIENT_SECRET: 'a-secret-of-my-own',
    };
    const daybook = spawnDaybook({ cwd, variables });
    await daybook.ready;
    daybook.kill('SIGTERM');
    await daybook.exited;
    expect(daybook.stdout()).toContain("  curl -u 'suite' http");
    expect(daybook.stdout()).not.toMatch(/\$|a-secret-of-my-own/);
  });

  it('are not printed when the token in them was deleted', async () => {
    const cwd = await temporaryDirectory();
    const first = spawnDaybook({ cwd });
    const url = await first.ready;
    const client = clientOf(url, await credentialsIn(cwd));
    const {
      data: [own],
    } = expectStatus(await client.get('/tokens'), 200);
    const next = await issueToken(client, everyPermission);
    expectStatus(await clientFor(url, next).delete(`/tokens/${own.id}`), 204);
    first.kill('SIGTERM');
    await first.exited;
    const second = spawnDaybook({ cwd });
    await second.ready;
    second.kill('SIGTERM');
    await second.exited;
    expect(second.stdout()).not.toContain('curl');
    expect(second.stdout()).toContain(
      'The first token (.daybook/credentials) was deleted: use another one\n',
    );
  });
});
