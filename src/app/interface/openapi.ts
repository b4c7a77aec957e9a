import { statusOf } from '../../api/refusals.ts';
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
    errorCodes: Object.keys(statusOf),
    credentials,
  });
