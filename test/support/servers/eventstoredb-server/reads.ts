import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ReadReq, ReadResp } from '@eventstore/db-client/generated/streams_pb.js';
import type { ServerWritableStream } from '@grpc/grpc-js';
import {
  invalidPosition,
  notLeader,
  type ReadFault,
  refusalOf,
  type Standing,
  unavailable,
} from './faults.ts';
import type { Logged, ServerLog } from './log.ts';
import {
  caughtUpResponse,
  checkpointResponse,
  confirmationResponse,
  eventResponse,
  notFoundResponse,
  type Target,
  targetOf,
} from './messages.ts';

type Call = ServerWritableStream<ReadReq, ReadResp>;
type Dependencies = {
  readonly log: ServerLog;
  readonly standing: Standing;
  readonly nextFault: (kind: 'reads' | 'subscriptions') => ReadFault | undefined;
  readonly dropConnections: () => void;
};

/** The server looks at this many events before it tells a filtered subscription how far it is. */
const checkpointInterval = 32;
/** What was sent this long ago has left the process, and a lost connection does not take it along. */
const arrivalMs = 20;

/** Reads of a stream, forwards, or of the log, backwards from its end too; and subscriptions to the log with a filter on stream names. */
export const reads =
  ({ log, standing, nextFault, dropConnections }: Dependencies) =>
  async (call: Call) => {
    const target = targetOf(call.request);
    const refusal = refusalOf(standing, target.stream === undefined ? '$all' : 'read');
    if (refusal) return void call.emit('error', refusal);
    const fault = nextFault(target.subscribes ? 'subscriptions' : 'reads');
    if (fault === 'silence') return;
    if (fault === 'unavailable') return void call.emit('error', unavailable());
    if (fault && 'leaderPort' in fault) return void call.emit('error', notLeader(fault));
    let left = fault?.dropAfterEvents ?? Number.POSITIVE_INFINITY;
    const send = async (logged: Logged) => {
      if (left === 0) {
        await sleep(arrivalMs);
        return dropConnections();
      }
      left -= 1;
      await write(call, eventResponse(logged));
    };
    if (target.subscribes) return follow(call, target, log, send);
    return target.stream === undefined
      ? readLog(call, target, log, send)
      : readStream(call, target, log, send);
  };

async function readStream(call: Call, { stream = '', from = 0n, count }: Target, log: ServerLog, send: Send) {
  const there = log.stream(stream);
  if (there.length === 0) await write(call, notFoundResponse(stream));
  for (const logged of there.slice(Number(from)).slice(0, count)) await send(logged);
  call.end();
}

async function readLog(call: Call, { from = 0n, count, backwards }: Target, log: ServerLog, send: Send) {
  if (backwards) for (const logged of log.everything.toReversed().slice(0, count)) await send(logged);
  else
    for (const logged of log.everything.filter(({ position }) => position >= from).slice(0, count))
      await send(logged);
  call.end();
}

async function follow(call: Call, { from = -1n, prefixes }: Target, log: ServerLog, send: Send) {
  const matches = ({ stream }: Logged) =>
    prefixes.length === 0 || prefixes.some((prefix) => stream.startsWith(prefix));
  let wake = () => {};
  const forget = log.onAppend(() => wake());
  call.on('cancelled', () => wake());
  await write(call, confirmationResponse('subscription'));
  const isPlace = from === -1n || log.everything.some(({ position }) => position === from);
  if (!isPlace) return void call.emit('error', invalidPosition());
  let next = log.everything.findIndex(({ position }) => position > from);
  if (next === -1) next = log.everything.length;
  for (let caughtUp = false; !call.cancelled && !call.destroyed; ) {
    const logged = log.everything[next];
    if (logged) {
      next += 1;
      if (matches(logged)) await send(logged);
      if (next % checkpointInterval === 0) await write(call, checkpointResponse(logged.position));
      continue;
    }
    if (!caughtUp) await write(call, caughtUpResponse());
    caughtUp = true;
    if (log.everything.length > next) continue;
    await new Promise<void>((resolve) => {
      wake = resolve;
    });
  }
  forget();
}

type Send = (logged: Logged) => Promise<void>;

/** Waits while the client does not read on. */
async function write(call: Call, response: ReadResp): Promise<void> {
  if (call.cancelled || call.destroyed) return;
  if (call.write(response)) return;
  const waiting = new AbortController();
  const { signal } = waiting;
  await Promise.race([once(call, 'drain', { signal }), once(call, 'cancelled', { signal })]).catch(
    () => undefined,
  );
  waiting.abort();
}
