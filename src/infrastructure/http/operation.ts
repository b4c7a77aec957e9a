/** What an operation of the interface is: one description for routing, checking, and the OpenAPI document. */
import type { z } from 'zod';
import type { AgentId, CustomerId, PlatformId } from '../../kernel/ids.ts';
import type { Rejected } from '../../kernel/rejected.ts';
import type { Cause } from '../commands/dispatch.ts';
import type { RateLimitName } from './once/rate-limits.ts';
import type { UploadedFile, UploadLimits } from './uploads/multipart.ts';

/** Completion 1.3. */
export const permissions = ['VIEW', 'TRANSACT', 'MANAGE'] as const;
export type Permission = (typeof permissions)[number];

export type Principal = {
  readonly platformId: PlatformId;
  readonly environment: 'sandbox' | 'production';
  readonly permissions: readonly Permission[];
  /** Who acts, for the events' metadata: `token:<id>`. */
  readonly actor: string;
};

/** Completion 16. */
export type WalletHeader = 'Service-Wallet-Signature' | 'Request-Id';
/** An agent: bound to one customer, and to a policy that its operations decide by. */
export type AgentPrincipal = {
  readonly platformId: PlatformId;
  readonly agentId: AgentId;
  readonly customerId: CustomerId;
  /** `agent:<id>`. */
  readonly actor: string;
};

export type Method = 'get' | 'post' | 'patch' | 'put' | 'delete';

export type Operation = {
  readonly operationId: string;
  readonly method: Method;
  /** As in endpoints.tsv: `/customers/{customerId}`. */
  readonly path: string;
  readonly tag: string;
  readonly summary: string;
  readonly description?: string;
  /** Who may call: the holder of an API token unless it says `bearer`, an agent, or `none`, which is anybody. */
  readonly authentication?: 'basic' | 'bearer' | 'none';
  /** The caller's API token needs one of these. Reading is implied by every permission. Others need none. */
  readonly permission: readonly Permission[];
  /** Mounted only where there is a sandbox, for tokens of the sandbox. */
  readonly sandboxOnly?: boolean;
  /** Accepts Idempotency-Key (completion 1.4). */
  readonly idempotent?: boolean;
  /** Which of the headers of wallet authentication it takes. */
  readonly walletHeaders?: readonly WalletHeader[];
  /** Counted per resource, that is per value of the path parameters (completion 1.6). */
  readonly rateLimit?: Exclude<RateLimitName, 'token'>;
  readonly params?: z.ZodObject;
  readonly query?: z.ZodObject;
  readonly body?: z.ZodType;
  /** Takes multipart/form-data in place of JSON: these fields, and one file called `file`. */
  readonly multipart?: UploadLimits & { readonly fields: z.ZodObject };
  /** A request without a body counts as `{}`. */
  readonly bodyOptional?: boolean;
  /** What to answer when a path parameter does not even have the form of an identifier. */
  readonly notFound?: () => Rejected;
  readonly responses: Readonly<Record<number, { readonly description: string; readonly schema?: z.ZodType }>>;
  /** Error statuses and their codes, as in endpoints.tsv. */
  readonly errors: Readonly<Record<number, readonly string[]>>;
};

type PrincipalOf<O extends Operation> = O['authentication'] extends 'none'
  ? undefined
  : O['authentication'] extends 'bearer'
    ? AgentPrincipal
    : Principal;

type Parsed<Schema> = Schema extends z.ZodType ? z.output<Schema> : Record<string, never>;

/** Not parsed: what is wrong with it depends on what it is for. */
export type WalletSignature = { readonly stamp: string | undefined; readonly requestId: string | undefined };

export type Request<O extends Operation> = {
  readonly params: Parsed<O['params']>;
  readonly query: Parsed<O['query']>;
  readonly body: O['multipart'] extends { readonly fields: infer Fields }
    ? Parsed<Fields>
    : Parsed<O['body']>;
  /** The file of a multipart body, which the store has. */
  readonly upload: O['multipart'] extends object ? UploadedFile : undefined;
  /** Nobody where the operation takes no credentials. */
  readonly principal: PrincipalOf<O>;
  /** Service-Wallet-Signature and Request-Id, as they were sent. */
  readonly signature: WalletSignature;
  /** For the commands that this request runs. */
  readonly cause: Cause;
  /** A uuid for something this request creates: the same one when a keyed request is sent again. */
  readonly uuidFor: (what: string) => string;
  /** Identifies the attempt: the same for every repeat of a keyed request, its own for each request without a key. */
  readonly requestedBy: string;
};

export type Answer = { readonly status: number; readonly body?: unknown };

/**
 * `load` finds what the request is about and throws `Rejected` with a 404 where it is not there; the permission is
 * checked after it and before `handle` (completion 1.5, check order).
 */
export type Route = {
  readonly operation: Operation;
  readonly load: (request: Request<Operation>) => Promise<unknown>;
  readonly handle: (request: Request<Operation>, loaded: never) => Promise<Answer>;
};

export function route<const O extends Operation>(
  operation: O,
  handle: (request: Request<O>) => Promise<Answer>,
): Route {
  return routeOn(operation, async () => undefined, handle);
}

export function routeOn<const O extends Operation, Loaded>(
  operation: O,
  load: (request: Request<O>) => Promise<Loaded>,
  handle: (request: Request<O>, loaded: Loaded) => Promise<Answer>,
): Route {
  // The mounting code parses with the operation's own schemas, so the request has the types that `O` promises.
  return { operation, load, handle } as unknown as Route;
}
