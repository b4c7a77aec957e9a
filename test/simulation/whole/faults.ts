/** What goes wrong around whole processes, by name, so that a life can be lived without some of it. */
import type { Random } from '../random.ts';

/** How often each happens where it can, wherever the log is. */
const usual = {
  'crash before a statement': 0.0005,
  'crash after a statement': 0.0005,
  'connection lost before a statement': 0.0006,
  'connection lost after a statement': 0.0006,
  'full disk': 0.001,
  'statement late by seconds': 0.001,
  'answer of a statement late': 0.01,
  'answer of an append late': 0.2,
  'append under a key stands still': 0.02,
  'append under a key comes late': 0.02,
  'process cut off for seconds': 0.0007,
  'notification lost': 0.1,
  'notification late': 0.2,
  'job lost': 0.2,
  'job twice': 0.1,
  'job late': 0.2,
  'queue lost': 0.0005,
  'request twice at once': 0.25,
  'request lost': 0.03,
  'answer lost': 0.08,
  'receiver hangs': 0.03,
  'receiver gives no answer before it took it': 0.02,
  'receiver gives no answer after it took it': 0.05,
  'receiver asked twice': 0.03,
  'receiver takes it and answers 500': 0.08,
  'receiver is gone for good': 0.015,
  'rail hangs': 0.05,
  'rail gives no answer before it took it': 0.04,
  'rail gives no answer after it took it': 0.08,
  'rail asked twice': 0.05,
  'screening hangs': 0.25,
  'screening gives no answer before it took it': 0.2,
  'screening gives no answer after it took it': 0.2,
  'screening asked twice': 0.35,
  'mail server hangs': 0.12,
  'mail server gives no answer before it took it': 0.2,
  'mail server gives no answer after it took it': 0.3,
  'mail server asked twice': 0.2,
  'mail server refuses it': 0.15,
  'verdict told twice': 0.9,
  'other verdict told as well': 0.7,
  'crash before a file is touched': 0.002,
  'full disk of files': 0.03,
  'file of the bank late': 0.2,
  'file of the bank twice': 0.2,
  'file of the bank in two parts': 0.2,
  'time passes while calls wait': 0.02,
  'clock ahead': 0.002,
  "database server's clock jumps": 0.0003,
} as const;

/** And to calls of a server that has the log alone. */
const ofLogServer = {
  'crash before a call of the log': 0.001,
  'crash after a call of the log': 0.001,
  'log is silent before it took it': 0.001,
  'log is silent after it took it': 0.002,
  'log is away before it took it': 0.002,
  'log is away after it took it': 0.003,
  'log takes a repeat for a conflict': 0.5,
  'log does not say where it took it': 0.02,
  'log late by seconds': 0.002,
  'log ends a subscription': 0.004,
} as const;

/** And between the processes and those who are asked over a network. */
const ofNetwork = {
  'screening is not there': 0.1,
  'screening answers 500': 0.15,
  'screening answers 429': 0.1,
  'screening answers what nobody can read': 0.15,
  'screening sends on to elsewhere': 0.1,
  'answer of the screening breaks off': 0.1,
  'answer of the screening comes in parts': 0.2,
  'verdict that the screening has not signed': 0.5,
  'verdict that nobody can read': 0.3,
  'rail is not there': 0.04,
  'rail answers 500': 0.04,
  'rail answers 429': 0.03,
  'rail answers what nobody can read': 0.05,
  'rail sends on to elsewhere': 0.03,
  'answer of the rail breaks off': 0.04,
  'answer of the rail comes in parts': 0.08,
  'event that the rail has not signed': 0.3,
  'event that nobody can read': 0.1,
  'event told twice': 0.3,
  'news of a payment': 0.3,
  'mail server is not there': 0.1,
  'mail server does not greet': 0.05,
  'mail server is slow': 0.12,
  'mail server refuses the receiver': 0.1,
  'mail server refuses it for good': 0.1,
  'mail server ends the connection': 0.04,
} as const;

const chances = { ...usual, ...ofLogServer, ...ofNetwork };

export type LogFault = keyof typeof ofLogServer;
export type Fault = keyof typeof chances;
const named = (of: object) => Object.keys(of) as readonly Fault[];
/** Where the log is in Postgres, and all else at the ports of the service. */
export const usualFaults = named(usual);
/** Where a server has the log alone, as well. */
export const logFaults = named(ofLogServer);
/** Where the screening, the mail server and the rail are asked over a network. */
export const networkFaults = named(ofNetwork);
export const allFaults = named(chances);

export type Faults = {
  /** Whether it happens now. */
  readonly strikes: (fault: Fault) => boolean;
  /** From here on nothing happens any more. */
  readonly stop: () => void;
  /** How often each has happened. */
  readonly struck: ReadonlyMap<Fault, number>;
};

/** How often some happen where it is not as usual. */
export type Chances = Partial<Readonly<Record<Fault, number>>>;

export function faultsOf(random: Random, without: readonly Fault[] = [], other: Chances = {}): Faults {
  const all = { ...chances, ...other };
  const struck = new Map<Fault, number>();
  let isOver = false;
  return {
    struck,
    stop() {
      isOver = true;
    },
    strikes(fault) {
      if (isOver) return false;
      // The choice is made in any case: without a fault all others stay as they are.
      if (!random.chance(all[fault]) || without.includes(fault)) return false;
      struck.set(fault, (struck.get(fault) ?? 0) + 1);
      return true;
    },
  };
}
