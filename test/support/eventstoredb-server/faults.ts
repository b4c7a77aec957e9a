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
};

export const noFaults = (): Faults => ({ appends: [], reads: [], subscriptions: [] });

export const unavailable = () => failure(status.UNAVAILABLE, 'server is not ready', {});

export const notLeader = ({ leaderPort }: NotLeader) =>
  failure(status.NOT_FOUND, 'leader info available', {
    exception: 'not-leader',
    'leader-endpoint-host': '127.0.0.1',
    'leader-endpoint-port': `${leaderPort}`,
  });

function failure(code: status, details: string, fields: Record<string, string>): ServiceError {
  const metadata = new Metadata();
  for (const [name, value] of Object.entries(fields)) metadata.set(name, value);
  return Object.assign(new Error(details), { code, details, metadata });
}
