/** A platform: the tenant. Everything else belongs to one. Its configuration is part of it. */
import type { Decider } from '../../kernel/decider.ts';
import { invariant } from '../../kernel/invariant.ts';
import { applied, type ChangesOf, defined } from '../../kernel/partial.ts';
import { Rejected } from '../../kernel/rejected.ts';
import { readable, untouchedList } from './currencies.ts';
import type { EmbeddedWalletConfig, HeldDomain, PlatformEvent, SupportedCurrency } from './events.ts';
import { keeps, type LeftDomains, leaving } from './left-domains.ts';

type Created = Extract<PlatformEvent, { type: 'PlatformCreated' }>['data'];

/** What a platform may change about itself; what is left out stays as it is. */
export type ConfigChanges = {
  readonly umaDomain?: string | undefined;
  readonly webhookEndpoint?: string | null | undefined;
  readonly supportedCurrencies?: SupportedCurrency[] | undefined;
  /** Merged field by field; null takes a setting back. */
  readonly embeddedWalletConfig?: ChangesOf<EmbeddedWalletConfig> | undefined;
  readonly strictIdempotency?: boolean | undefined;
  readonly strictFields?: boolean | undefined;
};

export type PlatformCommand =
  | { readonly type: 'CreatePlatform'; readonly details: Created }
  | {
      readonly type: 'ChangeConfig';
      readonly changes: ConfigChanges;
      /** Of a domain that the platform has not got yet. */
      readonly held?: HeldDomain | undefined;
      readonly at: Date;
    }
  /** Sees to it that no domain is taken under a claim any more, unless it is the platform's, or was a short time ago. */
  | {
      readonly type: 'EndClaim';
      readonly domain: string;
      readonly claim?: string | undefined;
      readonly at: Date;
    }
  /** Does nothing when the platform has another endpoint by now. */
  | { readonly type: 'DisableWebhookEndpoint'; readonly webhookEndpoint: string; readonly at: Date };

export type ActivePlatform = Omit<Created, 'at' | 'supportedCurrencies'> & {
  readonly status: 'active';
  /** All that payments may be in: every currency that the service knows until the platform sets a list of its own. */
  readonly supportedCurrencies: readonly SupportedCurrency[];
  /** Since when it has its domain. */
  readonly umaDomainSince: Date;
  readonly leftDomains?: LeftDomains;
  readonly webhookEndpoint?: string;
  /** Since when nothing is sent because the endpoint said that it is gone. */
  readonly webhookEndpointDisabledAt?: Date;
  /** A key that is used again with another body is refused. */
  readonly strictIdempotency?: boolean;
  /** A body with a field that its operation does not know is refused. */
  readonly strictFields?: boolean;
  /** No domain is taken under these any more. */
  readonly endedClaims?: ReadonlySet<string>;
  readonly createdAt: Date;
  readonly updatedAt: Date;
};
export type Platform = { readonly status: 'none' } | ActivePlatform;

