/** What each operation takes and answers, derived from the OpenAPI document. */
import type { routes } from './generated/routes.ts';
import type { components, operations } from './generated/types.ts';
import type { Pages } from './pages.ts';
import type { FollowedEvent } from './streams.ts';

export type Schemas = components['schemas'];
export type OperationName = keyof typeof routes;

type Parameters<Name extends OperationName> = operations[Name]['parameters'];

/** A part of the input, which may be left out where nothing in it is required. */
type Part<Key extends string, Value> = [Value] extends [undefined]
  ? unknown
  : object extends Value
    ? { readonly [K in Key]?: Value }
    : { readonly [K in Key]: Value };

type Body<Name extends OperationName> = operations[Name] extends { requestBody: { content: infer Content } }
  ? { readonly body: BodyOf<Content> }
  : operations[Name] extends { requestBody?: { content: infer Content } }
    ? { readonly body?: BodyOf<Content> }
    : unknown;

type BodyOf<Content> = Content extends { 'application/json': infer Json } ? Json : FormData;

/** A request that has a key of this name is repeated with the same one. */
type KeyHeader = 'Idempotency-Key' | 'Redemption-Key';
type Headers<Name extends OperationName> = Exclude<Parameters<Name>['header'], undefined>;
type Keyed<Name extends OperationName> = KeyHeader & keyof Headers<Name> extends never
  ? unknown
  : {
      /** Drawn at random unless it is given, here or as the header of its name. */ readonly idempotencyKey?: string;
    };

type Streamed<Name extends OperationName> = (typeof routes)[Name] extends { isStream: true }
  ? {
      /** Is told once the answer has begun: what happens from then on is told. */ readonly onOpen?: () => void;
    }
  : unknown;

export type Input<Name extends OperationName> = Part<'path', Exclude<Parameters<Name>['path'], undefined>> &
  Part<'query', Exclude<Parameters<Name>['query'], undefined>> &
  Part<'headers', [Headers<Name>] extends [never] ? undefined : Headers<Name>> &
  Body<Name> &
  Keyed<Name> &
  Streamed<Name> & {
    /** Ends the call, between two tries too. */
    readonly signal?: AbortSignal;
  };

type Responses<Name extends OperationName> = operations[Name]['responses'];
type Answer<Response> = Response extends { content: { 'application/json': infer Json } } ? Json : undefined;

/** What a call resolves to: the body of the answer, or `undefined` where there is none. */
export type Output<Name extends OperationName> = {
  [Status in keyof Responses<Name>]: Answer<Responses<Name>[Status]>;
}[keyof Responses<Name>];

type Item<List> = List extends { data: (infer One)[]; hasMore: boolean } ? One : never;

type Operation<Name extends OperationName> = (
  ...input: object extends Input<Name> ? [input?: Input<Name>] : [input: Input<Name>]
) => (typeof routes)[Name] extends { isStream: true }
  ? AsyncIterable<FollowedEvent>
  : (typeof routes)[Name] extends { isList: true }
    ? Pages<Item<Output<Name>>, Output<Name>>
    : Promise<Output<Name>>;

/** A method for each operation, by its `operationId`. They throw `DaybookError` and `NoAnswer`. */
export type Daybook = { readonly [Name in OperationName]: Operation<Name> };
