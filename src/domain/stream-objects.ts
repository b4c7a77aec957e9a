/** What streams are about. */
import { type IdType, idOf } from '../kernel/ids.ts';

const types: Readonly<Record<string, IdType>> = {
  customer: 'Customer',
  transaction: 'Transaction',
  account: 'InternalAccount',
  wallet: 'InternalAccount',
  externalaccount: 'ExternalAccount',
  beneficialowner: 'BeneficialOwner',
  document: 'Document',
  verification: 'Verification',
  invitation: 'Invitation',
  agent: 'Agent',
};

/** The ids of the objects that the streams are about, of those kinds that rows name. */
export const objectsOf = (streams: Iterable<string>): readonly string[] =>
  [...streams].flatMap((stream) => {
    const end = stream.indexOf('-');
    const type = types[stream.slice(0, end)];
    return type ? [idOf(type, stream.slice(end + 1))] : [];
  });
