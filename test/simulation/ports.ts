/** The ports of one process: every call waits for its turn, may fail, and may be the last that the process makes. */
import type { PaymentRail } from '../../src/domain/ports/payment-rail.ts';
import { StoreAway } from '../../src/infrastructure/away.ts';
import { type EventStore, WrongRevision } from '../../src/infrastructure/event-store/event-store.ts';
import type { Fault, Faults } from './faults.ts';
import type { Schedule } from './schedule.ts';

/** The process is gone. */
export class Crash extends Error {
  override name = 'Crash';
}

/** While the disk is full so many appends are refused. */
const refusedByFullDisk = 8;

/** The disk of the log, which all processes share. */
export type Disk = { refuses: number };

export type Ports = {
  readonly store: EventStore;
  readonly rail: PaymentRail;
  readonly isAlive: () => boolean;
  readonly turn: Schedule['turn'];
};

type Deps = {
  readonly log: EventStore;
  readonly rail: PaymentRail;
  readonly disk: Disk;
  readonly faults: Faults;
  readonly schedule: Schedule;
};

export function portsOf({ log, rail, disk, faults, schedule }: Deps): Ports {
  let isAlive = true;
  /** A process that is gone makes no call any more, whatever of it was still under way. */
  const live = () => {
    if (!isAlive) throw new Crash();
  };
  const crashAt = (fault: Fault) => {
    if (faults.strikes(fault)) isAlive = false;
    live();
  };
  const turn = async () => {
    live();
    await schedule.turn();
    live();
  };
  const timeOutAt = (fault: Fault) => {
    if (faults.strikes(fault)) throw new StoreAway(fault);
  };
  const requireSpace = () => {
    if (faults.strikes('full disk')) disk.refuses = refusedByFullDisk;
    if (disk.refuses === 0) return;
    disk.refuses -= 1;
    throw new StoreAway('full disk');
  };

  const store: EventStore = {
    ...log,
    async append(stream, expected, events, proviso) {
      await turn();
      crashAt('crash before an append');
      timeOutAt('time-out before the commit');
      requireSpace();
      if (faults.strikes('conflict without a cause')) throw new WrongRevision(stream, expected, expected);
      const appended = await log.append(stream, expected, events, proviso);
      await turn();
      crashAt('crash after an append');
      timeOutAt('time-out after the commit');
      return appended;
    },
    async read(stream, from, most) {
      await turn();
      crashAt('crash before a read');
      timeOutAt('time-out of a read');
      const events = await log.read(stream, from, most);
      await turn();
      return events;
    },
  };

  /** One question to the rail, as it goes through the network. */
  const asked = async <Answer>(ask: () => Promise<Answer>): Promise<Answer> => {
    await turn();
    crashAt('crash before the rail');
    if (faults.strikes('time-out before the rail took it')) throw new Error('no answer');
    if (faults.strikes('rail asked twice')) await ask();
    const answer = await ask();
    await turn();
    crashAt('crash after the rail');
    if (faults.strikes('time-out after the rail took it')) throw new Error('no answer');
    return answer;
  };
  const endangered: PaymentRail = {
    ...rail,
    submit: (payment, options) => asked(() => rail.submit(payment, options)),
    withdraw: (payment, options) => asked(() => rail.withdraw(payment, options)),
    statusOf: (payment, options) => asked(() => rail.statusOf(payment, options)),
  };
  return { store, rail: endangered, isAlive: () => isAlive, turn };
}
