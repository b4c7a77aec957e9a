/** What an operation of an interface is: one description for routing, checking, and the OpenAPI document. */
import type { z } from 'zod';
import type { Rejected } from '../../kernel/rejected.ts';
import type { Cause } from '../commands/dispatch.ts';
import type { EventStream } from './event-stream.ts';
import type { UploadLimits } from './uploads/keep-file.ts';
import type { UploadedFile } from './uploads/multipart.ts';

export type Method = 'get' | 'post' | 'patch' | 'put' | 'delete';

/** Who calls: for whom, and as whom for the events' metadata. */
export type Caller = { readonly platformId: string; readonly actor: string };

export type Operation = {
  readonly operationId: string;
  readonly method: Method;
  /** With parameters in braces: `/customers/{customerId}`. */
  readonly path: string;
  readonly tag: string;
  readonly summary: string;
  readonly description?: string;
  /** Who may call: whoever has Basic credentials unless it says `bearer`, or `none`, which is anybody. */
  readonly authentication?: 'basic' | 'bearer' | 'none';
  /** The caller needs one of these; where there are none, everybody with credentials may call. */
  readonly permission: readonly string[];
  /** Accepts Idempotency-Key. */
  readonly idempotent?: boolean;
  /** Headers of its own, as the document shows them. A handler reads them as they were sent. */
  readonly headers?: z.ZodObject;
  readonly params?: z.ZodObject;
  readonly query?: z.ZodObject;
  readonly body?: z.ZodType;
  /** Takes multipart/form-data in place of JSON: these fields, and one file called `file`. */
  readonly multipart?: UploadLimits & { readonly fields: z.ZodObject };
  /** A request without a body counts as `{}`. */
  readonly bodyOptional?: boolean;
  /** What the request is about decides whether its body is looked at: a handler that wants it asks for it. */
  readonly bodyOnDemand?: boolean;
  /** What to answer when a path parameter does not even have the form that it needs. */
  readonly notFound?: () => Rejected;
  readonly responses: Readonly<Record<number, Response>>;
  /** Error statuses and their codes. */
  readonly errors: Readonly<Record<number, readonly string[]>>;
  /** Error statuses that the interface has for the operation, and that this service never answers with. */
  readonly reserved?: readonly number[];
};

type Response = {
  readonly description: string;
  readonly schema?: z.ZodType;
  /** Of an answer that is no JSON. */
  readonly contentType?: 'text/event-stream';
};

type Parsed<Schema> = Schema extends z.ZodType ? z.output<Schema> : Record<string, never>;

export type Request<O extends Operation = Operation, C extends Caller | undefined = Caller> = {
  readonly params: Parsed<O['params']>;
  readonly query: Parsed<O['query']>;
  readonly body: O['multipart'] extends { readonly fields: infer Fields }
    ? Parsed<Fields>
    : O['bodyOnDemand'] extends true
      ? () => Parsed<O['body']>
      : Parsed<O['body']>;
  /** The file of a multipart body, which the store has. */
  readonly upload: O['multipart'] extends object ? UploadedFile : undefined;
  /** Nobody where the operation takes no credentials. */
  readonly principal: C;
  /** A header as it was sent; its name in lower case. */
  readonly header: (name: string) => string | undefined;
  /** For the commands that this request runs. */
  readonly cause: Cause;
  /** A uuid for something this request creates: the same one when a keyed request is sent again. */
  readonly uuidFor: (what: string) => string;
  /** Whether the request has an Idempotency-Key. */
  readonly isKeyed: boolean;
  /** Identifies the attempt: the same for every repeat of a keyed request, its own for each request without a key. */
  readonly requestedBy: string;
  /** Throws `Rejected` (401) where the credentials have ended since they were looked at: for what waits. */
  readonly stillKnown: () => Promise<void>;
  /** Aborts when the caller has gone before the answer. */
  readonly gone: () => AbortSignal;
};

