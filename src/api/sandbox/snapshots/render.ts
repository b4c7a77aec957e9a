import { z } from 'zod';
import { idField } from '../../../kernel/ids.ts';
import { Rejected } from '../../../kernel/rejected.ts';
import type { Snapshot } from '../../../workers/platform-snapshots/snapshots.ts';
import { timestamp } from '../../fields/fields.ts';

export const snapshotSchema = z
  .object({
    id: idField('Snapshot'),
    name: z.string().optional(),
    events: z.int().min(1).meta({ description: 'Of your platform in the log.' }),
    createdAt: timestamp.meta({ description: 'By the clock of the installation.' }),
  })
  .meta({ id: 'SandboxSnapshot' });

export const renderSnapshot = ({ id, name, events, createdAt }: Snapshot) => ({
  id,
  ...(name !== undefined && { name }),
  events,
  createdAt: createdAt.toISOString(),
});

export const snapshotNotFound = () => new Rejected('REFERENCE_NOT_FOUND', 'There is no such snapshot.');
