import { createSandboxIssuer } from '../../sandbox/oidc-issuer.ts';
import type { Issuer } from '../../use-cases/wallets/crypto/oidc-tokens.ts';
import type { Config } from '../config.ts';
import type { Core } from './core/core.ts';

/** Who vouches for the identities of wallet credentials. */
export function provers({ config, pool, sealer, installationNow: now }: Core, baseUrl: () => string) {
  const sandboxIssuer = createSandboxIssuer({ pool, sealer, now, baseUrl });
  const configured = config.oidc.issuers.map(({ issuer, audience, jwksUrl }) => ({
    issuer,
    audiences: audience,
    keys: keysAt(jwksUrl),
  }));
  return {
    sandboxIssuer,
    issuersFor: (environment: Config['environment']) =>
      environment === 'sandbox' ? [...configured, sandboxIssuer.issuer()] : configured,
    requireNonce: config.oidc.requireNonce,
    passkeyRules: config.passkeys,
  };
}

/** Asked for when the first token of the issuer comes. */
function keysAt(jwksUrl: string): Issuer['keys'] {
  let keys: Promise<Issuer['keys']> | undefined;
  return async (header, token) => {
    keys ??= import('../../use-cases/wallets/crypto/oidc-tokens.ts').then(({ remoteKeys }) =>
      remoteKeys(jwksUrl),
    );
    return (await keys)(header, token);
  };
}
