/** Tokens of identity providers: verified against the keys of issuers that the operator configured. */
import {
  createRemoteJWKSet,
  customFetch,
  decodeJwt,
  decodeProtectedHeader,
  errors,
  type FetchImplementation,
  type JWTPayload,
  type JWTVerifyGetKey,
  jwtVerify,
} from 'jose';
import { readText } from '../../../infrastructure/text/bounded-text.ts';
import { isStorable } from '../../../kernel/json.ts';
import { badField, Rejected, unauthorized } from '../../../kernel/rejected.ts';

const algorithms = ['RS256', 'PS256', 'ES256', 'EdDSA'];
const ageMaxSeconds = 60;
const skewMaxSeconds = 5;
const claimMax = 1024;
const fetchTimeoutMs = 5_000;
const refetchAfterMs = 30_000;
/** As long as a token is taken: one that is signed later, with a key that was withdrawn, is not. */
const keysKeptMs = ageMaxSeconds * 1_000;
const retryAfterSeconds = 5;

export type Issuer = {
  readonly issuer: string;
  /** Empty where any audience will do. */
  readonly audiences: readonly string[];
  readonly keys: JWTVerifyGetKey;
};

export type Identity = {
  readonly issuer: string;
  readonly audience: string;
  readonly subject: string;
  readonly email: string | undefined;
  /** The claim that binds the token to a client key, where the identity provider sets one. */
  readonly nonce: string | undefined;
  /** From then on the token is not taken. */
  readonly until: Date;
};

/** An issuer that could not be asked: no fault of the token. */
class IssuerDown extends Error {
  override name = 'IssuerDown';
}

type Bounds = {
  /** How long a fetch may take in all, however its answer comes. */
  readonly timeoutMs?: number;
  /** How long unknown keys are not asked for again. */
  readonly cooldownMs?: number;
  /** How long keys are taken before they are fetched again. */
  readonly keptMs?: number;
  /** Told each time that they could not be had. */
  readonly failed?: (error: unknown) => void;
};

/** The keys at an address that the operator gave. */
export function remoteKeys(
  jwksUrl: string,
  { timeoutMs = fetchTimeoutMs, cooldownMs = refetchAfterMs, keptMs = keysKeptMs, failed }: Bounds = {},
): JWTVerifyGetKey {
  const keys = createRemoteJWKSet(new URL(jwksUrl), {
    timeoutDuration: timeoutMs,
    // By the host's clock, which may be put back: how old they are is looked at here.
    cooldownDuration: Number.POSITIVE_INFINITY,
    cacheMaxAge: Number.POSITIVE_INFINITY,
    [customFetch]: fetchBounded,
  });
  let fetchedMs = Number.NEGATIVE_INFINITY;
  const isOlderThan = (ms: number) => performance.now() - fetchedMs >= ms;
  const fetchAgain = async () => {
    const begunMs = performance.now();
    await keys.reload();
    fetchedMs = Math.max(fetchedMs, begunMs);
  };
  const find: JWTVerifyGetKey = async (header, token) => {
    if (isOlderThan(keptMs)) await fetchAgain();
    try {
      return await keys(header, token);
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey) || !isOlderThan(cooldownMs)) throw error;
      await fetchAgain();
      return keys(header, token);
    }
  };
  return async (header, token) => {
    try {
      return await find(header, token);
    } catch (error) {
      if (
        error instanceof errors.JWKSNoMatchingKey ||
        error instanceof errors.JWKSMultipleMatchingKeys ||
        error instanceof errors.JOSENotSupported
      )
        throw error;
      failed?.(error);
      throw new IssuerDown('the keys of the issuer cannot be had', { cause: error });
    }
  };
}

const fetchBounded: FetchImplementation = async (url, options) => {
  const response = await fetch(url, options);
  return new Response(await readText(response), { status: response.status });
};

const malformed = (message: string) => badField('oidcToken', message);

