import shared from '@eventstore/db-client/generated/shared_pb.js';
import type {
  AppendReq,
  BatchAppendReq,
  ReadReq,
  ReadResp,
} from '@eventstore/db-client/generated/streams_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import type { Expected, Logged, Proposed } from './log.ts';

const ticksAtEpoch = '16409952000000000';

export type Target = {
  readonly stream: string | undefined;
  /** The first revision of a stream, or the place after which to start in the log; `undefined` for the beginning. */
  readonly from: bigint | undefined;
  readonly count: number;
  /** From the end of the log to its beginning. */
  readonly backwards: boolean;
  readonly subscribes: boolean;
  readonly prefixes: readonly string[];
};

export function targetOf(request: ReadReq): Target {
  const options = request.getOptions();
  const stream = options?.getStream();
  const revision = stream?.hasRevision() ? BigInt(stream.getRevision()) : undefined;
  const place = options?.getAll()?.getPosition()?.getCommitPosition();
  return {
    stream: stream && nameOf(stream),
    from: stream ? revision : place === undefined ? undefined : BigInt(place),
    count: Number(options?.getCount() ?? 0),
    backwards: options?.getReadDirection() === streams.ReadReq.Options.ReadDirection.BACKWARDS,
    subscribes: options?.hasSubscription() ?? false,
    prefixes: options?.getFilter()?.getStreamIdentifier()?.getPrefixList() ?? [],
  };
}

export const nameOf = (
  named: { getStreamIdentifier(): { getStreamName_asU8(): Uint8Array } | undefined } | undefined,
) => Buffer.from(named?.getStreamIdentifier()?.getStreamName_asU8() ?? []).toString('utf8');

export function expectedOf(options: AppendReq.Options | BatchAppendReq.Options | undefined): Expected {
  if (!options || options.hasAny()) return 'any';
  if (options.hasNoStream()) return 'none';
  if (options.hasStreamExists()) return 'exists';
  return Number('getRevision' in options ? options.getRevision() : options.getStreamPosition());
}

export function proposedOf(message: AppendReq.ProposedMessage | BatchAppendReq.ProposedMessage): Proposed {
  return {
    id: message.getId()?.getString() ?? '',
    type: message.getMetadataMap().get('type') ?? '',
    contentType: message.getMetadataMap().get('content-type') ?? '',
    data: message.getData_asU8(),
    metadata: message.getCustomMetadata_asU8(),
  };
}

export function eventResponse(logged: Logged): ReadResp {
  const event = new streams.ReadResp.ReadEvent.RecordedEvent();
  event.setId(new shared.UUID().setString(logged.id));
  event.setStreamIdentifier(new shared.StreamIdentifier().setStreamName(Buffer.from(logged.stream)));
  event.setStreamRevision(`${logged.revision}`);
  event.setCommitPosition(`${logged.position}`).setPreparePosition(`${logged.position}`);
  event.setData(logged.data).setCustomMetadata(logged.metadata);
  event.getMetadataMap().set('type', logged.type).set('content-type', logged.contentType);
  event.getMetadataMap().set('created', ticksAtEpoch);
  const read = new streams.ReadResp.ReadEvent().setEvent(event).setCommitPosition(`${logged.position}`);
  return new streams.ReadResp().setEvent(read);
}

export function notFoundResponse(stream: string): ReadResp {
  const identifier = new shared.StreamIdentifier().setStreamName(Buffer.from(stream));
  const notFound = new streams.ReadResp.StreamNotFound().setStreamIdentifier(identifier);
  return new streams.ReadResp().setStreamNotFound(notFound);
}

export function confirmationResponse(id: string): ReadResp {
  const confirmation = new streams.ReadResp.SubscriptionConfirmation().setSubscriptionId(id);
  return new streams.ReadResp().setConfirmation(confirmation);
}

export const caughtUpResponse = (): ReadResp =>
  new streams.ReadResp().setCaughtUp(new streams.ReadResp.CaughtUp());

export function checkpointResponse(position: bigint): ReadResp {
  const checkpoint = new streams.ReadResp.Checkpoint();
  checkpoint.setCommitPosition(`${position}`).setPreparePosition(`${position}`);
  return new streams.ReadResp().setCheckpoint(checkpoint);
}
