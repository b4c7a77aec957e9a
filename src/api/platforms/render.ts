import { z } from 'zod';
import { requiredField } from '../../domain/lookups/events.ts';
import { subdomainOf } from '../../domain/platforms/domains.ts';
import type { ActivePlatform } from '../../domain/platforms/platform.ts';
import { uuidOf } from '../../kernel/ids.ts';
import { transactionType } from '../fields/enumerations.ts';
import { int64, present, timestamp } from '../fields/fields.ts';

export const transactionTypes = z.array(transactionType).max(2);

export const strictDescription =
  'An extension: whether an Idempotency-Key that is used again with another body is refused, with 409.';

export const strictFieldsDescription =
  'An extension: whether a body with a field that its operation does not know is refused, with 400, in place of a Warning.';

export const dailyVolumeDescription =
  'An extension: what may leave one account in a day of UTC, in minor units; 429 beyond. Absent: not limited.';
export const velocityDescription =
  'An extension: how many payments may leave one account in a clock hour; 403 beyond. Absent: not limited.';

export const platformConfigSchema = z
  .object({
    id: z.string(),
    umaDomain: z.string(),
    proxyUmaSubdomain: z.string(),
    webhookEndpoint: z.string().optional(),
    webhookEndpointDisabledAt: timestamp.optional().meta({
      description:
        'An extension: since when nothing is sent because the endpoint answered 410. Setting an endpoint ends it.',
    }),
    webhookPublicKey: z.string().meta({ description: 'Verifies X-Service-Signature: SPKI in PEM, P-256.' }),
    supportedCurrencies: z.array(
      z.object({
        currencyCode: z.string(),
        minAmount: int64,
        maxAmount: int64,
        requiredCounterpartyFields: z.array(requiredField),
        enabledTransactionTypes: transactionTypes,
        dailyVolumeLimit: int64.optional().meta({ description: dailyVolumeDescription }),
        velocityLimit: z.int().optional().meta({ description: velocityDescription }),
        providerRequiredCustomerFields: z.array(z.string()),
        providerRequiredCounterpartyCustomerFields: z.array(z.string()),
      }),
    ),
    isRegulatedFinancialInstitution: z.boolean(),
    embeddedWalletConfig: z.object({
      appName: z.string().optional(),
      otpLength: z.int(),
      alphanumeric: z.boolean(),
      expirationSeconds: z.int(),
      sendFromEmailAddress: z.string().optional(),
      sendFromEmailSenderName: z.string(),
      replyToEmailAddress: z.string().optional(),
      logoUrl: z.string().optional(),
    }),
    strictIdempotency: z.boolean().meta({ description: strictDescription }),
    strictFields: z.boolean().meta({ description: strictFieldsDescription }),
    createdAt: timestamp,
    updatedAt: timestamp,
  })
  .meta({ id: 'PlatformConfig' });

export const renderConfig = (platform: ActivePlatform, webhookPublicKey: string) =>
  present({
    id: `PlatformConfig:${uuidOf(platform.platformId)}`,
    umaDomain: platform.umaDomain,
    proxyUmaSubdomain: subdomainOf(platform.platformId),
    webhookEndpoint: platform.webhookEndpoint,
    webhookEndpointDisabledAt: platform.webhookEndpointDisabledAt?.toISOString(),
    webhookPublicKey,
    supportedCurrencies: platform.supportedCurrencies.map((one) =>
      present({
        ...one,
        providerRequiredCustomerFields: [],
        providerRequiredCounterpartyCustomerFields: [],
      }),
    ),
    isRegulatedFinancialInstitution: false,
    embeddedWalletConfig: present(platform.embeddedWalletConfig),
    strictIdempotency: platform.strictIdempotency ?? false,
    strictFields: platform.strictFields ?? false,
    createdAt: platform.createdAt.toISOString(),
    updatedAt: platform.updatedAt.toISOString(),
  });
