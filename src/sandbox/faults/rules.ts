/** What may be made to go wrong in the sandbox, and when a rule applies. Pure. */
import { derivedUuid, type Id, type PlatformId } from '../../kernel/ids.ts';
import type { RejectionCode } from '../../kernel/rejected.ts';

export type FaultId = Id<'Fault'>;

/** What happens. Durations are milliseconds. */
export type Effect =
  /** The operation is refused, and does nothing. */
  | { readonly kind: 'REFUSE'; readonly code: RejectionCode }
  /** It is carried out after the wait, or answered after it. */
  | { readonly kind: 'DELAY'; readonly when: 'BEFORE' | 'AFTER'; readonly delayMs: number }
  /** The connection is closed without an answer, before the operation is carried out, or after. */
  | { readonly kind: 'DROP'; readonly when: 'BEFORE' | 'AFTER' }
  /** A webhook is sent twice. */
  | { readonly kind: 'DUPLICATE_WEBHOOK' }
  /** A webhook is sent later than others that were due after it. By the platform's clock. */
  | { readonly kind: 'HOLD_WEBHOOK'; readonly delayMs: number }
  /** A payment arrives, and is sent back by the bank later. By the platform's clock. */
  | { readonly kind: 'RETURN_PAYMENT'; readonly delayMs: number };

/** Each that is given has to hold. */
export type Match = {
  readonly operationId?: string | undefined;
  readonly webhookType?: string | undefined;
  readonly accountId?: string | undefined;
  readonly currency?: string | undefined;
  /** How a bank is reached: ACH, SEPA, … */
  readonly paymentRail?: string | undefined;
  /** Of those that match, about so many in a hundred. */
  readonly percent?: number | undefined;
};

export type Rule = { readonly match: Match; readonly effect: Effect };

export type Fault = Rule & {
  readonly id: FaultId;
  readonly platformId: PlatformId;
  /** How often it may still happen; `undefined` for as often as it likes. */
  readonly remaining: number | undefined;
  readonly createdAt: Date;
  /** By the platform's clock. */
  readonly expiresAt: Date;
};

export type Target = 'operation' | 'webhook' | 'payment';

const targets: Readonly<Record<Effect['kind'], Target>> = {
  REFUSE: 'operation',
  DELAY: 'operation',
  DROP: 'operation',
  DUPLICATE_WEBHOOK: 'webhook',
  HOLD_WEBHOOK: 'webhook',
  RETURN_PAYMENT: 'payment',
};

export const targetOf = ({ kind }: Pick<Effect, 'kind'>): Target => targets[kind];

/** Which conditions tell such a target from another. */
export const conditionsOf: Readonly<Record<Target, readonly (keyof Match)[]>> = {
  operation: ['operationId', 'accountId', 'currency', 'paymentRail', 'percent'],
  webhook: ['webhookType', 'accountId', 'currency', 'percent'],
  payment: ['accountId', 'currency', 'paymentRail', 'percent'],
};

/** What may be hit: its name, and all that it is about. */
export type Occasion = {
  readonly target: Target;
  /** The operation's id, or the webhook's type. */
  readonly name?: string | undefined;
  readonly about: readonly unknown[];
};

/** `n` counts the occasions that the rule has matched, from 0: the same rule hits the same ones in each run. */
export function applies({ match, effect }: Rule, occasion: Occasion): boolean {
  if (targetOf(effect) !== occasion.target) return false;
  const { operationId, webhookType, accountId, currency, paymentRail } = match;
  if ((operationId ?? occasion.name) !== occasion.name && occasion.target === 'operation') return false;
  if ((webhookType ?? occasion.name) !== occasion.name && occasion.target === 'webhook') return false;
  const wanted = [accountId, currency, paymentRail].filter((one) => one !== undefined);
  return wanted.every((value) => occasion.about.some((one) => mentions(one, value)));
}

/** Whether the share of a rule takes in its n-th occasion. */
export function isInShare({ id, match: { percent } }: Fault, n: number): boolean {
  if (percent === undefined) return true;
  return Number.parseInt(derivedUuid('fault', id, String(n)).slice(0, 8), 16) / 2 ** 32 < percent / 100;
}

/** Deeper than anything that a request or an object has. */
const depthMax = 8;

/** Whether a text is among the values of an object. */
export function mentions(value: unknown, text: string, depth = 0): boolean {
  if (typeof value === 'string') return value === text;
  if (typeof value !== 'object' || value === null || depth >= depthMax) return false;
  if (value instanceof Map) return false;
  return Object.values(value).some((one) => mentions(one, text, depth + 1));
}
