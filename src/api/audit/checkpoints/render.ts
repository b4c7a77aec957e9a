import { z } from 'zod';
import type { Signed } from '../../../infrastructure/log-tree/keeper.ts';
import { timestamp } from '../../fields/fields.ts';

const size = z.int().min(0).meta({ description: 'The number of events.' });
const root = z.base64().meta({ description: 'Of the Merkle tree (RFC 6962) over their hashes.' });

const checkpointSchema = z
  .object({
    size,
    root,
    note: z.string().meta({ description: 'Both with their signature, as a C2SP signed note.' }),
    signedAt: timestamp,
    unsealedEvents: z.int().min(0).meta({
      description: 'How many of the events are from before each had a hash. They are the first ones.',
    }),
  })
  .meta({ id: 'Checkpoint' });

export const checkpointsSchema = z
  .object({
    data: z.array(checkpointSchema),
    hasMore: z.boolean(),
    nextCursor: z.string().optional(),
    key: z
      .string()
      .optional()
      .meta({ description: 'What the notes are signed with: `<name>+<id>+<key>`. The same for ever.' }),
  })
  .meta({ id: 'Checkpoints' });

export const renderCheckpoint = ({ root: bytes, unsealed, signedAt, ...rest }: Signed) => ({
  ...rest,
  root: bytes.toString('base64'),
  signedAt: signedAt.toISOString(),
  unsealedEvents: unsealed,
});

export const proofSchema = z
  .object({
    size,
    root,
    index: z.int().min(0).optional().meta({ description: "The event's place in the tree, from 0." }),
    eventHash: z.string().optional().meta({
      description: "The event's hash in hexadecimal. The leaf is SHA-256 of a zero byte and its 32 bytes.",
    }),
    hashes: z.array(z.base64()).meta({ description: 'The proof, as RFC 9162 checks it (2.1.3.2, 2.1.4.2).' }),
  })
  .meta({ id: 'Proof' });
