/** What is true of every way to a mail server: by SMTP, and the one of the simulation. */
import { randomUUID } from 'node:crypto';
import { beforeEach, expect, it, onTestFinished } from 'vitest';
import type { Mail } from '../../../src/use-cases/wallets/codes/mail.ts';
import type { Mailer } from '../../../src/workers/mail/smtp.ts';
import { eventually } from '../../support/resources/flows.ts';
import { patienceMs } from '../../support/time/patience.ts';

/** The parts of a mail as its server has them. */
export type Arrived = {
  readonly id: string;
  readonly from: string;
  readonly to: string;
  readonly replyTo: string | undefined;
  readonly subject: string;
  readonly text: string;
};
export type OpenedMailer = {
  readonly mailer: Mailer;
  readonly arrived: () => readonly Arrived[];
  /** From now on the server turns every mail away for a while, or takes them again. */
  readonly refuse: (refuses: boolean) => void;
  /** From now on nobody answers there. */
  readonly fail: () => Promise<void> | void;
  readonly close: () => Promise<void> | void;
};

export const mailTo = (to: string): Mail => ({
  from: { name: 'Purse', address: 'no-reply@purse.example' },
  to,
  replyTo: 'help@purse.example',
  subject: 'Your code for Purse',
  text: `Your code is 4711. It is for ${to}.\n`,
  html: '<p>Your code is 4711.</p>',
});

export function mailerContract(open: () => Promise<OpenedMailer>): void {
  let opened: OpenedMailer;
  beforeEach(async () => {
    const own = await open();
    opened = own;
    onTestFinished(async () => own.close());
  });
  const send = (mail: Mail, id: string = randomUUID()) =>
    opened.mailer.send(id, mail, { signal: AbortSignal.timeout(patienceMs) });
  const untilArrived = (count: number) =>
    eventually(
      async () => opened.arrived(),
      (all) => all.length >= count,
    );

  it('has what it was given arrive once, with all its parts', async () => {
    const id = randomUUID();
    await send(mailTo('ada@example.com'), id);
    expect(await untilArrived(1)).toEqual([
      {
        id,
        from: 'no-reply@purse.example',
        to: 'ada@example.com',
        replyTo: 'help@purse.example',
        subject: 'Your code for Purse',
        text: expect.stringContaining('It is for ada@example.com.'),
      },
    ]);
  });

  it('needs neither an address for answers nor a page', async () => {
    const { replyTo: _, html: __, ...mail } = mailTo('ada@example.com');
    await send(mail);
    expect((await untilArrived(1))[0]?.replyTo).toBeUndefined();
  });

  it('gives each of several mails at a time to its own receiver', async () => {
    const receivers = ['ada@example.com', 'grace@example.com', 'joan@example.com'];
    await Promise.all(receivers.map((to) => send(mailTo(to))));
    const arrived = await untilArrived(receivers.length);
    expect(arrived.map(({ to }) => to).toSorted()).toEqual(receivers);
    for (const { to, text } of arrived) expect(text).toContain(`It is for ${to}.`);
  });

  it('tells who tries again under the same id', async () => {
    const id = randomUUID();
    for (const _ of [1, 2]) await send(mailTo('ada@example.com'), id);
    expect((await untilArrived(2)).map((mail) => mail.id)).toEqual([id, id]);
  });

  it('throws what the server says where that refuses a mail, which has not arrived then', async () => {
    opened.refuse(true);
    await expect(send(mailTo('ada@example.com'))).rejects.toMatchObject({ responseCode: 451 });
    expect(opened.arrived()).toEqual([]);
    opened.refuse(false);
    await send(mailTo('ada@example.com'));
    await untilArrived(1);
  });

  it('throws where nobody answers', async () => {
    await opened.fail();
    await expect(send(mailTo('ada@example.com'))).rejects.toThrow();
  });
}