export const platform: Decider<Platform, PlatformCommand, PlatformEvent> = {
  initial: { status: 'none' },

  decide(command, state) {
    if (command.type === 'CreatePlatform') {
      return state.status === 'none' ? [{ type: 'PlatformCreated', data: command.details }] : [];
    }
    if (state.status === 'none') throw new Rejected('REFERENCE_NOT_FOUND', 'There is no such platform.');
    const { platformId } = state;
    if (command.type === 'DisableWebhookEndpoint') {
      const { webhookEndpoint, at } = command;
      if (state.webhookEndpoint !== webhookEndpoint) return [];
      return [{ type: 'WebhookEndpointDisabled', data: { platformId, webhookEndpoint, at } }];
    }
    if (command.type === 'EndClaim') {
      const { domain, claim = '', at } = command;
      if (state.umaDomain === domain || hasEnded(state, command)) return [];
      // The claim is the one that it had the domain under: its confirmation is late.
      if (keeps(state.leftDomains, domain, at)) return [];
      return [{ type: 'PlatformClaimEnded', data: { platformId, claim, at } }];
    }
    const { held, at } = command;
    const { webhookEndpoint, embeddedWalletConfig: wallet, ...settings } = command.changes;
    const { umaDomain } = settings;
    if (umaDomain !== undefined && held && state.endedClaims?.has(held.claim ?? ''))
      throw overtaken(umaDomain);
    const changes = defined({
      ...settings,
      held,
      webhookEndpoint: isNewEndpoint(state, webhookEndpoint) ? webhookEndpoint : undefined,
      embeddedWalletConfig: wallet && applied(state.embeddedWalletConfig, wallet),
    });
    if (Object.keys(changes).length === 0) return [];
    return [{ type: 'PlatformConfigChanged', data: { platformId, ...changes, at } }];
  },

  evolve(state, event) {
    if (event.type === 'PlatformCreated') {
      const { at, supportedCurrencies: begunWith, ...details } = event.data;
      const supportedCurrencies = untouchedList(begunWith);
      const since = { umaDomainSince: at, createdAt: at, updatedAt: at };
      return { ...details, supportedCurrencies, status: 'active', ...since };
    }
    invariant(state.status === 'active', 'configured before it was created');
    if (event.type === 'PlatformClaimEnded') {
      const endedClaims = new Set([...(state.endedClaims ?? []), event.data.claim]);
      return { ...state, endedClaims };
    }
    if (event.type === 'WebhookEndpointDisabled') {
      const { webhookEndpoint: _gone, ...rest } = state;
      return { ...rest, webhookEndpointDisabledAt: event.data.at, updatedAt: event.data.at };
    }
    const { held: _held, webhookEndpoint, supportedCurrencies, umaDomain, at, ...settings } = event.data;
    const { webhookEndpoint: former, webhookEndpointDisabledAt, ...kept } = state;
    const untouched = webhookEndpoint === undefined;
    const endpoint = untouched ? former : webhookEndpoint;
    return {
      ...kept,
      ...defined(settings),
      ...moved(state, umaDomain, at),
      ...(untouched && webhookEndpointDisabledAt && { webhookEndpointDisabledAt }),
      ...(endpoint && { webhookEndpoint: endpoint }),
      ...(supportedCurrencies && { supportedCurrencies: readable(supportedCurrencies) }),
      updatedAt: at,
    };
  },
};

const moved = ({ umaDomain: former, leftDomains }: ActivePlatform, umaDomain = former, at: Date) =>
  umaDomain === former
    ? undefined
    : { umaDomain, umaDomainSince: at, leftDomains: leaving(leftDomains, former, at) };

/** What is answered to a request that took so long that another platform was given the domain. */
const overtaken = (domain: string) =>
  new Rejected(
    'CONFLICT',
    `The request for ${domain} took too long, and another platform was given the domain. Nothing was changed by it.`,
  );

/** Whether the domain is not the platform's, and never will be under this claim. */
export const hasEnded = (
  state: Platform,
  { domain, claim = '' }: { readonly domain: string; readonly claim?: string | undefined },
): boolean =>
  state.status === 'active' && state.umaDomain !== domain && state.endedClaims?.has(claim) === true;

/** Setting the endpoint that is set already is no change, and sends no TEST; removing one that was disabled is. */
const isNewEndpoint = (
  { webhookEndpoint: current, webhookEndpointDisabledAt }: ActivePlatform,
  wanted: string | null | undefined,
): boolean =>
  wanted !== undefined && (wanted !== (current ?? null) || webhookEndpointDisabledAt !== undefined);

/** What the platform has set for a currency, if anything. */
export const settingsOf = (
  { supportedCurrencies }: ActivePlatform,
  currency: string,
): SupportedCurrency | undefined => supportedCurrencies.find(({ currencyCode }) => currencyCode === currency);
