/** A mail server in the test: takes what it is sent, or refuses while it is told to. */
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';

export type ReceivedMail = { readonly from: string; readonly to: readonly string[]; readonly source: string };
export type MailServer = {
  readonly url: string;
  readonly mails: readonly ReceivedMail[];
  /** While true, every mail is turned away for now. */
  refuse: boolean;
  /** While true, it takes mails and never says so. */
  hang: boolean;
  readonly hanging: () => number;
  /** It takes nobody's mail before; it is told of each that asks. */
  ready: ((to: string) => Promise<void>) | undefined;
  /** How many it has turned away. */
  readonly refused: () => number;
  readonly stop: () => Promise<void>;
};

export async function startMailServer(): Promise<MailServer> {
  const mails: ReceivedMail[] = [];
  const state: Pick<MailServer, 'refuse' | 'hang' | 'ready'> = {
    refuse: false,
    hang: false,
    ready: undefined,
  };
  let hanging = 0;
  let refused = 0;
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onRcptTo({ address }, _, callback) {
      Promise.resolve(state.ready?.(address)).then(() => callback());
    },
    onData(stream, session, callback) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        if (state.hang) {
          hanging++;
          return;
        }
        if (state.refuse) refused++;
        if (state.refuse) {
          callback(Object.assign(new Error('later'), { responseCode: 451 }));
          return;
        }
        const { mailFrom, rcptTo } = session.envelope;
        mails.push({
          from: mailFrom ? mailFrom.address : '',
          to: rcptTo.map(({ address }) => address),
          source: Buffer.concat(chunks).toString(),
        });
        callback();
      });
    },
  });
  server.listen(0, '127.0.0.1');
  await once(server.server, 'listening');
  const { port } = server.server.address() as AddressInfo;
  return Object.assign(state, {
    url: `smtp://127.0.0.1:${port}`,
    mails,
    refused: () => refused,
    hanging: () => hanging,
    stop: () => new Promise<void>((done) => server.close(done)),
  });
}

/** The code in a mail. */
export const codeIn = (text: string): string => /is ([0-9A-Z]{4,12})\./.exec(text)?.[1] ?? '';
