/** What a request may carry. */
import { maxHeaderSize } from 'node:http';
import { credentialLengthMax } from '../../../api/callers/authenticate.ts';
import { pageItems } from '../../../api/fields/fields.ts';
import { fundingMax } from '../../../api/sandbox/operations.ts';
import { documentFile } from '../../../domain/documents/file-type.ts';
import { largestPayment } from '../../../domain/values/amount.ts';
import { bounds } from '../../../domain/values/bounds.ts';
import { ownersMax } from '../../../domain/verification/owner.ts';
import { documentsMax } from '../../../domain/verification/verification.ts';
import { type Bounded, boundsOfRequests } from '../../../infrastructure/http/describe/bounds.ts';
import { bodyLimits, openBodyLimits, unpackedHeld } from '../../../infrastructure/http/doors/body.ts';
import { waitingMax } from '../../../infrastructure/http/doors/one-by-one.ts';
import { fewPieces, smallPiece } from '../../../infrastructure/http/doors/pieces.ts';
import { bodiesInAll, bodiesPerAddress } from '../../../infrastructure/http/doors/room.ts';
import { keyLengthMax } from '../../../infrastructure/http/parse.ts';
import { usualDoors } from '../../../infrastructure/http/server.ts';
import { fileNameMax } from '../../../infrastructure/http/uploads/keep-file.ts';
import { limits as formLimits, wastedMax } from '../../../infrastructure/http/uploads/multipart.ts';
import { errorsMax } from '../../../infrastructure/http/validation.ts';
import { depthMax, digitsMax, valuesMax } from '../../../kernel/json.ts';
import { int64Max } from '../../../kernel/money.ts';
import { openApi } from '../../interface/openapi.ts';
import { bytes, count, duration, type Limit, section } from './page.ts';

export const describeSize = (): string[] =>
  section(
    'Request size',
    [],
    [
      ['headers and path together', bytes(maxHeaderSize)],
      ['JSON body', bytes(bodyLimits.bytesMax)],
      ['JSON body of an operation that takes no credentials', bytes(openBodyLimits.bytesMax)],
      ['a JSON body comes within', duration(bodyLimits.withinMs)],
      ['the head of a request comes within', duration(usualDoors.headMs)],
      ['a whole request comes within', duration(usualDoors.requestMs)],
      ['silence of a caller who is waited for', duration(usualDoors.silentMs)],
      [
        'requests on one connection that wait for the answer to the one before',
        `${waitingMax}; one more ends the connection`,
      ],
      [
        'bodies in memory for one address, and for all',
        `${bytes(bodiesPerAddress)} and ${bytes(bodiesInAll)}; a packed one counts ${bytes(unpackedHeld(bodyLimits))} more`,
      ],
      ['values in a JSON body: members, entries and brackets', count(valuesMax)],
      ['nesting of a JSON body', `${depthMax} levels`],
      ['digits of a number that is read exactly', count(digitsMax)],
      ['`Idempotency-Key`', `${keyLengthMax} characters`],
      ['client id, access token', `${credentialLengthMax} characters`],
      ['uploaded file', bytes(documentFile.bytesMax)],
      ['name of an uploaded file', `${fileNameMax} characters`],
      ['fields of a form beside its file', `${formLimits.fields}, each of ${bytes(formLimits.fieldSize)}`],
      ['what is read of a form around its file', bytes(wastedMax)],
      ['pieces in which a body comes', `${count(fewPieces)}, and one more for each ${smallPiece} bytes`],
      ['fields that one refusal names', `${errorsMax}; \`details.more\` counts the others`],
    ],
  );

export const describeShared = (): string[] =>
  section(
    'Shared bounds of fields',
    [],
    [
      ['names, identifiers, lines of an address', characters(bounds.line)],
      ['payment addresses, account identifiers', characters(bounds.paymentAddress)],
      ['reasons and descriptions', characters(bounds.remark)],
      ['currency codes', characters(bounds.currencyCode)],
      ['moments', `${characters(bounds.moment)}; those that are recorded from year 1 to year 9999, in UTC`],
      ['what a browser or an identity provider has signed', characters(bounds.proof)],
      ['lists of currencies', entries(bounds.currencies)],
      ['lists of countries', entries(bounds.countries)],
      ['accounts that a policy names', entries(bounds.policyAccounts)],
      ['beneficial owners of a business', `${count(ownersMax)}, and those that are added at the same moment`],
      ['documents that a verification takes, of a customer and its owners', count(documentsMax)],
      [
        '`senderCustomerInfo`, `receiverCustomerInfo`',
        `${entries(bounds.customerInfoEntries)}, names of ${characters(bounds.customerInfoName)}, values of ${characters(bounds.customerInfoValue)}`,
      ],
    ],
  );

export const describeLists = (): string[] =>
  section(
    'Amounts, balances and pages',
    [
      'A payment or refund that an account has no room for waits until it has: see [the life of a payment](../explanation/life-of-a-payment.md).',
    ],
    [
      ['items of a page', `${pageItems.max}; ${pageItems.usual} where \`limit\` is left out`],
      ['amount of a quote', count(largestPayment)],
      ['amount of a transfer, balance of an account', count(int64Max)],
      ['amount that the sandbox funds an account with', count(fundingMax)],
    ],
  );

/** Every value of every request, as the OpenAPI document has it. */
export function describeFields(): string[] {
  const { operations, schemas } = boundsOfRequests(openApi());
  return [
    '## Fields of each operation',
    '',
    'As the OpenAPI document has them. A named schema has its table below.',
    '',
    ...operations.flatMap(({ operationId, values }) => table(operationId, values)),
    '## Named schemas',
    '',
    ...schemas.flatMap(({ name, values }) => table(name, values)),
  ];
}

const table = (title: string, values: readonly Bounded[]): string[] =>
  values.length === 0
    ? []
    : [
        `### ${title}`,
        '',
        '| Value | Bound |',
        '| --- | --- |',
        ...values.map(({ path, bound = 'none' }) => `| \`${path}\` | ${linked(bound)} |`),
        '',
      ];

const linked = (bound: string): string =>
  bound.replace(/^see (\w+)$/, (_all, name: string) => `[${name}](#${name.toLowerCase()})`);

const characters = (n: number): Limit[1] => `${count(n)} characters`;
const entries = (n: number): Limit[1] => `${count(n)} entries`;
