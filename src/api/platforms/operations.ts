import { z } from 'zod';
import { requiredField } from '../../domain/lookups/events.ts';
import { payerFieldNames } from '../../domain/lookups/payer-fields.ts';
import { noBound } from '../../domain/platforms/currencies.ts';
import { bounds } from '../../domain/values/bounds.ts';
import { email, encodedLabel } from '../../domain/values/text.ts';
import { basicErrors } from '../../infrastructure/http/describe/errors.ts';
import { acrossFields } from '../fields/across-fields.ts';
import { currencyCode } from '../fields/amounts.ts';
import { amountUpTo } from '../fields/fields.ts';
import type { Operation } from '../operation.ts';
import {
  dailyVolumeDescription,
  platformConfigSchema,
  strictDescription,
  strictFieldsDescription,
  transactionTypes,
  velocityDescription,
} from './render.ts';

const label = '[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?';
const hostNamePattern = new RegExp(String.raw`^(${label}\.)+([a-z]{2,63}|${encodedLabel})$`);

const hostName = z
  .string()
  .max(253)
  .transform((text) => text.toLowerCase())
  .pipe(z.string().regex(hostNamePattern, 'must be a host name'));

const webUrl = z.url({ protocol: /^https?$/, error: 'must be an http or https URL' });

const paymentsPerHourMax = 1_000_000;

/** As the configuration is answered, so it may be sent back. */
const readOnly = z
  .array(z.string().max(64))
  .max(payerFieldNames.length)
  .optional()
  .meta({ description: 'Read only: taken and ignored.' });

const supportedCurrencyRequest = z
  .object({
    currencyCode,
    minAmount: amountUpTo(noBound),
    maxAmount: amountUpTo(noBound),
    requiredCounterpartyFields: z.array(requiredField).max(payerFieldNames.length),
    enabledTransactionTypes: transactionTypes,
    dailyVolumeLimit: amountUpTo(noBound).optional().meta({ description: dailyVolumeDescription }),
    velocityLimit: z
      .int()
      .min(0)
      .max(paymentsPerHourMax)
      .optional()
      .meta({ description: velocityDescription }),
    providerRequiredCustomerFields: readOnly,
    providerRequiredCounterpartyCustomerFields: readOnly,
  })
  .check(
    acrossFields((sent) => {
      const [least, most] = [sent('minAmount'), sent('maxAmount')];
      const isBelow = typeof least === 'bigint' && typeof most === 'bigint' && most < least;
      return isBelow ? [{ field: 'maxAmount', message: 'must not be below minAmount' }] : [];
    }),
  )
  .transform(
    ({
      providerRequiredCustomerFields: _customer,
      providerRequiredCounterpartyCustomerFields: _counterparty,
      ...settings
    }) => settings,
  );

/** The ends of lines, and the signs that turn the direction of a text. */
const hidden = /[\p{Cc}\p{Zl}\p{Zp}\u202A-\u202E\u2066-\u2069]/u;
/** Programs that show mails make links of these. */
const likeAddress = /@|:\/\/|\bwww\.|[\p{L}\p{N}-]\.\p{L}{2,}/iu;

/** A name that mails to customers show: it must not look like a place to go to. */
const mailName = z
  .string()
  .max(255)
  .refine((name) => !hidden.test(name), 'must be one line of visible characters')
  .refine((name) => !likeAddress.test(name), 'must not contain an address or what looks like one');

/** Null takes a setting back that has no usual value. */
const walletConfigRequest = z.object({
  appName: mailName.nullable().optional(),
  otpLength: z.int().min(4).max(12).optional(),
  alphanumeric: z.boolean().optional(),
  expirationSeconds: z.int().min(1).max(86_400).optional(),
  sendFromEmailAddress: email.nullable().optional(),
  sendFromEmailSenderName: mailName.optional(),
  replyToEmailAddress: email.nullable().optional(),
  logoUrl: webUrl.max(512).nullable().optional(),
});

/** Omitted settings stay as they are. */
const patchConfigRequest = z
  .object({
    umaDomain: hostName.optional(),
    webhookEndpoint: z
      .union([z.literal(''), webUrl.max(2048)])
      .nullable()
      .optional(),
    supportedCurrencies: z.array(supportedCurrencyRequest).min(1).max(bounds.currencies).optional(),
    embeddedWalletConfig: walletConfigRequest.optional(),
    strictIdempotency: z.boolean().optional().meta({ description: strictDescription }),
    strictFields: z.boolean().optional().meta({ description: strictFieldsDescription }),
  })
  .meta({ id: 'PlatformConfigUpdateRequest' });

const tag = 'Platform configuration';
const answer = { 200: { description: 'The configuration.', schema: platformConfigSchema } };

export const getConfig = {
  operationId: 'getPlatformConfig',
  method: 'get',
  path: '/config',
  tag,
  summary: 'Read the configuration',
  permission: ['VIEW'],
  responses: answer,
  errors: basicErrors(),
} as const satisfies Operation;

export const patchConfig = {
  operationId: 'updatePlatformConfig',
  method: 'patch',
  path: '/config',
  tag,
  summary: 'Change the configuration',
  description:
    'What is left out stays as it is. supportedCurrencies replaces the whole list, and payments in a currency that is not on it are refused; embeddedWalletConfig is merged field by field, and null takes back its appName, addresses and logoUrl. An empty or null webhookEndpoint removes it. A umaDomain of another platform is refused; outside the sandbox a new one is proven by the TXT record that details.dnsRecord of the refusal names.',
  permission: ['MANAGE'],
  body: patchConfigRequest,
  responses: answer,
  errors: basicErrors({
    400: ['INVALID_INPUT', 'INVALID_CURRENCY'],
    409: ['CONFLICT'],
  }),
  reserved: [501],
} as const satisfies Operation;
