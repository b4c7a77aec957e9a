/** The operator's mail server: what it was given to send, by whichever process. */
import type { Mail } from '../../../../src/use-cases/wallets/codes/mail.ts';
import type { Mailer } from '../../../../src/workers/mail/smtp.ts';
import { codeIn } from '../../../support/servers/mail-server.ts';
import type { SimulatedProcess } from '../engine/process.ts';
import type { Turns } from '../engine/turns.ts';
import type { Faults } from '../faults.ts';
import type { Places } from './elsewhere/route.ts';
import { questionsTo } from './questions.ts';

/** What the service had of a mail when it was given to the server, and how far the log went. */
export type Outbox = {
  readonly logEnd: bigint;
  /** Of its code; nothing where that is forgotten. */
  readonly mac: string | null;
  /** A way back takes mails that are on their way. */
  readonly isThere: boolean;
  readonly isReleased: boolean;
  readonly isRecorded: boolean;
};
export type Posted = Outbox & { readonly id: string; readonly mail: Mail };

/** The code that a mail brings. */
export const codeOf = ({ mail }: Pick<Posted, 'mail'>): string => codeIn(mail.text);

type Deps = {
  readonly turns: Pick<Turns, 'wait'>;
  readonly faults: Pick<Faults, 'strikes'>;
  readonly outboxOf: (id: string) => Promise<Outbox>;
  /** In the process itself where it is not said. */
  readonly wayOf?: ((counter: Counter) => MailWay) | undefined;
};

/** It says that it may take the mail later. */
const later = 451;
const refusal = (responseCode: number) => Object.assign(new Error('it was refused'), { responseCode });

/** Where mails are taken. */
export type Counter = {
  /** Returns the status with which the mail is refused, if it is. */
  readonly take: (id: string, mail: Mail, outbox: Outbox) => number | undefined;
  /** On its way there and back all goes wrong that can. */
  readonly question: ReturnType<typeof questionsTo<Outbox>>;
};
/** How processes come to the mail server. */
export type MailWay = {
  /** Where it is, if it is asked over a network; nothing otherwise. */
  readonly places: Places;
  readonly of: (process: SimulatedProcess) => Mailer;
};

/** At the port of the service. */
const inTheProcess = ({ take, question }: Counter): MailWay => ({
  places: new Map(),
  of: (process) => ({
    async send(id, mail) {
      const ask = (outbox: Outbox) => take(id, mail, outbox);
      const refused = await question({ process, ask, named: id });
      if (refused !== undefined) throw refusal(refused);
    },
    close: () => undefined,
  }),
});

export function openMailServer({ turns, faults, outboxOf, wayOf = inTheProcess }: Deps) {
  const posted: Posted[] = [];
  const question = questionsTo('mail server', { turns, faults, look: outboxOf });
  const take: Counter['take'] = (id, mail, outbox) => {
    if (faults.strikes('mail server refuses it')) return later;
    posted.push({ ...outbox, id, mail: structuredClone(mail) });
    return undefined;
  };
  const way = wayOf({ take, question });
  return {
    /** In the order in which they were taken. */
    posted: posted as readonly Posted[],
    /** The way there of one process. */
    mailerOf: way.of,
    places: way.places,
  };
}
