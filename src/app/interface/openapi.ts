import { openApiDocument } from '../../infrastructure/http/describe/openapi.ts';
import { operations } from './operations.ts';

/** The date in the address of the interface (service.md, Versioning). */
export const interfaceVersion = '2025-10-13';
export const basePath = `/${interfaceVersion}`;

export const openApi = () => openApiDocument(operations, { version: interfaceVersion, basePath });
