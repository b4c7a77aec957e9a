import { z } from 'zod';
import { type EventOf, instant, minorUnits } from '../../kernel/codecs.ts';
import { idField } from '../../kernel/ids.ts';

export const environments = ['sandbox', 'production'] as const;
export type Environment = (typeof environments)[number];

const supportedCurrency = z.object({
  currencyCode: z.string().min(1),
  minAmount: minorUnits,
  maxAmount: minorUnits,
  requiredCounterpartyFields: z.array(z.object({ name: z.string(), mandatory: z.boolean() })),
  enabledTransactionTypes: z.array(z.enum(['INCOMING', 'OUTGOING'])),
  /** What may leave one account in a day of UTC, in minor units; absent where that is not limited. */
  dailyVolumeLimit: minorUnits.optional(),
  /** How many payments may leave one account in a clock hour; absent where that is not limited. */
  velocityLimit: z.int().min(0).optional(),
});
export type SupportedCurrency = z.output<typeof supportedCurrency>;

const embeddedWalletConfig = z.object({
  appName: z.string().optional(),
  otpLength: z.int(),
  alphanumeric: z.boolean(),
  expirationSeconds: z.int(),
  sendFromEmailAddress: z.string().optional(),
  sendFromEmailSenderName: z.string(),
  replyToEmailAddress: z.string().optional(),
  logoUrl: z.string().optional(),
});
export type EmbeddedWalletConfig = z.output<typeof embeddedWalletConfig>;

/** The hold on a domain, which keeps other platforms from it. */
const heldDomain = z.object({ reservation: z.uuid(), claim: z.string().optional() });
export type HeldDomain = z.output<typeof heldDomain>;

/** Persisted for ever: add optional fields; never rename, retype or reuse one. */
export const platformEvents = {
  PlatformCreated: z.object({
    platformId: idField('Platform'),
    environment: z.enum(environments),
    umaDomain: z.string().min(1),
    /** Where a customer lives who gives neither region nor currencies. */
    defaultRegion: z.string().length(2),
    /** The platform has an account of its own in each. */
    supportedCurrencies: z.array(supportedCurrency).min(1),
    embeddedWalletConfig,
    /** The stablecoin of its customers' embedded wallets; absent when it has none. */
    walletCurrency: z.string().optional(),
    at: instant,
  }),
  /** Each setting that is there has the value that holds from then on. */
  PlatformConfigChanged: z.object({
    platformId: idField('Platform'),
    umaDomain: z.string().min(1).optional(),
    /** Of a new domain. */
    held: heldDomain.optional(),
    /** Null when the platform wants no webhooks any more. */
    webhookEndpoint: z.string().nullable().optional(),
    supportedCurrencies: z.array(supportedCurrency).optional(),
    embeddedWalletConfig: embeddedWalletConfig.optional(),
    strictIdempotency: z.boolean().optional(),
    strictFields: z.boolean().optional(),
    at: instant,
  }),
  /** The domain that was held under the claim goes to another platform: this one takes none under it any more. */
  PlatformClaimEnded: z.object({
    platformId: idField('Platform'),
    /** Empty for the first. */
    claim: z.string(),
    at: instant,
  }),
  /** The endpoint answered that it is gone: nothing more is sent there until the platform sets one again. */
  WebhookEndpointDisabled: z.object({
    platformId: idField('Platform'),
    webhookEndpoint: z.string(),
    at: instant,
  }),
};
export type PlatformEvent = EventOf<typeof platformEvents>;
