import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { remoteKeys, verifyToken } from '../../../../src/use-cases/wallets/crypto/oidc-tokens.ts';
import { type IdentityProvider, startIdentityProvider } from '../../../support/servers/identity-provider.ts';
import { patienceMs } from '../../../support/time/patience.ts';

const now = () => new Date();
const audience = 'our-app';
const unavailable = { code: 'SERVICE_UNAVAILABLE', details: { retryAfterSeconds: 5 } };
let provider: IdentityProvider;
beforeAll(async () => {
  provider = await startIdentityProvider(audience, now);
});
afterAll(() => provider.stop());

describe('the keys of an issuer', () => {
  it('are fetched again for a key that is not among them, so that a rotation is noticed', async () => {
    const { issuer, jwksUrl } = provider;
    const issuers = [{ issuer, audiences: [audience], keys: remoteKeys(jwksUrl, { cooldownMs: 0 }) }];
    expect(await verifyToken(await provider.token(), issuers, now())).toMatchObject({ subject: 'somebody' });
    const fetched = provider.fetched();
    await provider.rotate();
    expect(await verifyToken(await provider.token(), issuers, now())).toMatchObject({ issuer });
    expect(provider.fetched()).toBe(fetched + 1);
  });

  it('are fetched again whatever time the host has got since', async () => {
    const { issuer, jwksUrl } = provider;
    const issuers = [{ issuer, audiences: [audience], keys: remoteKeys(jwksUrl, { cooldownMs: 0 }) }];
    await verifyToken(await provider.token(), issuers, now());
    await provider.rotate();
    const at = now();
    vi.setSystemTime(at.getTime() - 3_600_000);
    onTestFinished(() => void vi.useRealTimers());
    const iat = Math.floor(at.getTime() / 1_000);
    const token = await provider.token({ iat, exp: iat + 300 });
    expect(await verifyToken(token, issuers, at)).toMatchObject({ issuer });
  });

  it('are not taken any more when the issuer has withdrawn them', async () => {
    const { issuer, jwksUrl, keys } = provider;
    const issuers = [{ issuer, audiences: [audience], keys: remoteKeys(jwksUrl, { keptMs: 100 }) }];
    await provider.rotate();
    const token = await provider.token();
    await verifyToken(token, issuers, now());
    keys.pop();
    onTestFinished(() => provider.rotate());
    await sleep(150);
    await expect(verifyToken(token, issuers, now())).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
  });

  it('are not fetched for every unknown key: a stream of forgeries does not reach the issuer', async () => {
    const { issuer, jwksUrl } = provider;
    const issuers = [{ issuer, audiences: [audience], keys: remoteKeys(jwksUrl) }];
    await verifyToken(await provider.token(), issuers, now());
    const fetched = provider.fetched();
    for (let n = 0; n < 5; n++) {
      const forged = await provider.token({}, { kid: `forged-${n}` });
      await expect(verifyToken(forged, issuers, now())).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
    }
    expect(provider.fetched()).toBe(fetched);
  });

  it('that cannot be had are no fault of the token, and are asked for again', async () => {
    const issuer = 'https://nobody.example';
    const failures: unknown[] = [];
    const keys = remoteKeys('http://127.0.0.1:1/keys', { failed: (error) => void failures.push(error) });
    const issuers = [{ issuer, audiences: [], keys }];
    const token = await provider.token({ iss: issuer });
    await expect(verifyToken(token, issuers, now())).rejects.toMatchObject(unavailable);
    expect(failures).toEqual([expect.any(Error)]);
  });

  it.each(['hanging', 'dripping', 'endless'] as const)(
    'are waited for no longer than they may take: %s',
    async (mode) => {
      const { issuer, jwksUrl } = provider;
      const issuers = [{ issuer, audiences: [audience], keys: remoteKeys(jwksUrl, { timeoutMs: 300 }) }];
      provider.mode = mode;
      await expect(verifyToken(await provider.token(), issuers, now())).rejects.toMatchObject(unavailable);
      provider.mode = 'up';
      await vi.waitFor(
        async () =>
          expect(await verifyToken(await provider.token(), issuers, now())).toMatchObject({ issuer }),
        { timeout: patienceMs },
      );
    },
  );
});
