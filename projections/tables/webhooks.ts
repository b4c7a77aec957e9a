import type { Generated, Selectable } from 'kysely';
import type { PlatformId, WebhookId } from '../../src/kernel/ids.ts';
/** Where each platform's webhooks go. */
export type WebhookEndpointsTable = {
  platform_id: PlatformId;
  environment: 'sandbox' | 'production';
  /** Null while the platform has none. */
  url: string | null;
};

/** Where a platform has taken no webhooks for a moment: none that began before is sent any more. */
export type WebhookCutoffsTable = {
  platform_id: PlatformId;
  /** Of the event that switched the endpoint off last, and its time. */
  position: bigint;
  at: Date;
};

export type WebhookCutoff = Selectable<WebhookCutoffsTable>;

export const webhookStates = ['PENDING', 'DELIVERED', 'FAILED', 'CANCELLED'] as const;

export type WebhookState = (typeof webhookStates)[number];

export type WebhookEventsTable = {
  id: WebhookId;
  platform_id: PlatformId;
  type: string;
  /** What the event is about: the events of one object are delivered one after the other. */
  object_id: string;
  /** Order: the position of the event in the log, then the place among all that is told of it. */
  position: bigint;
  n: number;
  /** The exact text of `data` in the envelope. */
  body: string;
  state: WebhookState;
  /** Calls begun, over all deliveries of the event. */
  attempts: number;
  /** Failed calls of the current delivery, and when that delivery began. */
  retries: number;
  retrying_since: Date;
  /** Null while an older event of the same object is pending. */
  next_attempt_at: Date | null;
  /** A worker is at it until then, or until its session ends. */
  locked_until: Date | null;
  claimed_by: number | null;
  /** Somebody has asked for it to be sent again; how far the read models had come then. */
  redelivery: boolean;
  asked_position: bigint | null;
  /** By the installation's time; null where a former version has written it. */
  told_at: Generated<Date | null>;
  /** By the platform's time, as what follows. */
  created_at: Date;
  updated_at: Date;
  delivered_at: Date | null;
};

export type WebhookEventRow = Selectable<WebhookEventsTable>;

export type WebhookAttemptsTable = {
  event_id: WebhookId;
  n: number;
  at: Date;
  url: string;
  status: number | null;
  latency_ms: number;
  /** The beginning of the answer's body. */
  excerpt: string | null;
  error: string | null;
};

export type WebhookAttemptRow = Selectable<WebhookAttemptsTable>;
