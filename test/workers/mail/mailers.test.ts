import { randomUUID } from 'node:crypto';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type Mailer, smtpMailer } from '../../../src/workers/mail/smtp.ts';
import { randomFrom } from '../../simulation/random.ts';
import { beginProcess, runAs } from '../../simulation/whole/engine/process.ts';
import { promptTurns } from '../../simulation/whole/engine/prompt.ts';
import type { Fault, Faults } from '../../simulation/whole/faults.ts';
import { routeConnections } from '../../simulation/whole/ports/elsewhere/route.ts';
import { smtpServer } from '../../simulation/whole/ports/elsewhere/smtp-server.ts';
import { openMailServer } from '../../simulation/whole/ports/mails.ts';
import { type ReceivedMail, startMailServer } from '../../support/servers/mail-server.ts';
import { type Arrived, mailerContract, mailTo } from './mailer-contract.ts';

function partsOf({ from, to, source }: ReceivedMail): Arrived {
  const header = (name: string) => new RegExp(`^${name}: (.*?)\\r?$`, 'im').exec(source)?.[1];
  return {
    id: /^<(.*)@/.exec(header('Message-ID') ?? '')?.[1] ?? '',
    from,
    to: to.join(),
    replyTo: header('Reply-To'),
    subject: header('Subject') ?? '',
    text: source,
  };
}

describe('mails by SMTP', () => {
  mailerContract(async () => {
    const server = await startMailServer();
    const mailer = smtpMailer({ url: server.url, encryptedOnly: false });
    return {
      mailer,
      arrived: () => server.mails.map(partsOf),
      refuse(refuses) {
        server.refuse = refuses;
      },
      fail: server.stop,
      async close() {
        mailer.close();
        await server.stop();
      },
    };
  });
});

it('what is given up by SMTP does not arrive later', async () => {
  const server = await startMailServer();
  onTestFinished(server.stop);
  const mailer = smtpMailer({ url: server.url, encryptedOnly: false });
  const given = new AbortController();
  const { promise: isReady, resolve: goOn } = Promise.withResolvers<void>();
  server.ready = (to) => {
    if (to === 'ada@example.com') given.abort();
    return to === 'ada@example.com' ? isReady : Promise.resolve();
  };
  await expect(mailer.send(randomUUID(), mailTo('ada@example.com'), given)).rejects.toMatchObject({
    code: 'EABORT',
  });
  goOn();
  await mailer.send(randomUUID(), mailTo('grace@example.com'), new AbortController());
  expect(server.mails.map(({ to }) => to)).toEqual([['grace@example.com']]);
});

it('what is to be encrypted does not leave where the server offers no encryption, unless its address says so', async () => {
  const server = await startMailServer();
  onTestFinished(server.stop);
  const send = (url: string) =>
    smtpMailer({ url, encryptedOnly: true }).send(
      randomUUID(),
      mailTo('ada@example.com'),
      new AbortController(),
    );
  await expect(send(server.url)).rejects.toMatchObject({ command: 'STARTTLS' });
  expect(server.mails).toEqual([]);
  await send(`${server.url}/?requireTLS=false`);
  expect(server.mails).toHaveLength(1);
});

/** As in lives in which everything has its turn at once. */
function simulated(wayOf?: (faults: Pick<Faults, 'strikes'>) => ReturnType<typeof smtpServer>) {
  const struck = new Set<Fault>();
  const faults = { strikes: (fault: Fault) => struck.has(fault) };
  const server = openMailServer({
    turns: promptTurns,
    faults,
    outboxOf: async () => ({ logEnd: 0n, mac: null, isThere: true, isReleased: true, isRecorded: false }),
    wayOf: wayOf?.(faults),
  });
  const { end } = routeConnections({ turns: promptTurns, places: server.places });
  const { process } = beginProcess('one');
  const { send, close } = server.mailerOf(process);
  return {
    mailer: { send: (...mail: Parameters<Mailer['send']>) => runAs(process, () => send(...mail)), close },
    struck,
    arrived: () =>
      server.posted.map(({ id, mail: { from, to, replyTo, subject, text } }) => ({
        ...{ id, to, replyTo, subject, text },
        from: from.address,
      })),
    refuse: (refuses: boolean) => void (refuses ? struck.add('mail server refuses it') : struck.clear()),
    close: end,
  };
}

describe('mails of the simulation', () => {
  mailerContract(async () => {
    const { struck, ...opened } = simulated();
    return { ...opened, fail: () => void struck.add('mail server gives no answer before it took it') };
  });
});

describe('mails by SMTP in the simulation', () => {
  const changed = (original: Mailer) => original;
  mailerContract(async () => {
    const { struck, ...opened } = simulated((faults) =>
      smtpServer({ faults, random: randomFrom(1), changed }),
    );
    return { ...opened, fail: () => void struck.add('mail server is not there') };
  });
});
