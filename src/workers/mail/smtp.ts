/** Mails out of the house, by SMTP. */
import type { Mail } from '../../use-cases/wallets/codes/mail.ts';

export type Mailer = {
  /** Throws when the server did not take it. `id` is the same for each try, so that a receiver can tell. */
  readonly send: (id: string, mail: Mail) => Promise<void>;
  readonly close: () => void;
};

const connectMs = 10_000;

export function smtpMailer(url: string): Mailer {
  const options = {
    url,
    connectionTimeout: connectMs,
    greetingTimeout: connectMs,
    socketTimeout: connectMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  };
  // Loaded where mails leave by SMTP only.
  const opened = import('nodemailer').then(({ createTransport }) => createTransport(options));
  return {
    async send(id, { from, to, replyTo, subject, text, html }) {
      const domain = from.address.split('@').at(-1) ?? 'localhost';
      const transport = await opened;
      await transport.sendMail({
        messageId: `<${id}@${domain}>`,
        from,
        to,
        subject,
        text,
        ...(replyTo !== undefined && { replyTo }),
        ...(html !== undefined && { html }),
      });
    },
    close: () => void opened.then((transport) => transport.close()),
  };
}
