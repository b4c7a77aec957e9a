import { timingSafeEqual } from 'node:crypto';
import { hashSecret } from '../../infrastructure/secrets/hash.ts';
import { isId } from '../../kernel/ids.ts';
import { unauthorized } from '../../kernel/rejected.ts';
import type { AgentPrincipal, FindAgent, FindToken, Principal } from '../../use-cases/caller.ts';

const nobody = hashSecret('');

/**
 * Basic authentication. Throws `Rejected` with UNAUTHORIZED for anything but a known client id with
 * its secret; which of the two was wrong shows neither in the answer nor in its time.
 */
export async function authenticate(findToken: FindToken, header: string | undefined): Promise<Principal> {
  if (!header)
    throw unauthorized('Send the API token with Basic authentication: client id and client secret.');
  const credentials = parseBasic(header);
  if (!credentials)
    throw unauthorized('This operation takes Basic authentication: client id and client secret.');
  return (await requireToken(findToken, credentials)).principal;
}

type Credentials = { readonly clientId: string; readonly secret: string };

/** The token of credentials in whatever form they came. Throws as `authenticate` does. */
export async function requireToken(findToken: FindToken, { clientId, secret }: Credentials) {
  const token = await findToken(clientId);
  const matches = timingSafeEqual(hashSecret(secret), token?.secretHash ?? nobody);
  if (!token || !matches) throw unauthorized('The API token is not known, or its secret is wrong.');
  return token;
}

/** Longer than any credential that is issued: what is remembered of callers who are not known stays small. */
export const credentialLengthMax = 256;

/** Bearer authentication. Throws `Rejected` with UNAUTHORIZED for anything but a live access token. */
export async function authenticateAgent(
  findAgent: FindAgent,
  header: string | undefined,
): Promise<AgentPrincipal> {
  const [scheme, token, ...rest] = (header ?? '').trim().split(/ +/);
  const isBearer = scheme?.toLowerCase() === 'bearer' && token && rest.length === 0;
  if (!isBearer || token.length > credentialLengthMax)
    throw unauthorized("This operation takes Bearer authentication: an agent's access token.");
  const tokenHash = hashSecret(token);
  const agent = await findAgent(tokenHash);
  const matches = timingSafeEqual(tokenHash, agent?.tokenHash ?? nobody);
  if (!agent || !matches) throw unauthorized('The access token is not known, or not valid any more.');
  return agent.principal;
}

function parseBasic(header: string): Credentials | undefined {
  const [scheme, encoded] = header.trim().split(/ +/, 2);
  if (scheme?.toLowerCase() !== 'basic' || !encoded) return undefined;
  const text = Buffer.from(encoded, 'base64').toString('utf8');
  const colon = colonBehindName(text);
  if (colon < 1 || colon > credentialLengthMax || text.includes('\u0000')) return undefined;
  return { clientId: text.slice(0, colon), secret: text.slice(colon + 1) };
}

/** A token's id contains a colon itself, a client id none; what an operator has chosen as the secret may contain many. */
function colonBehindName(text: string): number {
  const first = text.indexOf(':');
  const second = text.indexOf(':', first + 1);
  return second > 0 && isId('Token', text.slice(0, second)) ? second : first;
}