export type Answer = {
  readonly status: number;
  readonly body?: unknown;
  /** The JSON of `body`, where it need not be written anew; only tests look at the body then. */
  readonly text?: string;
  /** In place of a body: what is sent as it happens. */
  readonly stream?: EventStream;
  /** For the browser that asks; over https it is told to send it over https alone. */
  readonly cookie?: string;
  /** Members of the body that were not read, since they are of another kind of thing: the header `Warning` names them. */
  readonly unread?: readonly string[];
};

/** Under what identifiers something is done for a request. */
type Attempt = 'cause' | 'uuidFor' | 'isKeyed' | 'requestedBy' | 'stillKnown' | 'gone';

/** Who asks, and under what identifiers: all of a request but what it says. */
export type Asking = Pick<Request, 'principal' | 'header' | Attempt>;

/** Who asks, and for what: all that is known of a keyed request before it is known whether it was made before. */
export type Asked<O extends Operation = Operation, C extends Caller | undefined = Caller> = Omit<
  Request<O, C>,
  Attempt
>;

/** A request that is made again; its body need not be that of the first, nor be fit to read. */
export type Repeat<O extends Operation = Operation, C extends Caller | undefined = Caller> = Omit<
  Request<O, C>,
  'query' | 'body' | 'upload'
> & { readonly body: Request<O, C>['body'] | undefined };

/**
 * `load` finds what the request is about and throws `Rejected` with a 404 where it is not there; the permission is
 * checked after it and before `handle`. It only reads: what it has found for a keyed request may be for nothing.
 */
export type Route<O extends Operation = Operation> = {
  readonly operation: O;
  /**
   * Of a keyed request that was cut short: what it has done, seen through. Asked before anything could refuse the
   * request; answers nothing where it did nothing.
   */
  readonly resume?: (repeat: Repeat) => Promise<Answer | undefined>;
  readonly load: (asked: Asked) => Promise<unknown>;
  readonly handle: (request: Request, loaded: never) => Promise<Answer>;
};

/** Where a request comes from, and what it says in its headers. */
export type Origin = {
  readonly ip?: string | undefined;
  readonly get: (header: string) => string | undefined;
};

/** Who may do what, as the interface has it. Every function throws `Rejected` for a refusal. */
export type Gate<O extends Operation> = {
  /** 401 for credentials that are not those of the operation's scheme; nobody where it takes none. */
  readonly identify: (operation: O, from: Origin) => Promise<Caller | undefined>;
  /** Whether the credentials that an answer is for, which goes on, are still good for it. */
  readonly isStill: (operation: O, from: Origin) => Promise<boolean>;
  /** 429 for a request too many. `from` is where it came from. */
  readonly count: (operation: O, params: object, caller: Caller | undefined, from: Origin) => Promise<void>;
  /** 403 for a caller whom the operation is not for, whatever the request says. Most operations have nothing to wait for. */
  readonly admit: (operation: O, caller: Caller) => Promise<void> | undefined;
  /** Told of what was refused. */
  readonly refused: (
    operation: O,
    params: object,
    caller: Caller | undefined,
    from: Origin,
    refusal: Rejected,
  ) => Promise<void>;
  readonly isPermitted: (operation: O, caller: Caller) => boolean;
  /** 403 for a caller who may not. */
  readonly requirePermission: (operation: O, caller: Caller) => void;
  /** Throws `Rejected` for a caller whose keys are not to be used again for something else. */
  readonly refuseOtherBody: (caller: Caller, fields: readonly string[]) => Promise<void>;
  /** Whether the caller wants what an operation does not read refused. */
  readonly refusesUnread: (caller: Caller) => Promise<boolean>;
  /** Whose idempotency keys they are. */
  readonly keyHolder: (caller: Caller) => string;
  readonly tenantOf: (caller: Caller) => string;
  /** Whose requests are counted together, where their identifiers follow from a seed. */
  readonly countedAs: (caller: Caller, from: Origin) => string;
  /** Returns a check that throws once the caller's platform was restored to a snapshot after this call. */
  readonly staying: (caller: Caller) => () => void;
};
