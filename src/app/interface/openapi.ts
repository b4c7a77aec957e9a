import { openApiDocument } from '../../infrastructure/http/describe/openapi.ts';
import { operations } from './operations.ts';

/** The date in the address of the interface. */
export const interfaceVersion = '2025-10-13';
export const basePath = `/${interfaceVersion}`;

const description = [
  'Payments on behalf of customers. Amounts are integers in the smallest unit of their currency.',
  'Lists are paginated by cursor. Every response carries X-Request-Id.',
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
    credentials,
  });
