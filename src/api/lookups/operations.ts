import { z } from 'zod';
import { externalAccountNotFound } from '../../domain/external-accounts/external-account.ts';
import { payerFieldNames } from '../../domain/lookups/payer-fields.ts';
import { basicErrors } from '../../infrastructure/http/describe/errors.ts';
import { idField, idSchema } from '../../kernel/ids.ts';
import { currencySchema } from '../fields/amounts.ts';
import { int64 } from '../fields/fields.ts';
import type { Operation } from '../operation.ts';

const requiredField = z.object({ name: z.enum(payerFieldNames), mandatory: z.boolean() });

const result = {
  lookupId: idField('Lookup'),
  supportedCurrencies: z.array(
    z.object({
      currency: currencySchema,
      estimatedExchangeRate: z.number().meta({
        description: "Receiving units per sending unit: the other way round from a quote's exchangeRate.",
      }),
      min: int64,
      max: int64,
    }),
  ),
  requiredPayerDataFields: z.array(requiredField),
};
const accountLookupSchema = z
  .object({ accountId: idField('ExternalAccount'), ...result })
  .meta({ id: 'AccountLookup' });
const addressLookupSchema = z
  .object({ receiverUmaAddress: z.string(), ...result })
  .meta({ id: 'AddressLookup' });

const query = z.object({
  senderUmaAddress: z.string().min(1).max(320).optional(),
  customerId: idSchema('Customer').optional(),
});

const tag = 'Receiver lookups';
const counterpartyErrors = {
  400: ['INVALID_INPUT', 'INVALID_UMA_ADDRESS', 'LOOKUP_REQUEST_FAILED'],
  412: ['UNSUPPORTED_UMA_VERSION'],
  424: ['LNURLP_REQUEST_FAILED', 'NO_COMPATIBLE_UMA_VERSION', 'COUNTERPARTY_PUBKEY_FETCH_ERROR'],
};

export const lookUpAddress = {
  operationId: 'lookUpUmaAddress',
  method: 'get',
  path: '/receiver/uma/{receiverUmaAddress}',
  tag,
  summary: 'Look up a payment address',
  description:
    'A quote to the address needs the lookupId. Name the sender by customerId or by payment address.',
  permission: ['VIEW'],
  params: z.object({ receiverUmaAddress: z.string() }),
  query,
  responses: { 200: { description: 'What the receiver takes and asks for.', schema: addressLookupSchema } },
  errors: basicErrors({ ...counterpartyErrors, 404: ['UMA_NOT_FOUND', 'USER_NOT_FOUND'] }),
} as const satisfies Operation;

export const lookUpAccount = {
  operationId: 'lookUpExternalAccount',
  method: 'get',
  path: '/receiver/external-account/{accountId}',
  tag,
  summary: 'Look up an external account',
  permission: ['VIEW'],
  params: z.object({ accountId: idSchema('ExternalAccount') }),
  query,
  notFound: externalAccountNotFound,
  responses: { 200: { description: 'What the receiver takes and asks for.', schema: accountLookupSchema } },
  errors: basicErrors({ ...counterpartyErrors, 404: ['REFERENCE_NOT_FOUND', 'USER_NOT_FOUND'] }),
} as const satisfies Operation;
