/** The names of streams, and what streams are about. */
import { type IdType, idOf, uuidOf } from '../kernel/ids.ts';
import { type Aggregates, aggregates } from './aggregates.ts';

export type Kind = keyof Aggregates;

/** The stream of the object with this id, or this uuid. A wallet has the uuid of its account. */
export const streamOf = (kind: Kind, id: string): string => `${aggregates[kind].category}-${uuidOf(id)}`;

export const isStreamOf = (kind: Kind, stream: string): boolean =>
  stream.startsWith(`${aggregates[kind].category}-`);

/** The uuid of what a stream is about. */
export const uuidOfStream = (stream: string): string => stream.slice(stream.indexOf('-') + 1);

const types: ReadonlyMap<string, IdType> = new Map(
  (
    [
      ['customer', 'Customer'],
      ['transaction', 'Transaction'],
      ['account', 'InternalAccount'],
      ['wallet', 'InternalAccount'],
      ['externalAccount', 'ExternalAccount'],
      ['beneficialOwner', 'BeneficialOwner'],
      ['document', 'Document'],
      ['verification', 'Verification'],
      ['invitation', 'Invitation'],
      ['agent', 'Agent'],
    ] satisfies [Kind, IdType][]
  ).map(([kind, type]) => [aggregates[kind].category, type]),
);

/** The ids of the objects that the streams are about, of those kinds that rows name. */
export const objectsOf = (streams: Iterable<string>): readonly string[] =>
  [...streams].flatMap((stream) => {
    const type = types.get(stream.slice(0, stream.indexOf('-')));
    return type ? [idOf(type, uuidOfStream(stream))] : [];
  });
