/** Requests for one operation of the OpenAPI document: such as are right, and such as are wrong in one way or many. */
import fc from 'fast-check';
import { stringify } from '../../src/kernel/json.ts';
import { bodiesOf } from '../support/http/bodies.ts';
import { type DocumentedOperation, filled } from '../support/interface/interface.ts';
import { type Belongings, belongingOf, queryOf } from '../support/resources/platforms.ts';
import { type FindIds, fitting, oddTexts, oddValues, spoilt } from './values.ts';

export type FuzzRequest = {
  readonly operation: DocumentedOperation;
  /** With the query. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array<ArrayBuffer> | undefined;
};

const boundary = 'fuzz-boundary';

const oneIn = <T>(n: number, rare: fc.Arbitrary<T>, usual: fc.Arbitrary<T>): fc.Arbitrary<T> =>
  fc.oneof({ weight: 1, arbitrary: rare }, { weight: n - 1, arbitrary: usual });

/** A segment of a path: neither empty nor dots alone, which would make another path. */
const segments = oneIn(
  4,
  fc.constantFrom('%00', '%zz', '%ff', '%F0%9F', 'a%2Fb'),
  oddTexts
    .map((text) => encodeURIComponent(text.toWellFormed().slice(0, 1_000)))
    .filter((text) => !/^\.*$/.test(text)),
);

export function requestsOf(operation: DocumentedOperation, own: Belongings): fc.Arbitrary<FuzzRequest> {
  const findIds: FindIds = (pattern) => Object.values(own).filter((id) => pattern.test(id));
  return fc
    .record({
      path: pathsOf(operation, own),
      query: queriesOf(operation, own, findIds),
      headers: headersOf(operation),
      content: contentOf(operation, own, findIds),
    })
    .map(({ path, query, headers, content: { type, body } }) => ({
      operation,
      target: `${path}?${new URLSearchParams(query)}`,
      headers: { ...headers, ...(type !== undefined && { 'content-type': type }) },
      body,
    }));
}

function pathsOf(operation: DocumentedOperation, own: Belongings): fc.Arbitrary<string> {
  const known = operation.params.map((name) => {
    const key = belongingOf(operation, name, own);
    return oneIn(8, segments, fc.constant(encodeURIComponent(key ? own[key] : 'x')));
  });
  return fc.tuple(...known).map((values) => {
    const left = [...values];
    return filled(operation.path, () => left.shift() ?? 'x');
  });
}

type Pair = [name: string, value: string];

function queriesOf(operation: DocumentedOperation, own: Belongings, findIds: FindIds): fc.Arbitrary<Pair[]> {
  const least = Object.entries(queryOf(operation, own)) as Pair[];
  const odd = fc.tuple(
    oneIn(2, oddTexts, fc.constantFrom('limit', 'cursor', '__proto__', 'limit[]')),
    oddTexts,
  );
  if (operation.query.length === 0) return oneIn(5, fc.array(odd, { maxLength: 2 }), fc.constant([]));
  const right = fc.constantFrom(...operation.query).chain(({ name, schema }) => {
    const value = fitting(schema, findIds).map((one): string => String(one));
    return fc.tuple(fc.constant(name), oneIn(3, oddTexts, value));
  });
  const more = fc.array(oneIn(8, odd, right), { maxLength: 4 });
  return more.map((pairs): Pair[] =>
    [...least, ...pairs].map(([name, value]) => [
      name.slice(0, 100).toWellFormed(),
      value.slice(0, 1_500).toWellFormed(),
    ]),
  );
}

const headerText = fc.stringMatching(/^[!-~]{0,300}$/);

function headersOf({ takesKey }: DocumentedOperation): fc.Arbitrary<Record<string, string>> {
  const some = fc.record(
    { 'service-wallet-signature': headerText, 'request-id': headerText, 'daybook-odd': headerText },
    { requiredKeys: [] },
  );
  const keyed = fc.tuple(some, headerText).map(([headers, key]) => ({ ...headers, 'idempotency-key': key }));
  return oneIn(3, takesKey ? keyed : some, fc.constant({}));
}

type Content = { readonly type?: string; readonly body: FuzzRequest['body'] };

function contentOf(operation: DocumentedOperation, own: Belongings, findIds: FindIds): fc.Arbitrary<Content> {
  if (operation.takesForm) return formsOf(own);
  const { body } = operation;
  if (!body) return oneIn(10, json(oddValues), fc.constant({ body: undefined }));
  const samples = bodiesOf(operation, own);
  const right = fc.oneof(fitting(body, findIds), fc.constantFrom<unknown>(...samples));
  return fc.oneof(
    { weight: 5, arbitrary: json(right) },
    { weight: 6, arbitrary: json(right.chain(spoilt)) },
    { weight: 1, arbitrary: json(oddValues) },
    { weight: 1, arbitrary: unreadable(right) },
  );
}

const json = (values: fc.Arbitrary<unknown>): fc.Arbitrary<Content> =>
  values.map((value) => ({ type: 'application/json', body: written(value) }));

/** An object of the test's own making may have no form in JSON. */
const written = (value: unknown): string => stringify(value) ?? 'null';

/** What is no JSON, or not sent as such. */
const unreadable = (values: fc.Arbitrary<unknown>): fc.Arbitrary<Content> =>
  fc.oneof(
    values.map((value) => ({ type: 'text/plain', body: written(value) })),
    values.map((value) => ({ type: 'application/json', body: written(value).slice(0, -1) })),
    values.map((value) => ({ type: 'application/json', body: `\ufeff${written(value)}` })),
    fc
      .uint8Array({ maxLength: 200 })
      .map((bytes) => ({ type: 'application/json', body: new Uint8Array(bytes) })),
    fc.constantFrom(
      { type: 'application/json', body: '['.repeat(100_000) },
      { type: 'application/json', body: `{"a":${'9'.repeat(500_000)}}` },
      { type: 'application/json', body: `[${'{},'.repeat(200_000)}{}]` },
      { type: 'application/json', body: `"${'x'.repeat(1_100_000)}"` },
      { type: 'multipart/form-data', body: 'no boundary' },
    ),
  );

function formsOf({ businessId }: Belongings): fc.Arbitrary<Content> {
  const fields = fc.record({
    documentHolder: oneIn(4, oddTexts, fc.constant(businessId)),
    documentType: oneIn(4, oddTexts, fc.constant('PASSPORT')),
    country: oneIn(4, oddTexts, fc.constant('GB')),
    documentNumber: oddTexts,
  });
  const file = fc.constantFrom('%PDF-1.7\nx', '\u0089PNG\r\n', '', 'plain text');
  return fc.record({ fields, file, cut: fc.boolean() }).map(({ fields: texts, file: bytes, cut }) => {
    const parts = Object.entries(texts).map(
      ([name, value]) => `form-data; name="${name}"\r\n\r\n${value.toWellFormed()}`,
    );
    const all = [...parts, `form-data; name="file"; filename="a.pdf"\r\n\r\n${bytes}`];
    const body = all.map((part) => `--${boundary}\r\nContent-Disposition: ${part}\r\n`).join('');
    const end = cut ? '' : `--${boundary}--\r\n`;
    return { type: `multipart/form-data; boundary=${boundary}`, body: body + end };
  });
}
