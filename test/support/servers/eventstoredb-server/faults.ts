import { Metadata, type ServiceError, status } from '@grpc/grpc-js';

export type AppendFault =
  /** Refused before anything is written. */
  | 'unavailable'
  | NotLeader
  /** Taken, then nothing: not written, not answered. */
  | 'silence'
  | 'written, then silence'
  | 'written, then the connection is lost'
  /** Written, and answered without the position, as while the index is behind. */
  | 'written, position unknown'
  /** Written by an earlier call that the server no longer remembers. */
  | 'repeat taken for a conflict';

export type ReadFault = 'unavailable' | NotLeader | 'silence' | { readonly dropAfterEvents: number };

export type NotLeader = { readonly leaderPort: number };

/** What goes wrong with the next calls: each call takes the first entry of its list, if there is one. */
export type Faults = {
  readonly appends: AppendFault[];
  readonly reads: ReadFault[];
  readonly subscriptions: ReadFault[];
  /** Of those who ask for the nodes of the cluster. */
  readonly gossips: 'silence'[];
};

/** What a server does until it is told otherwise. */
export type Standing = {
  /** The rights that its user has not; nobody is let in at all where it wants a password. */
  readonly denied: Set<'append' | 'read' | '$all' | 'anything without a password'>;
  /** It is not the leader of its cluster: this one is. */
  leader: NotLeader | undefined;
  /** Of what is appended at once. */
  appendBytesMax: number;
};

/** The refusal of a call, where there is one. */
export function refusalOf(
  { denied, leader }: Standing,
  what: 'append' | 'read' | '$all',
): ServiceError | undefined {
  if (denied.has('anything without a password'))
    return failure(status.UNAUTHENTICATED, 'Unauthenticated', {});
  if (denied.has(what))
    return failure(status.PERMISSION_DENIED, 'Access Denied', { exception: 'access-denied' });
  return leader && notLeader(leader);
}

export const noFaults = (): Faults => ({ appends: [], reads: [], subscriptions: [], gossips: [] });

export const unavailable = () => failure(status.UNAVAILABLE, 'server is not ready', {});

export const notLeader = ({ leaderPort }: NotLeader) =>
  failure(status.NOT_FOUND, 'leader info available', {
    exception: 'not-leader',
    'leader-endpoint-host': '127.0.0.1',
    'leader-endpoint-port': `${leaderPort}`,
  });

/** A place in the log where no event is, or beyond its end. */
export const invalidPosition = () =>
  failure(status.INVALID_ARGUMENT, 'Trying to read from an invalid position', {});

export const tooLarge = ({ appendBytesMax }: Standing) =>
  failure(status.INVALID_ARGUMENT, `Maximum Append Size of ${appendBytesMax} Exceeded.`, {
    exception: 'maximum-append-size-exceeded',
    'maximum-append-size': `${appendBytesMax}`,
  });

function failure(code: status, details: string, fields: Record<string, string>): ServiceError {
  const metadata = new Metadata();
  for (const [name, value] of Object.entries(fields)) metadata.set(name, value);
  return Object.assign(new Error(details), { code, details, metadata });
}
