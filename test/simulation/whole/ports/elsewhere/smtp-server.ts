/** The mail server as the operator's: Daybook speaks SMTP with it. */
import 'nodemailer';
import { SMTPServer } from 'smtp-server';
import { type Mailer, smtpMailer } from '../../../../../src/workers/mail/smtp.ts';
import { mailIn } from '../../../../support/servers/mail-source.ts';
import type { Random } from '../../../random.ts';
import type { Faults } from '../../faults.ts';
import type { Counter, MailWay, Outbox } from '../mails.ts';
import { mailAddress } from './addresses.ts';
import type { End } from './connection.ts';

const url = `smtp://${mailAddress}:25`;
/** What is slow takes so long for each answer: about as long as whoever asks waits. */
const slowMs = { least: 6_000, more: 5_000 };

/** By which a server says that it closes the connection. */
const serviceEnds = 421;
const refusal = (responseCode: number) => Object.assign(new Error('no'), { responseCode });

type Deps = {
  readonly faults: Pick<Faults, 'strikes'>;
  readonly random: Random;
  /** In place of the connector of a process. */
  readonly changed: (original: Mailer) => Mailer;
};

export const smtpServer =
  ({ faults, random, changed }: Deps) =>
  ({ take, question }: Counter): MailWay => {
    const ends = new Map<number, End>();
    const slow = new Set<number>();
    /** Goes on now, or a while later. */
    const goOn = (remotePort: number, work: () => void): void => {
      if (slow.has(remotePort)) setTimeout(work, slowMs.least + random.below(slowMs.more));
      else work();
    };
    const server = new SMTPServer({
      authOptional: true,
      disabledCommands: ['AUTH', 'STARTTLS'],
      disableReverseLookup: true,
      logger: false,
      onConnect({ remotePort }, callback) {
        if (faults.strikes('mail server is slow')) slow.add(remotePort);
        if (!faults.strikes('mail server does not greet')) goOn(remotePort, callback);
      },
      onMailFrom(_, { remotePort }, callback) {
        if (faults.strikes('mail server ends the connection')) ends.get(remotePort)?.destroy();
        else goOn(remotePort, callback);
      },
      onRcptTo(_, { remotePort }, callback) {
        const isRefused = faults.strikes('mail server refuses the receiver');
        goOn(remotePort, () => callback(isRefused ? refusal(450) : null));
      },
      onData(stream, { remotePort, envelope }, callback) {
        const end = ends.get(remotePort);
        const chunks: Buffer[] = [];
        stream.on('data', (chunk: Buffer) => chunks.push(chunk));
        stream.once('end', () => {
          const { id, ...mail } = mailIn(Buffer.concat(chunks).toString());
          const to = envelope.rcptTo.map(({ address }) => address).join();
          const refused = faults.strikes('mail server refuses it for good') ? 550 : undefined;
          if (!end) return;
          // Nobody waits any more for what would become of it, where the connection has ended.
          const ask = (outbox: Outbox) =>
            end.destroyed ? serviceEnds : (refused ?? take(id, { ...mail, to }, outbox));
          goOn(
            remotePort,
            () =>
              void question({ process: end.process, ask, named: id }).then(
                (status) => callback(status === undefined ? null : refusal(status)),
                () => end.reset(),
              ),
          );
        });
      },
    });
    // Whose connection breaks off is told so.
    server.on('error', () => undefined);
    return {
      places: new Map([
        [
          mailAddress,
          {
            isThere: () => !faults.strikes('mail server is not there'),
            accept(theirs: End) {
              ends.set(theirs.remotePort, theirs);
              // biome-ignore lint/suspicious/noExplicitAny: what it asks of a socket, it has
              server.connect(theirs as any, {});
            },
          },
        ],
      ]),
      of: () => changed(smtpMailer({ url, encryptedOnly: false })),
    };
  };
