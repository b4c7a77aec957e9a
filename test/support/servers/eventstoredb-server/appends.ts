import shared from '@eventstore/db-client/generated/shared_pb.js';
import status from '@eventstore/db-client/generated/status_pb.js';
import type {
  AppendReq,
  AppendResp,
  BatchAppendReq,
  BatchAppendResp,
} from '@eventstore/db-client/generated/streams_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import type { ServerDuplexStream, ServerReadableStream, sendUnaryData } from '@grpc/grpc-js';
import any from 'google-protobuf/google/protobuf/any_pb.js';
import empty from 'google-protobuf/google/protobuf/empty_pb.js';
import { type AppendFault, notLeader, refusalOf, type Standing, tooLarge, unavailable } from './faults.ts';
import type { Expected, Outcome, Proposed, ServerLog } from './log.ts';
import { expectedOf, nameOf, proposedOf } from './messages.ts';

type Dependencies = {
  readonly log: ServerLog;
  readonly standing: Standing;
  readonly nextFault: () => AppendFault | undefined;
  readonly dropConnections: () => void;
};

const sizeOf = ({ type, data, metadata }: Proposed) => 2 * type.length + data.length + metadata.length;

/** One append per call: options first, then the events, and the answer after the last. */
export const appends =
  ({ log, standing, nextFault, dropConnections }: Dependencies) =>
  (call: ServerReadableStream<AppendReq, AppendResp>, answer: sendUnaryData<AppendResp>) => {
    let options: AppendReq.Options | undefined;
    const events: Proposed[] = [];
    call.on('data', (request: AppendReq) => {
      options = request.getOptions() ?? options;
      const message = request.getProposedMessage();
      if (message) events.push(proposedOf(message));
    });
    call.on('end', () => {
      const refusal = refusalOf(standing, 'append');
      if (refusal) return answer(refusal);
      const fault = nextFault();
      if (fault === 'silence') return;
      if (fault === 'unavailable') return answer(unavailable());
      if (typeof fault === 'object') return answer(notLeader(fault));
      const bytes = events.reduce((sum, event) => sum + sizeOf(event), 0);
      if (bytes > standing.appendBytesMax) return answer(tooLarge(standing));
      const stream = nameOf(options);
      const outcome = log.append(stream, expectedOf(options), events);
      if (fault === 'written, then silence') return;
      if (fault === 'written, then the connection is lost') return dropConnections();
      if (fault === 'repeat taken for a conflict')
        return answer(null, conflict(log.stream(stream).length - 1));
      answer(null, response(outcome, fault === 'written, position unknown'));
    });
  };

function response(outcome: Outcome, positionUnknown: boolean): AppendResp {
  if (outcome.outcome === 'conflict') return conflict(outcome.actual);
  const success = new streams.AppendResp.Success().setCurrentRevision(`${outcome.revision}`);
  if (positionUnknown) return new streams.AppendResp().setSuccess(success.setNoPosition(new shared.Empty()));
  const position = new streams.AppendResp.Position();
  position.setCommitPosition(`${outcome.position}`).setPreparePosition(`${outcome.position}`);
  return new streams.AppendResp().setSuccess(success.setPosition(position));
}

function conflict(actual: number | 'none'): AppendResp {
  const wrong = new streams.AppendResp.WrongExpectedVersion();
  if (actual === 'none') wrong.setCurrentNoStream(new shared.Empty());
  else wrong.setCurrentRevision(`${actual}`);
  return new streams.AppendResp().setWrongExpectedVersion(wrong);
}

type Batch = { readonly stream: string; readonly expected: Expected; readonly events: Proposed[] };

/** Many appends over one call, each under its own correlation id. Knows no faults: the service does not use it. */
export const batchAppends =
  ({ log }: Pick<Dependencies, 'log'>) =>
  (call: ServerDuplexStream<BatchAppendReq, BatchAppendResp>) => {
    const batches = new Map<string, Batch>();
    call.on('data', (request: BatchAppendReq) => {
      const id = request.getCorrelationId()?.getString() ?? '';
      const options = request.getOptions();
      const begun = batches.get(id) ?? { stream: nameOf(options), expected: expectedOf(options), events: [] };
      batches.set(id, begun);
      begun.events.push(...request.getProposedMessagesList().map(proposedOf));
      if (!request.getIsFinal()) return;
      batches.delete(id);
      call.write(batchResponse(id, begun, log.append(begun.stream, begun.expected, begun.events)));
    });
    call.on('end', () => call.end());
  };

function batchResponse(id: string, { stream }: Batch, outcome: Outcome): BatchAppendResp {
  const answer = new streams.BatchAppendResp().setCorrelationId(new shared.UUID().setString(id));
  answer.setStreamIdentifier(new shared.StreamIdentifier().setStreamName(Buffer.from(stream)));
  if (outcome.outcome === 'conflict') return answer.setError(batchConflict(outcome.actual));
  const success = new streams.BatchAppendResp.Success().setCurrentRevision(`${outcome.revision}`);
  const position = new shared.AllStreamPosition();
  position.setCommitPosition(`${outcome.position}`).setPreparePosition(`${outcome.position}`);
  return answer.setSuccess(success.setPosition(position));
}

function batchConflict(actual: number | 'none') {
  const wrong = new shared.WrongExpectedVersion();
  if (actual === 'none') wrong.setCurrentNoStream(new empty.Empty());
  else wrong.setCurrentStreamRevision(`${actual}`);
  const details = new any.Any();
  details.pack(wrong.serializeBinary(), 'event_store.client.WrongExpectedVersion');
  return new status.Status().setMessage('WrongExpectedVersion').setDetails(details);
}
