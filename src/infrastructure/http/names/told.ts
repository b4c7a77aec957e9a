/**
 * What happens with names that an operation does not know. A parameter of the query is refused: a filter that is not
 * applied answers another question than was asked. A member of a body is ignored, as the interface has it, and named in
 * the header `Warning`; whoever wants it refused says so.
 */
import type { Request as HttpRequest } from 'express';
import { z } from 'zod';
import { declaredLength } from '../doors/rest.ts';
import type { Operation } from '../operation.ts';
import { sentBody, type Wrong } from '../parse.ts';
import type { Received } from '../uploads/multipart.ts';
import { bodyField, type FieldError } from '../validation.ts';
import { namesOf, type Unknown, unknownIn } from './names.ts';

const noParameters = namesOf(z.object({}));

/** As much of names that callers have made up as a header repeats. */
const toldMax = 10;
const nameMax = 100;

/** `{}`, which some clients send wherever a body may be. */
const emptyBytes = 2;

/** Is told what the header `Warning` is to say. */
export type Warn = (warning: string) => void;

type Sent = {
  readonly req: HttpRequest;
  readonly warn: Warn;
  readonly received: Received | undefined;
};

/** Warns of what the operation does not read, or says that it is wrong: parameters always, the rest where it is to be. */
export async function unknownNames(
  operation: Operation,
  { req, received, warn }: Sent,
  isRefused: () => Promise<boolean>,
): Promise<Wrong> {
  const query = unknownParameters(operation, req);
  const unread = unreadMembers(operation, req, received);
  if (unread.length === 0) return { query, body: [] };
  if (await isRefused()) return { query, body: asRefusals(unread) };
  warn(warningOf(unread));
  return { query, body: [] };
}

/** The parameters of the query that the operation does not have, as refusals. */
function unknownParameters({ query }: Operation, req: HttpRequest): FieldError[] {
  const known = query ? Object.keys(query.shape) : [];
  const { '': _nameless, ...named } = req.query;
  return unknownIn(query ? namesOf(query) : noParameters, named).map(({ field, near }) => ({
    field: cut(field.replaceAll('\u0000', '')),
    message: near === undefined ? `is not a parameter of this operation, which ${takes(known)}` : meant(near),
    ...(known.length > 0 && { constraint: { enum: known } }),
  }));
}

const meant = (near: string) => `is not known here; did you mean ${near}?`;
const takes = (known: readonly string[]) => (known.length === 0 ? 'takes none' : `takes ${known.join(', ')}`);

/** The members of the body that the operation does not read; where it reads none, the body itself, by no name. */
function unreadMembers(operation: Operation, req: HttpRequest, received: Received | undefined): Unknown[] {
  const { body, multipart } = operation;
  if (multipart) return unknownIn(namesOf(multipart.fields), received?.fields);
  if (body) return unknownIn(namesOf(body), sentBody(req));
  return (declaredLength(req) ?? Number.POSITIVE_INFINITY) > emptyBytes ? [{ field: '' }] : [];
}

const asRefusals = (unread: readonly Unknown[]): FieldError[] =>
  unread.map(({ field, near }) => ({
    field: cut(field || bodyField),
    message: field === '' ? 'is not taken by this operation' : near ? meant(near) : 'is not known here',
  }));

/** The value of the header. Names are the caller's: what could end a quoted string or a header is percent-encoded. */
export function warningOf(unread: readonly Unknown[]): string {
  if (unread[0]?.field === '') return '299 - "Ignored: this operation takes no body."';
  const named = unread.slice(0, toldMax).map(({ field, near }) => {
    const name = quotable(field);
    return near === undefined ? name : `${name} (did you mean ${quotable(near)}?)`;
  });
  const more = unread.length > toldMax ? ` and more` : '';
  return `299 - "Ignored, not known here: ${named.join(', ')}${more}."`;
}

/** A character that is cut in half at the end could not be stored. */
const cut = (name: string): string => name.slice(0, nameMax).toWellFormed();

function quotable(name: string): string {
  const encoded = cut(name).replace(/[^!#-[\]-~]/gu, encodeURIComponent);
  if (encoded.length <= nameMax) return encoded;
  // No half of what stands for one byte.
  return `${encoded.slice(0, nameMax).replace(/%[0-9A-F]?$/, '')}...`;
}
