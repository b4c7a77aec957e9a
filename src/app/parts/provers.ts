import { seldom } from '../../infrastructure/observe/seldom.ts';
import { createSandboxIssuer } from '../../sandbox/oidc-issuer.ts';
import type { Issuer } from '../../use-cases/wallets/crypto/oidc-tokens.ts';
import type { Config } from '../config.ts';
import type { Core } from './core/core.ts';

/** Who vouches for the identities of wallet credentials. */
export function provers({ config, pool, sealer, log, installationNow: now }: Core, baseUrl: () => string) {
  const sandboxIssuer = createSandboxIssuer({ pool, sealer, now, baseUrl });
  const configured = config.oidc.issuers.map(({ issuer, audience, jwksUrl }) => ({
    issuer,
    audiences: audience,
    keys: keysAt(jwksUrl, tellOf({ log }, issuer)),
  }));
  return {
    sandboxIssuer,
    issuersFor: (environment: Config['environment']) =>
      environment === 'sandbox' ? [...configured, sandboxIssuer.issuer()] : configured,
    requireNonce: config.oidc.requireNonce,
    passkeyRules: config.passkeys,
  };
}

/** A provider that is away fails for each token. */
function tellOf({ log }: Pick<Core, 'log'>, issuer: string) {
  const isToTell = seldom();
  return (error: unknown) => {
    if (isToTell())
      log.error({ err: error, issuer, store: undefined }, 'the keys of an identity provider cannot be had');
  };
}

/** Asked for when the first token of the issuer comes. */
function keysAt(jwksUrl: string, failed: (error: unknown) => void): Issuer['keys'] {
  let keys: Promise<Issuer['keys']> | undefined;
  return async (header, token) => {
    keys ??= import('../../use-cases/wallets/crypto/oidc-tokens.ts').then(({ remoteKeys }) =>
      remoteKeys(jwksUrl, { failed }),
    );
    return (await keys)(header, token);
  };
}
