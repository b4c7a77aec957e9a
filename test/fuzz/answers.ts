/** What is wrong with an answer, held against the OpenAPI document as a client would read it. */
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { openApiDocument, resolved } from '../support/interface/interface.ts';
import type { FuzzRequest } from './requests.ts';

const bytesMax = 1024 * 1024;

/** What the inside of the service looks like. */
const inside =
  /node_modules|\/src\/|\.ts:\d+|\n\s+at \S+|<!doctype|<html|(select|insert into|update) .* daybook/i;

const ajv = new Ajv2020({ strict: false, validateFormats: false });
ajv.addSchema(openApiDocument, 'document');

export type FuzzAnswer = { readonly status: number; readonly type: string | null; readonly text: string };

/** Empty when nothing is wrong. */
export function faultsOf({ operation }: FuzzRequest, { status, type, text }: FuzzAnswer): string[] {
  const declared = operation.responses[status];
  if (!declared) return [`answers ${status}, which is not declared`];
  const faults: string[] = [];
  if (status >= 500 && status !== 501 && status !== 503) faults.push(`answers ${status}`);
  if (text.length > bytesMax) faults.push(`answers ${text.length} bytes`);
  if (inside.test(text)) faults.push('shows what is inside the service');
  const content = resolved(declared).content?.['application/json'];
  if (!content)
    return text === '' ? faults : [...faults, `answers ${status} with a body, which is not declared`];
  if (!type?.startsWith('application/json')) return [...faults, `answers ${type}`];
  return [...faults, ...faultsOfBody(operation.operationId, status, declared, JSON.parse(text))];
}

function faultsOfBody(
  operationId: string,
  status: number,
  declared: { readonly description: string; readonly content: Readonly<Record<string, { schema: object }>> },
  body: { readonly code?: string },
): string[] {
  const validate = validatorOf(
    `${operationId} ${status}`,
    declared.content['application/json']?.schema ?? {},
  );
  const faults = validate(body) ? [] : [`answers ${status}: ${ajv.errorsText(validate.errors)}`];
  const isKnown = status < 400 || declared.description.split(', ').includes(body.code ?? '');
  return isKnown ? faults : [...faults, `answers ${status} ${body.code}, which is not declared`];
}

const validators = new Map<string, ValidateFunction>();

/** References lead into the document, which has its name. */
function validatorOf(name: string, schema: object): ValidateFunction {
  const known = validators.get(name);
  if (known) return known;
  const validate = ajv.compile(JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"document#/')));
  validators.set(name, validate);
  return validate;
}
