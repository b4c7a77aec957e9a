import type { Permission } from '../domain/tokens/permissions.ts';
import type { AgentId, CustomerId, PlatformId } from '../kernel/ids.ts';

export type Principal = {
  readonly platformId: PlatformId;
  readonly environment: 'sandbox' | 'production';
  readonly permissions: readonly Permission[];
  /** Who acts, for the events' metadata: `token:<id>`. */
  readonly actor: string;
};

/** Whether the caller may move money, and so let others do it. */
export const mayPay = ({ permissions }: Pick<Principal, 'permissions'>): boolean =>
  permissions.includes('TRANSACT');

/** An agent: bound to one customer, and to a policy that its operations decide by. */
export type AgentPrincipal = {
  readonly platformId: PlatformId;
  readonly agentId: AgentId;
  readonly customerId: CustomerId;
  /** `agent:<id>`. */
  readonly actor: string;
};

/** Not parsed: what is wrong with it depends on what it is for. */
export type WalletSignature = { readonly stamp: string | undefined; readonly requestId: string | undefined };

/** How tokens are found; the hash is SHA-256 of the secret. */
export type FindToken = (
  clientId: string,
) => Promise<{ readonly secretHash: Uint8Array; readonly principal: Principal } | undefined>;

/** How agents are found: by the SHA-256 of their access token. */
export type FindAgent = (
  tokenHash: Buffer,
) => Promise<{ readonly tokenHash: Uint8Array; readonly principal: AgentPrincipal } | undefined>;
