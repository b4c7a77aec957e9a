/** The sandbox's own identity provider: real signatures by a key of its own, for whomever a test wants to be. */
import type { JWK } from 'jose';
import type { Pool } from '../infrastructure/postgres/pool.ts';
import type { Sealer } from '../infrastructure/secrets/sealing.ts';
import { derivedUuid } from '../kernel/ids.ts';
import { invariant } from '../kernel/invariant.ts';
import type { Issuer } from '../use-cases/wallets/crypto/oidc-tokens.ts';

/** Loaded when the first token is asked for. */
const jose = () => import('jose');

const algorithm = 'ES256';
const lifetimeSeconds = 300;
const keyId = 'sandbox';
export const oidcKeyContext = (id: string): string => `${id} oidc key`;
const context = oidcKeyContext(keyId);

export type Wanted = {
  readonly subject: string;
  readonly email?: string | undefined;
  readonly audience: string;
  readonly nonce?: string | undefined;
};

export type SandboxIssuer = {
  readonly metadata: () => object;
  readonly jwks: () => Promise<{ keys: JWK[] }>;
  readonly sign: (wanted: Wanted) => Promise<string>;
  readonly issuer: () => Issuer;
};

type Deps = {
  readonly pool: Pool;
  readonly sealer: Sealer;
  readonly now: () => Date;
  /** The address of the interface, under which `/sandbox/oidc` lies. */
  readonly baseUrl: () => string;
};

type Row = { public_jwk: JWK; sealed: Buffer; master_key_id: string };

export function createSandboxIssuer({ pool, sealer, now, baseUrl }: Deps): SandboxIssuer {
  const url = () => `${baseUrl()}/sandbox/oidc`;
  const read = async (): Promise<Row | undefined> => {
    const { rows } = await pool.query<Row>(
      'select public_jwk, sealed, master_key_id from oidc_keys where id = $1',
      [keyId],
    );
    return rows[0];
  };
  /** Of several processes that make the key at once, the first one's counts. */
  const create = async (): Promise<void> => {
    const { exportJWK, generateKeyPair } = await jose();
    const { publicKey, privateKey } = await generateKeyPair(algorithm, { extractable: true });
    const publicJwk = await exportJWK(publicKey);
    const kid = derivedUuid('oidc-key', JSON.stringify(publicJwk));
    const { sealed, masterKeyId } = sealer.seal(JSON.stringify(await exportJWK(privateKey)), context);
    await pool.query(
      `insert into oidc_keys (id, public_jwk, sealed, master_key_id, created_at) values ($1, $2, $3, $4, $5)
       on conflict do nothing`,
      [keyId, { ...publicJwk, kid, alg: algorithm, use: 'sig' }, sealed, masterKeyId, now()],
    );
  };
  const row = async (): Promise<Row> => {
    const known = await read();
    if (known) return known;
    await create();
    const made = await read();
    invariant(made, 'a key that was just made is not there');
    return made;
  };
  const jwks = async () => ({ keys: [(await row()).public_jwk] });

  return {
    jwks,
    metadata: () => ({
      issuer: url(),
      jwks_uri: `${url()}/jwks`,
      token_endpoint: `${url()}/token`,
      response_types_supported: ['id_token'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: [algorithm],
    }),
    async sign({ subject, email, audience, nonce }) {
      const { importJWK, SignJWT } = await jose();
      const { public_jwk, sealed, master_key_id } = await row();
      const privateJwk: JWK = JSON.parse(sealer.unseal({ masterKeyId: master_key_id, sealed }, context));
      const at = Math.floor(now().getTime() / 1000);
      return new SignJWT({ ...(email && { email, email_verified: true }), ...(nonce && { nonce }) })
        .setProtectedHeader({ alg: algorithm, typ: 'JWT', ...(public_jwk.kid && { kid: public_jwk.kid }) })
        .setIssuer(url())
        .setSubject(subject)
        .setAudience(audience)
        .setIssuedAt(at)
        .setExpirationTime(at + lifetimeSeconds)
        .sign(await importJWK(privateJwk, algorithm));
    },
    issuer: () => ({
      issuer: url(),
      audiences: [],
      keys: async (header, token) => (await jose()).createLocalJWKSet(await jwks())(header, token),
    }),
  };
}