/**
 * Who the token is about. Throws `Rejected`: 400 for what is no token or names an unknown issuer, 401 for a check that
 * failed, 503 when the issuer cannot be asked. No address is ever taken from a token.
 */
export async function verifyToken(token: string, issuers: readonly Issuer[], now: Date): Promise<Identity> {
  const named = issuerOf(token);
  const issuer = issuers.find((one) => one.issuer === named);
  if (!issuer) throw malformed('is by an issuer that is not configured here');
  const payload = await claimsOf(token, issuer, now);
  const age = Math.floor(now.getTime() / 1000) - (payload.iat ?? Number.NaN);
  if (!(age <= ageMaxSeconds))
    throw unauthorized(
      `The token is older than ${ageMaxSeconds} seconds: ask for a fresh one.`,
      'TOKEN_TOO_OLD',
    );
  if (age < -skewMaxSeconds)
    throw unauthorized('The token was issued in the future.', 'TOKEN_FROM_THE_FUTURE');
  const audience = audienceOf(payload);
  if (audience === undefined || (issuer.audiences.length > 0 && !issuer.audiences.includes(audience)))
    throw unauthorized('The token is for another audience.', 'AUDIENCE_MISMATCH');
  const { sub, email, nonce, iat = 0, exp = 0 } = payload;
  if (!isClaim(sub)) throw unauthorized('The claim sub of the token is missing or wrong.', 'CLAIM_INVALID');
  return {
    issuer: issuer.issuer,
    audience,
    subject: sub,
    email: isClaim(email) ? email : undefined,
    nonce: isClaim(nonce) ? nonce : undefined,
    until: new Date(Math.min(Math.floor(iat) + ageMaxSeconds + 1, exp) * 1000),
  };
}

/** Read without verifying anything: it only chooses among the configured issuers. */
function issuerOf(token: string): unknown {
  try {
    decodeProtectedHeader(token);
    return decodeJwt(token).iss;
  } catch {
    throw malformed('is not a signed JSON Web Token');
  }
}

/** Signed or not, a claim may be anything: only text that can be kept is taken. */
const isClaim = (value: unknown): value is string =>
  typeof value === 'string' && value.length > 0 && value.length <= claimMax && isStorable(value);

/** A string, or a list of one. */
const audienceOf = ({ aud }: JWTPayload): string | undefined => {
  const [audience, ...more] = [aud].flat();
  return more.length === 0 && isClaim(audience) ? audience : undefined;
};

async function claimsOf(token: string, issuer: Issuer, now: Date): Promise<JWTPayload> {
  try {
    const { payload } = await jwtVerify(token, issuer.keys, {
      issuer: issuer.issuer,
      algorithms,
      requiredClaims: ['iss', 'sub', 'aud', 'iat', 'exp'],
      currentDate: now,
      // For `nbf`; the expiry is looked at below, where it has no tolerance.
      clockTolerance: skewMaxSeconds,
    });
    if ((payload.exp ?? 0) * 1000 <= now.getTime()) throw new errors.JWTExpired('too late', payload);
    return payload;
  } catch (error) {
    if (error instanceof IssuerDown) {
      const message = `The keys of the identity provider cannot be fetched now. Send the request again in ${retryAfterSeconds} seconds.`;
      throw new Rejected('SERVICE_UNAVAILABLE', message, { issuer: issuer.issuer, retryAfterSeconds });
    }
    throw refusalOf(error);
  }
}

function refusalOf(error: unknown): unknown {
  if (error instanceof errors.JWTExpired) return unauthorized('The token has expired.', 'TOKEN_EXPIRED');
  if (error instanceof errors.JWTClaimValidationFailed)
    return unauthorized(`The claim ${error.claim} of the token is missing or wrong.`, 'CLAIM_INVALID');
  if (error instanceof errors.JOSEError || error instanceof TypeError)
    return unauthorized("The token is not signed by the issuer's keys.", 'SIGNATURE_INVALID');
  return error;
}
