import { grantedBy } from '../../domain/tokens/grant.ts';
import type { Permission } from '../../domain/tokens/permissions.ts';
import type { Cause } from '../../infrastructure/commands/dispatch.ts';
import { derivedUuid, newSecret, type TokenId } from '../../kernel/ids.ts';
import type { Principal } from '../caller.ts';
import type { NewToken, Tokens } from './tokens.ts';

type Wanted = {
  readonly id: TokenId;
  readonly name: string;
  readonly permissions: readonly Permission[];
  readonly at: Date;
};

/** A token for the caller's environment, with its secret. Throws `Rejected` (403) for more than the caller may. */
export async function issueToken(
  tokens: Tokens,
  caller: Principal,
  { id, name, permissions: asked, at }: Wanted,
  cause: Cause,
): Promise<NewToken> {
  const { platformId, environment } = caller;
  const permissions = grantedBy(caller.permissions, asked);
  const clientId = clientIdOf(id);
  const token = { id, platformId, environment, name, permissions, clientId, secret: newSecret(), at };
  await tokens.create(token, caller, cause);
  return token;
}

/** No secret: it follows from the token's id. */
const clientIdOf = (id: TokenId): string => {
  const bytes = Buffer.from(derivedUuid('client-id', id).replaceAll('-', ''), 'hex');
  return `daybook-${bytes.toString('base64url').slice(0, 12)}`;
};

export const newClientId = (): string => `daybook-${newSecret().slice(0, 12)}`;
