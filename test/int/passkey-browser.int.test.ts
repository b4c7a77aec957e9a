import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { startTestService, type TestService } from '../support/processes/service.ts';
import { expectStatus } from '../support/resources/flows.ts';
import { newClientKey } from '../support/wallets/wallet-client.ts';
import {
  addCredential,
  type Call,
  createWallet,
  sessionOf,
  signed,
  verify,
} from '../support/wallets/wallets.ts';

/** Debian's package. */
const executablePath = '/usr/bin/chromium';

/** What an integrator's page does: asks the browser for a passkey, and for an assertion by it. */
const page = `<!doctype html><title>Wallet</title><script>
  const bytes = (text) => Uint8Array.from(atob(text.replace(/-/g, '+').replace(/_/g, '/')), (c) => c.charCodeAt(0));
  const text = (buffer) => btoa(String.fromCharCode(...new Uint8Array(buffer)))
    .replace(/\\+/g, '-').replace(/\\//g, '_').replace(/=+$/, '');
  async function register(challenge) {
    const { rawId, response } = await navigator.credentials.create({ publicKey: {
      challenge: bytes(challenge),
      rp: { name: 'Wallet' },
      user: { id: crypto.getRandomValues(new Uint8Array(16)), name: 'ada', displayName: 'Ada' },
      pubKeyCredParams: [{ type: 'public-key', alg: -7 }, { type: 'public-key', alg: -257 }],
      authenticatorSelection: { userVerification: 'required', residentKey: 'required' },
    } });
    return {
      credentialId: text(rawId),
      clientDataJson: text(response.clientDataJSON),
      attestationObject: text(response.attestationObject),
      transports: response.getTransports(),
    };
  }
  async function assert(challenge, credentialId) {
    const { rawId, response } = await navigator.credentials.get({ publicKey: {
      challenge: bytes(challenge),
      allowCredentials: [{ type: 'public-key', id: bytes(credentialId) }],
      userVerification: 'required',
    } });
    return {
      credentialId: text(rawId),
      clientDataJson: text(response.clientDataJSON),
      authenticatorData: text(response.authenticatorData),
      signature: text(response.signature),
      userHandle: response.userHandle ? text(response.userHandle) : null,
    };
  }
</script>`;

describe.skipIf(!existsSync(executablePath))('a passkey in Chromium', () => {
  let service: TestService;
  let site: Server;
  let browser: Browser;
  let tab: Page;
  beforeAll(async () => {
    service = await startTestService();
    site = createServer((_req, res) => res.setHeader('content-type', 'text/html').end(page)).listen(0);
    await once(site, 'listening');
    browser = await chromium.launch({
      executablePath,
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--disable-quic',
        '--no-first-run',
        '--disable-sync',
        '--disable-background-networking',
        '--disable-component-update',
      ],
    });
    tab = await browser.newPage();
    await tab.goto(`http://localhost:${(site.address() as AddressInfo).port}/`);
    const devtools = await tab.context().newCDPSession(tab);
    await devtools.send('WebAuthn.enable');
    await devtools.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport: 'internal',
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
      },
    });
  });
  afterAll(async () => {
    await browser.close();
    site.close();
    await service.stop();
  });
  const inPage = (call: string) => tab.evaluate<object>(call);

  it('signs a request after it was registered and signed in on a page', async () => {
    const { client } = service;
    const { accountId } = await createWallet(client);
    const challenge = randomBytes(32).toString('base64url');
    const attestation = await inPage(`register(${JSON.stringify(challenge)})`);
    const body = { type: 'PASSKEY', nickname: 'Chromium', challenge, attestation };
    const credential = expectStatus(await addCredential(client, accountId, body)(), 201);
    const key = newClientKey();
    for (let n = 0; n < 2; n++) {
      const asked = { clientPublicKey: key.publicKey };
      const issued = expectStatus(
        await client.post(`/auth/credentials/${credential.id}/challenge`, asked),
        200,
      );
      const assertion = await inPage(
        `assert(${JSON.stringify(issued.challenge)}, ${JSON.stringify(issued.credentialId)})`,
      );
      const headers = { 'request-id': issued.requestId };
      const started = expectStatus(await verify(client, credential.id, { assertion }, headers), 200);
      const session = await sessionOf(started, key.privateKey);
      const privacy: Call = (signature) =>
        client.patch(`/internal-accounts/${accountId}`, { privateEnabled: n === 0 }, signature);
      expectStatus(await signed(privacy, session), 200);
    }
  });
});
