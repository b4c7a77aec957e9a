import type { Generated } from 'kysely';

export type ParkedWorkTable = {
  /** A read model, the outbox, or the reactions. */
  consumer: string;
  stream: string;
  /** Of the event in its stream. */
  revision: number;
  /** Of the event in the log. */
  position: bigint;
  event_id: string;
  type: string;
  error: string;
  attempts: Generated<number>;
  parked_at: Generated<Date>;
  next_try_at: Date;
};
