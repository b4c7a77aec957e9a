/** Mails as a port: written with the event that they are about, and sent once the log has it. */
import type { Environment } from '../../../domain/platforms/events.ts';

/** An address with the name that stands before it. */
export type Mailbox = { readonly name: string; readonly address: string };

export type Mail = {
  readonly from: Mailbox;
  readonly to: string;
  readonly replyTo?: string | undefined;
  readonly subject: string;
  readonly text: string;
  readonly html?: string | undefined;
};

export type NewEmail = {
  readonly id: string;
  readonly platformId: string;
  readonly environment: Environment;
  readonly mail: Mail;
  readonly expiresAt: Date;
};

export type MailOutbox = {
  /** Whether a platform of this environment has a way to get mails to people. */
  readonly canReach: (environment: Environment) => boolean;
  readonly write: (email: NewEmail) => Promise<void>;
  /** Takes back what was written for an event that did not come. */
  readonly discard: (id: string) => Promise<void>;
};
