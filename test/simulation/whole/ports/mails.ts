/** The operator's mail server: what it was given to send, by whichever process. */
import type { Mail } from '../../../../src/use-cases/wallets/codes/mail.ts';
import type { Mailer } from '../../../../src/workers/mail/smtp.ts';
import { codeIn } from '../../../support/servers/mail-server.ts';
import type { SimulatedProcess } from '../engine/process.ts';
import type { Turns } from '../engine/turns.ts';
import type { Faults } from '../faults.ts';
import { questionsTo } from './questions.ts';

/** What the service had of a mail when it was given to the server, and how far the log went. */
export type Outbox = {
  readonly logEnd: bigint;
  /** Of its code; nothing where that is forgotten. */
  readonly mac: string | null;
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
};

/** It says that it may take the mail later. */
const refusal = () => Object.assign(new Error('try again later'), { responseCode: 451 });

export function openMailServer({ turns, faults, outboxOf }: Deps) {
  const posted: Posted[] = [];
  const question = questionsTo('mail server', { turns, faults, look: outboxOf });
  const take = (id: string, mail: Mail, outbox: Outbox): boolean => {
    if (faults.strikes('mail server refuses it')) return false;
    posted.push({ ...outbox, id, mail: structuredClone(mail) });
    return true;
  };
  return {
    /** In the order in which they were taken. */
    posted: posted as readonly Posted[],
    /** The way there of one process. */
    mailerOf: (process: SimulatedProcess): Mailer => ({
      async send(id, mail) {
        const ask = (outbox: Outbox) => take(id, mail, outbox);
        if (!(await question({ process, ask, named: id }))) throw refusal();
      },
      close: () => undefined,
    }),
  };
}
