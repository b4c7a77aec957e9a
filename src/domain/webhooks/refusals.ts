import { Rejected } from '../../kernel/rejected.ts';

export const webhookEventNotFound = () =>
  new Rejected('REFERENCE_NOT_FOUND', 'There is no such webhook event.', { resource: 'Webhook' });

export const endpointNotSet = () =>
  new Rejected(
    'WEBHOOK_ENDPOINT_NOT_SET',
    'The platform has no webhook endpoint. Set one with PATCH /config.',
  );
