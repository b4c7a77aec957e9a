import { it, onTestFinished } from 'vitest';
import { startTestService } from '../support/processes/service.ts';
import { eventually, expectStatus } from '../support/resources/flows.ts';
import { startMailServer } from '../support/servers/mail-server.ts';
import { addEmail, createWallet } from '../support/wallets/wallets.ts';

it('a mail server that falls silent is given up, and asked again', async () => {
  const mailServer = await startMailServer();
  onTestFinished(() => mailServer.stop());
  const { client, stop } = await startTestService({ variables: { SMTP_URL: mailServer.url } });
  onTestFinished(() => stop());
  mailServer.hang = true;
  const wallet = await createWallet(client);
  await addEmail(client, wallet);
  await eventually(
    async () => mailServer.hanging(),
    (count) => count > 0,
  );
  // Nobody at the interface waits for it.
  expectStatus(await client.get('/config'), 200);
  mailServer.hang = false;
  await eventually(
    async () => mailServer.mails.length,
    (count) => count === 1,
  );
});
