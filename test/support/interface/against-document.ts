/** Holds what is sent against the OpenAPI document, as a client does that validates. */
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { stringify } from '../../../src/kernel/json.ts';
import { openApiDocument, type Schema } from './interface.ts';

const ajv = new Ajv2020({ strict: false, validateFormats: false });
ajv.addSchema(openApiDocument, 'document');

const validators = new WeakMap<Schema, ValidateFunction>();

/** What does not fit a schema of the document; `undefined` where all does. */
export function misfitOf(schema: Schema, value: unknown): string | undefined {
  const validate = validators.get(schema) ?? ajv.compile(inDocument(schema));
  validators.set(schema, validate);
  return validate(value) ? undefined : ajv.errorsText(validate.errors);
}

/** References lead into the document, which has its name. */
const inDocument = (schema: Schema): Schema =>
  JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"document#/'));

const webhook = { $ref: '#/components/schemas/Webhook' };

/** The same of what an endpoint is called with. */
export const misfitOfWebhook = (body: unknown): string | undefined =>
  misfitOf(webhook, JSON.parse(stringify(body)));
