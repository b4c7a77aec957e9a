/** The operations of this interface: who calls them, what they are limited by, and what a handler gets. */
import { z } from 'zod';
import type { Permission } from '../domain/tokens/permissions.ts';
import type {
  Answer,
  Asked as HttpAsked,
  Operation as HttpOperation,
  Repeat as HttpRepeat,
  Request as HttpRequest,
  Route as HttpRoute,
} from '../infrastructure/http/operation.ts';
import type { RejectionCode } from '../kernel/rejected.ts';
import { badField } from '../kernel/rejected.ts';
import type { AgentPrincipal, Principal, WalletSignature } from '../use-cases/caller.ts';

/** `token` counts every request of an API token; the others those of one resource. */
export type RateLimitName = 'challenge' | 'verify' | 'token';

export type Operation = Omit<HttpOperation, 'permission'> & {
  /** The caller's API token needs one of these. Reading is implied by every permission. Agents need none. */
  readonly permission: readonly Permission[];
  /** For tokens and platforms of a sandbox; without credentials it is mounted only where there is one. */
  readonly sandboxOnly?: boolean;
  /** Reads many rows: counted for each caller. */
  readonly isList?: boolean;
  /** Counted per resource, that is per value of the path parameters. */
  readonly rateLimit?: Exclude<RateLimitName, 'token'>;
  readonly guessed?: Guessed;
};

/** What is not to be found out by trying. */
export type Guessed = {
  /**
   * The refusal that says that a caller has guessed wrong: counted for the platform or, of somebody without credentials,
   * for the network that it comes from.
   */
  readonly refusal: RejectionCode;
  /** The header of a key that somebody without credentials may guess: other refusals with it are counted by the resource. */
  readonly keyIn?: string;
};

const stampHeader = {
  'Service-Wallet-Signature': z.string().max(1024).optional().meta({
    description: 'The stamp over payloadToSign, by the key of a session of the wallet.',
  }),
  'Grid-Wallet-Signature': z.string().max(1024).optional().meta({
    description: 'Another name of Service-Wallet-Signature, as existing clients send it.',
  }),
};
const requestIdHeader = {
  'Request-Id': z.string().max(100).optional().meta({ description: 'The requestId of the challenge.' }),
};

/** The headers of an operation that takes a wallet's signature. */
export const stampHeaders = z.object(stampHeader);
export const challengeHeaders = z.object(requestIdHeader);
export const signatureHeaders = z.object({ ...stampHeader, ...requestIdHeader });

type PrincipalOf<O extends Operation> = O['authentication'] extends 'none'
  ? undefined
  : O['authentication'] extends 'bearer'
    ? AgentPrincipal
    : Principal;

export type Request<O extends Operation> = HttpRequest<O, PrincipalOf<O>> & {
  /** The stamp, by either of its names, and Request-Id, as they were sent. */
  readonly signature: WalletSignature;
};

/** What a request asks for, whoever has asked before. */
export type Asked<O extends Operation> = HttpAsked<O, PrincipalOf<O>> & {
  readonly signature: WalletSignature;
};

/** A keyed request that is made again. */
export type Repeat<O extends Operation> = HttpRepeat<O, PrincipalOf<O>> & {
  readonly signature: WalletSignature;
};

export type Route = HttpRoute<Operation>;

export function route<const O extends Operation>(
  operation: O,
  handle: (request: Request<O>) => Promise<Answer>,
): Route {
  return routeOn(operation, async () => undefined, handle);
}

/**
 * `load` throws `Rejected` with a 404 for what is not there, before the permission is looked at. `resume` finds what a
 * keyed request has done already.
 */
export function routeOn<const O extends Operation, Loaded>(
  operation: O,
  load: (asked: Asked<O>) => Promise<Loaded>,
  handle: (request: Request<O>, loaded: Loaded) => Promise<Answer>,
  resume?: (repeat: Repeat<O>) => Promise<Answer | undefined>,
): Route {
  // The mounting code parses with the operation's own schemas, so the request has the types that `O` promises.
  return {
    operation,
    load: (asked) => load(signed(asked) as unknown as Asked<O>),
    handle: (request, loaded) => handle(signed(request) as unknown as Request<O>, loaded),
    ...(resume && { resume: (repeat) => resume(signed(repeat) as unknown as Repeat<O>) }),
  };
}

/** Throws `Rejected` (400) where the two names of the header have two values. */
function stampOf({ header }: Pick<HttpRequest, 'header'>): string | undefined {
  const [own, other] = [header('service-wallet-signature'), header('grid-wallet-signature')];
  if (own !== undefined && other !== undefined && own !== other)
    throw badField('Grid-Wallet-Signature', 'differs from Service-Wallet-Signature: send one of them');
  return own ?? other;
}

const signed = <R extends Pick<HttpRequest, 'header'>>(request: R) => ({
  ...request,
  signature: {
    stamp: stampOf(request),
    requestId: request.header('request-id'),
  },
});
