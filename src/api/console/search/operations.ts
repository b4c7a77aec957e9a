import { z } from 'zod';
import { basicErrors } from '../../../infrastructure/http/describe/errors.ts';
import { Rejected } from '../../../kernel/rejected.ts';
import type { Operation } from '../../operation.ts';

/** What can be found, by the type of its id, and where the interface tells of it. */
export const kinds = {
  Transaction: ['transaction', '/transactions/'],
  Quote: ['quote', '/quotes/'],
  Customer: ['customer', '/customers/'],
  BeneficialOwner: ['beneficialOwner', '/beneficial-owners/'],
  Document: ['document', '/documents/'],
  Verification: ['verification', '/verifications/'],
  InternalAccount: ['account', '/audit/internal-accounts/', '/history'],
  ExternalAccount: ['externalAccount', '/audit/external-accounts/', '/history'],
  Agent: ['agent', '/agents/'],
  AgentAction: ['agentAction', '/agents/'],
  Webhook: ['webhook', '/webhooks/events/'],
  Token: ['token', '/tokens/'],
  Request: ['request', '/console/requests/'],
} as const;

const kindNames = Object.values(kinds).map(([kind]) => kind);

export const searchById = {
  operationId: 'searchById',
  method: 'get',
  path: '/console/search',
  tag: 'Console',
  permission: ['VIEW'],
  summary: 'Find something by its id',
  description:
    'An extension of the interface. Finds payments, quotes, customers, beneficial owners, documents, verifications, internal and external accounts, agents and their actions, webhook events, API tokens and logged requests of the platform. Of what was deleted it finds customers, with their owners and verifications, and accounts. A uuid alone is tried as each kind, payments first.',
  query: z.object({ id: z.string().min(1).max(100) }),
  responses: {
    200: {
      description: 'What it is.',
      schema: z
        .object({
          kind: z.enum(kindNames),
          id: z.string(),
          path: z.string().meta({ description: 'Where the interface tells of it; of an action, its agent.' }),
        })
        .meta({ id: 'Found' }),
    },
  },
  errors: basicErrors({ 400: ['INVALID_INPUT'], 404: ['REFERENCE_NOT_FOUND'] }),
} as const satisfies Operation;

export const nothingFound = () => new Rejected('REFERENCE_NOT_FOUND', 'There is nothing with this id.');
