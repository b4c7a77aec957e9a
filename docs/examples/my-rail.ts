/**
 * A rail as a module: payments wait as files in a folder until somebody, here a person, says how they ended. Start with
 * DAYBOOK_RAIL=./docs/examples/my-rail.ts; docs/how-to/connect-a-rail.md tells the rest.
 *
 *   payments/ID.json     what was taken, or withdrawn before it came
 *   endings/ID.json      written by whoever carries the payments: {"status": "settled"}
 *   statement/ID.json    money that came in: {"minor": "10000", "currency": "EUR", "text": "DB-…"}
 *   booked/ID.json       what of it is in the books
 *   refused/ID.json      what is not: somebody finds out whose it is, and moves it back with another text
 */
import { randomUUID } from 'node:crypto';
import { link, mkdir, readdir, readFile, rename, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Ending, RailPayment, RailStatus } from '../../src/domain/ports/payment-rail.ts';
import { defineRail } from '../../src/domain/ports/rail-module.ts';

export default defineRail(async ({ directory, reports, settings, now, log }) => {
  const lookEveryMs = Number(settings.LOOK_EVERY_MS ?? 1_000);
  const folder = (name: string) => join(directory, name);
  for (const name of ['payments', 'endings', 'statement', 'booked', 'refused'])
    await mkdir(folder(name), { recursive: true, mode: 0o700 });

  const fileOf = (name: string, paymentId: string) =>
    join(folder(name), `${paymentId.replace('Transaction:', '')}.json`);

  const read = async (path: string) => {
    const text = await readFile(path, 'utf8').catch(() => undefined);
    return text === undefined ? undefined : JSON.parse(text);
  };

  /** The first who writes wins: a payment is taken or withdrawn, and never both. */
  const keep = async (path: string, content: object) => {
    const whole = `${path}.${randomUUID()}`;
    await writeFile(whole, JSON.stringify(content), { mode: 0o600, flush: true });
    await link(whole, path).catch((error) => {
      if (error.code !== 'EEXIST') throw error;
    });
    await unlink(whole);
  };

  const statusOf = async ({ paymentId }: RailPayment): Promise<RailStatus> => {
    const known = await read(fileOf('payments', paymentId));
    if (!known) return { status: 'unknown' };
    if (known.withdrawn) return { status: 'failed', reason: 'OFFRAMP_FAILED', refundFails: false };
    const ending: Ending | undefined = await read(fileOf('endings', paymentId));
    return ending ?? { status: 'accepted', reference: known.reference, underway: true };
  };

  /** Does the work with every file. One that cannot be done now, or is not whole yet, holds up no other. */
  const each = async (part: string, work: (name: string) => Promise<void>) => {
    for (const name of (await readdir(folder(part))).filter((one) => one.endsWith('.json')))
      await work(name).catch((err) => log.error({ err, part }, 'a file could not be done'));
  };

  return {
    statusOf,

    async submit(payment) {
      const { paymentId, reference, amount, kind } = payment;
      const content = { reference, kind, minor: amount.minor.toString(), currency: amount.currency };
      await keep(fileOf('payments', paymentId), content);
      const status = await statusOf(payment);
      if (status.status === 'unknown') throw new Error('a payment that was kept is not there');
      return status.status === 'accepted' ? status : { status: 'ended', ending: status };
    },

    async withdraw(payment) {
      await keep(fileOf('payments', payment.paymentId), { withdrawn: now().toISOString() });
      const known = await read(fileOf('payments', payment.paymentId));
      return known.withdrawn ? { status: 'unknown' } : statusOf(payment);
    },

    receiverAt: () => undefined,
    checkName: async () => undefined,

    async watch(signal) {
      while (!signal.aborted) {
        await each('endings', async (name) => {
          const ending = await read(join(folder('endings'), name));
          await reports.ended(`Transaction:${name.replace('.json', '')}`, ending);
        });
        await each('statement', async (name) => {
          const { minor, currency, text } = await read(join(folder('statement'), name));
          const amount = { minor: BigInt(minor), currency };
          const arrival = await reports.arrived({ bankReference: name, amount, named: [text] });
          log.info({ status: arrival.status }, 'money arrived');
          const isBooked = arrival.status === 'credited' || arrival.status === 'known';
          await rename(join(folder('statement'), name), join(folder(isBooked ? 'booked' : 'refused'), name));
        });
        await sleep(lookEveryMs, undefined, { signal }).catch(() => undefined);
      }
    },
  };
});
