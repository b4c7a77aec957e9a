/** Mails out of the house, by SMTP. */
import type { Asked } from '../../domain/ports/payment-rail.ts';
import type { Mail } from '../../use-cases/wallets/codes/mail.ts';

export type Mailer = {
  /**
   * Throws when the server did not take it, and when the signal ends the try. `id` is the same for each, so that a receiver
   * can tell.
   */
  readonly send: (id: string, mail: Mail, asked: Asked) => Promise<void>;
  readonly close: () => void;
};

const connectMs = 10_000;

export type SmtpSettings = {
  /** What its query says of the connection goes before the rest. */
  readonly url: string;
  /** A server that offers no encryption, or is kept from offering it, gets neither a password nor a mail. */
  readonly encryptedOnly: boolean;
};

export function smtpMailer({ url, encryptedOnly }: SmtpSettings): Mailer {
  const options = {
    url,
    requireTLS: encryptedOnly,
    connectionTimeout: connectMs,
    greetingTimeout: connectMs,
    socketTimeout: connectMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  };
  // Loaded where mails leave by SMTP only.
  const opened = import('nodemailer').then(({ createTransport }) => createTransport(options));
  return {
    async send(id, { from, to, replyTo, subject, text, html }, { signal }) {
      const domain = from.address.split('@').at(-1) ?? 'localhost';
      const transport = await opened;
      await transport.sendMail({
        messageId: `<${id}@${domain}>`,
        from,
        to,
        subject,
        text,
        signal,
        ...(replyTo !== undefined && { replyTo }),
        ...(html !== undefined && { html }),
      });
    },
    close: () => void opened.then((transport) => transport.close()),
  };
}
