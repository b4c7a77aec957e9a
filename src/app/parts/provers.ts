import { createSandboxIssuer } from '../../sandbox/oidc-issuer.ts';
import { remoteKeys } from '../../use-cases/wallets/crypto/oidc-tokens.ts';
import type { Config } from '../config.ts';
import type { Core } from './core.ts';

/** Who vouches for the identities of wallet credentials. */
export function provers({ config, pool, sealer, now }: Core, baseUrl: () => string) {
  const sandboxIssuer = createSandboxIssuer({ pool, sealer, now, baseUrl });
  const configured = config.oidc.issuers.map(({ issuer, audience, jwksUrl }) => ({
    issuer,
    audiences: audience,
    keys: remoteKeys(jwksUrl),
  }));
  return {
    sandboxIssuer,
    issuersFor: (environment: Config['environment']) =>
      environment === 'sandbox' ? [...configured, sandboxIssuer.issuer()] : configured,
    requireNonce: config.oidc.requireNonce,
    passkeyRules: config.passkeys,
  };
}
