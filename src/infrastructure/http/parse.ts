/** From the bytes of a request to what its operation's schemas make of them. */
import type { Request as HttpRequest, Response } from 'express';
import { z } from 'zod';
import { malformed, parseBody } from '../../kernel/json.ts';
import { badField, Rejected } from '../../kernel/rejected.ts';
import { bodyLimits, openBodyLimits, receiveBody } from './doors/body.ts';
import type { Room } from './doors/room.ts';
import type { Operation, Request } from './operation.ts';
import type { Received } from './uploads/multipart.ts';
import { type CodeOfFields, type FieldError, parseWith, requireStorable } from './validation.ts';
import { inWordsOfQueries } from './words.ts';

export const keyLengthMax = 255;

/** Reads the body of an operation that takes one. The caller is known by then, or the operation is for anybody. */
export async function readBody(operation: Operation, req: HttpRequest, res: Response, room: Room) {
  const limits = operation.authentication === 'none' ? openBodyLimits : bodyLimits;
  if (operation.body) req.body = await receiveBody(req, res, room, limits);
}

/** The path that a request means: the same whether its ids are percent-encoded or not, with a slash behind or without. */
export const pathOf = ({ path }: HttpRequest) => decodeURIComponent(path).replace(/\/$/, '');

/** Throws `Rejected` (400) for a key of another length than is taken. */
export function idempotencyKey(req: HttpRequest): string | undefined {
  const key = req.get('idempotency-key');
  if (key === undefined || (key.length >= 1 && key.length <= keyLengthMax)) return key;
  throw badField('Idempotency-Key', `must be from 1 to ${keyLengthMax} characters`);
}

/** What is known to be wrong with a request before its schemas are asked. */
export type Wrong = { readonly query: readonly FieldError[]; readonly body: readonly FieldError[] };

/** Throws `Rejected` that names every bad field at once; of a body on demand, when it is asked for. */
export function parse(
  operation: Operation,
  req: HttpRequest,
  received: Received | undefined,
  codeOf: CodeOfFields,
  wrong: Wrong,
): Pick<Request, 'params' | 'query' | 'body' | 'upload'> {
  const params = paramsOf(operation, req);
  if (operation.query) requireStorable(req.query);
  const query = parseWith(operation.query ?? nothing, req.query, wrong.query, codeOf, inWordsOfQueries);
  const body = () => bodyWith(operation, req, received, codeOf, wrong.body);
  // What is known to be wrong already is refused whether anybody asks for the body or not.
  const isLeft = operation.bodyOnDemand && wrong.body.length === 0;
  return {
    params,
    query: query as Record<string, never>,
    body: (isLeft ? body : body()) as Record<string, never>,
    upload: received?.file as undefined,
  };
}

const nothing = z.object({});

/** The body where it is one that the operation takes. */
export function parsedBody({ body }: Operation, req: HttpRequest): Request['body'] | undefined {
  const parsed = body?.safeParse(sentBody(req));
  return parsed?.success ? (parsed.data as Request['body']) : undefined;
}

/** Throws `Rejected` (404): what does not have the form of an identifier names nothing. */
export function paramsOf({ params, notFound }: Operation, req: HttpRequest): Record<string, never> {
  const parsed = params?.safeParse(req.params);
  if (parsed && !parsed.success)
    throw notFound?.() ?? new Rejected('REFERENCE_NOT_FOUND', 'There is no such resource.');
  return (parsed?.data ?? {}) as Record<string, never>;
}

function bodyWith(
  { body, multipart, bodyOptional }: Operation,
  req: HttpRequest,
  received: Received | undefined,
  codeOf: CodeOfFields,
  wrong: readonly FieldError[],
) {
  if (multipart) {
    const known = [...(received?.errors ?? []), ...wrong];
    return parseWith(multipart.fields, received?.fields, known, codeOf);
  }
  return body
    ? parseWith(body, bodyOf(req, bodyOptional ?? false), wrong, codeOf)
    : parseWith(nothing, {}, wrong, codeOf);
}

function bodyOf(req: HttpRequest, optional: boolean): unknown {
  const type = req.get('content-type')?.split(';')[0]?.trim().toLowerCase();
  const bytes = bytesOf(req);
  if (!bytes && optional) return {};
  if (!bytes) throw malformed('This operation needs a JSON body.');
  if (type !== 'application/json') throw malformed('Send the body with Content-Type: application/json.');
  return parseOnce(req, bytes);
}

/** What the body was read to, if there was one. */
const bytesOf = ({ body }: HttpRequest): Uint8Array | undefined =>
  body instanceof Uint8Array && body.length > 0 ? body : undefined;

/**
 * Where a request has what its body was read to, for whoever looks at it again. Collections of young objects keep what a
 * `WeakMap` has got, whether its key is alive or not.
 */
const read = Symbol('read');
type Read = HttpRequest & { [read]?: unknown };

function parseOnce(req: Read, bytes: Uint8Array): unknown {
  req[read] ??= parseBody(bytes);
  return req[read];
}

/** What was sent, whether the operation takes it or not: nothing is `{}`, and what is not JSON `undefined`. */
export function sentBody(req: HttpRequest): unknown {
  const bytes = bytesOf(req);
  if (!bytes) return {};
  try {
    return parseOnce(req, bytes);
  } catch {
    return undefined;
  }
}
