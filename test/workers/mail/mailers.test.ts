import { randomUUID } from 'node:crypto';
import { describe, expect, it, onTestFinished } from 'vitest';
import { smtpMailer } from '../../../src/workers/mail/smtp.ts';
import { beginProcess } from '../../simulation/whole/engine/process.ts';
import type { Fault } from '../../simulation/whole/faults.ts';
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
    const mailer = smtpMailer(server.url);
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
  const mailer = smtpMailer(server.url);
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

describe('mails of the simulation', () => {
  mailerContract(async () => {
    const struck = new Set<Fault>();
    const server = openMailServer({
      turns: { wait: (_, go) => void go() },
      faults: { strikes: (fault) => struck.has(fault) },
      outboxOf: async () => ({ logEnd: 0n, mac: null, isReleased: true, isRecorded: false }),
    });
    return {
      mailer: server.mailerOf(beginProcess('one').process),
      arrived: () =>
        server.posted.map(({ id, mail: { from, to, replyTo, subject, text } }) => ({
          ...{ id, to, replyTo, subject, text },
          from: from.address,
        })),
      refuse: (refuses) => void (refuses ? struck.add('mail server refuses it') : struck.clear()),
      fail: () => void struck.add('mail server gives no answer before it took it'),
      close: () => undefined,
    };
  });
});
