import { statusOf } from '../../api/refusals.ts';
import { webhookHeaders, webhookSchema, webhooks } from '../../api/webhooks/envelopes.ts';
import { openApiDocument } from '../../infrastructure/http/describe/openapi.ts';
import { basePath, interfaceVersion } from './address.ts';
import { exampleNeeds, parameterExample, requestExamples } from './examples.ts';
import { answerHeaders, headersOfAnswer } from './headers.ts';
import { operations } from './operations.ts';
import { parameterText } from './parameters.ts';
import { tags } from './tags.ts';

const description = [
  'Payments on behalf of customers. Amounts are integers in the smallest unit of their currency.',
  'Lists are paginated by cursor. Every response carries X-Request-Id.',
  'The page at /docs puts objects of yours in the places of the ids of its examples, and makes them, in a sandbox.',
].join(' ');

const calls = {
  tag: 'Webhooks',
  calls: webhooks,
  headers: webhookHeaders,
  schema: webhookSchema,
  answers: {
    200: 'It was delivered, as with any 2xx.',
    409: 'It had been delivered before.',
    410: 'The endpoint is not there any more: nothing is sent to it from now on.',
    500: 'It was not delivered, as with any other status: it is sent again later.',
  },
};

const credentials = {
  basic: 'Client id and client secret of an API token.',
  bearer: 'The access token of an agent.',
};

export const openApi = () =>
  openApiDocument(operations, {
    title: 'Daybook',
    description,
    version: interfaceVersion,
    basePath,
    tags,
    headers: answerHeaders,
    headersOf: headersOfAnswer,
    examples: requestExamples,
    parameterExample,
    parameterText,
    exampleNeeds,
    webhooks: calls,
    errorCodes: Object.keys(statusOf),
    credentials,
  });
