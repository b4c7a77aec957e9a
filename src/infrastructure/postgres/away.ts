/** Which errors say that Postgres cannot be reached or cannot serve now, rather than that a statement was wrong. */
import { StoreAway } from '../away.ts';
import { codeOf } from '../error-code.ts';
import { isCancelled } from './violations.ts';

/** Of the system: no connection, or none any more. */
const systemCodes: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'EHOSTDOWN',
  'ENETUNREACH',
  'ENETDOWN',
  'ENOTFOUND',
  'EAI_AGAIN',
]);

/**
 * The same where they come of connecting: a Unix socket is not there, or too many wait at it; this process or its machine
 * has no descriptor left.
 */
const connectCodes: ReadonlySet<string> = new Set(['ENOENT', 'EAGAIN', 'EMFILE', 'ENFILE']);

const isOfSystem = (error: Error, code: string): boolean =>
  systemCodes.has(code) || (connectCodes.has(code) && 'syscall' in error && error.syscall === 'connect');

/**
 * Classes of SQLSTATE: connection exceptions, a lack of disk, memory or connections, intervention of an operator or a
 * deadline of a statement, and errors of the system outside Postgres.
 */
const stateClasses: ReadonlySet<string> = new Set(['08', '53', '57', '58']);
/** A lock was not to be had; the server only reads; a transaction was left alone for too long. */
const states: ReadonlySet<string> = new Set(['55P03', '25006', '25P03']);

/** Of the client, its pool and the query builder, which have no codes. */
const late = 'Query read timeout';
const noAnswer: ReadonlySet<string> = new Set([
  late,
  'timeout expired',
  'timeout exceeded when trying to connect',
  'Connection terminated due to connection timeout',
]);
const messages: ReadonlySet<string> = new Set([
  ...noAnswer,
  'Connection terminated',
  'Connection terminated unexpectedly',
  'Client has encountered a connection error and is not queryable',
  'Client was closed and is not queryable',
  'Cannot use a pool after calling end on the pool',
  'Postgres connection has been discarded',
  'driver has already been destroyed',
]);

/** Of a statement that was not answered in time. */
export const notAnswered = (): Error => new Error(late);

function isDatabaseAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (messages.has(error.message)) return true;
  const code = codeOf(error);
  if (isOfSystem(error, code)) return true;
  const isOfState = code.length === 5 && (stateClasses.has(code.slice(0, 2)) || states.has(code));
  return isOfState || hasNoIds(error, code);
}

/** Shutting down, crashed, or starting. */
const servesNobody = /^(08...|57P0[123])$/;

/** What a server that is there lacks, by SQLSTATE, or this process by the system's code; and what is to be done. */
const lacks: Readonly<Record<string, string>> = {
  '53100': 'the disk of its server is full, make room there',
  '53200': 'its server has no memory left',
  '53300': 'its server has no connection left, see its max_connections',
  '25006': 'its server only reads, being a replica or set so',
  EMFILE: 'this process has no file descriptor left for a connection, raise its limit (ulimit -n)',
  ENFILE: 'this machine has no file descriptor left for a connection, raise its limit (fs.file-max)',
};

/** The system says the same of both, and Postgres has one code for it. */
const sharedMemory = /shared memory segment/;
const lackOfSharedMemory =
  'its server has too little shared memory, give it more (/dev/shm; in a container --shm-size)';

/** Of transactions, or of those that have locked one row together: nothing is written any more. A row that is too large has the same code. */
const hasNoIds = (error: Error, code: string): boolean =>
  code === '54000' && error.message.startsWith('database is not accepting commands');
const lackOfIds = 'its server has no transaction ids left, see docs/operations/runbook.md#transaction-ids';

/** What is lacking for whatever is asked of the server; nothing where it is not that. */
export function lackOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const code = codeOf(error);
  if (code.startsWith('53') && sharedMemory.test(error.message)) return lackOfSharedMemory;
  if (hasNoIds(error, code)) return lackOfIds;
  return connectCodes.has(code) && !isOfSystem(error, code) ? undefined : lacks[code];
}

/** A page of a table or an index is not what was written. */
const damaged: ReadonlySet<string> = new Set(['XX001', 'XX002']);
export const isOfDamage = (error: unknown): boolean => damaged.has(codeOf(error));

/** It is the server: nobody is there, or nobody who can do it. Other statements fail for the same reason. */
export function isOfServer(error: unknown): boolean {
  if (error instanceof StoreAway) return true;
  if (!(error instanceof Error)) return false;
  const code = codeOf(error);
  const isGone = messages.has(error.message) || isOfSystem(error, code) || servesNobody.test(code);
  return isGone || lackOf(error) !== undefined;
}

/** The error again, and one of the server in the words of the service: whoever hears of it asks others over a network, too. */
export function throwAsStoreAway(error: unknown): never {
  if (error instanceof StoreAway || !isOfServer(error)) throw error;
  throw new StoreAway('the database is away', { cause: error });
}

/** Somebody has waited for Postgres in vain, or would have. */
export const isUnanswered = (error: unknown): boolean =>
  error instanceof StoreAway || (error instanceof Error && noAnswer.has(error.message)) || isCancelled(error);

/** A store that the service needs is away: Postgres, or one that says so itself. */
export const isStoreAway = (error: unknown): boolean => error instanceof StoreAway || isDatabaseAway(error);

export const tooManyWait = (isSilent: boolean): StoreAway =>
  new StoreAway(
    isSilent
      ? 'the database has just let a statement wait in vain'
      : 'too many statements wait for a connection',
  );
