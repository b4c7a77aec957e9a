/** An identity provider on loopback, whose keys and faults a test controls. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { exportJWK, generateKeyPair, type JWK, SignJWT } from 'jose';

type Claims = Readonly<Record<string, unknown>>;
export type IdentityProvider = {
  readonly issuer: string;
  readonly jwksUrl: string;
  /** How often the keys were fetched. */
  readonly fetched: () => number;
  readonly keys: JWK[];
  /** What the provider does when its keys are asked for. */
  mode: 'up' | 'down' | 'noise' | 'hanging' | 'endless' | 'dripping';
  /** A token with these claims instead of the usual ones; undefined leaves a claim out. */
  readonly token: (claims?: Claims, header?: Claims) => Promise<string>;
  /** Signs with a new key from now on. */
  readonly rotate: () => Promise<void>;
  readonly stop: () => Promise<void>;
};

/** Without end. */
async function* noise(mode: 'endless' | 'dripping') {
  for (;;) {
    yield mode === 'endless' ? ' '.repeat(64 * 1024) : ' ';
    if (mode === 'dripping') await sleep(20);
  }
}

export async function startIdentityProvider(audience: string, now: () => Date): Promise<IdentityProvider> {
  const keys: JWK[] = [];
  let fetched = 0;
  let current: { readonly kid: string; readonly key: CryptoKeyLike };
  type CryptoKeyLike = Awaited<ReturnType<typeof generateKeyPair>>['privateKey'];
  const rotate = async () => {
    const pair = await generateKeyPair('RS256', { extractable: true });
    const kid = `key-${keys.length + 1}`;
    keys.push({ ...(await exportJWK(pair.publicKey)), kid, alg: 'RS256', use: 'sig' });
    current = { kid, key: pair.privateKey };
  };
  await rotate();
  const server = createServer({ keepAliveTimeout: 0 }, (_req, res) => {
    fetched++;
    if (provider.mode === 'hanging') return;
    const { mode } = provider;
    if (mode === 'endless' || mode === 'dripping')
      return void pipeline(Readable.from(noise(mode)), res).catch(() => undefined);
    if (provider.mode === 'down') res.writeHead(503).end('down');
    else if (provider.mode === 'noise') res.writeHead(200).end('<html>');
    else res.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ keys }));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const provider: IdentityProvider = {
    issuer,
    jwksUrl: `${issuer}/keys`,
    fetched: () => fetched,
    keys,
    mode: 'up',
    rotate,
    token(claims = {}, header = {}) {
      const at = Math.floor(now().getTime() / 1000);
      const usual = { iss: issuer, aud: audience, sub: 'somebody', iat: at, exp: at + 300 };
      const all = Object.entries({ ...usual, ...claims }).filter(([, value]) => value !== undefined);
      return new SignJWT(Object.fromEntries(all))
        .setProtectedHeader({ alg: 'RS256', kid: current.kid, ...header })
        .sign(current.key);
    },
    stop: async () => {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
  return provider;
}
