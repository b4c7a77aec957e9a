/** Verdicts on businesses with owners who wait for their own check. */
import { DummyDriver, Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from 'kysely';
import { beforeEach, describe, expect, it } from 'vitest';
import type { ReadDb } from '../../../projections/database.ts';
import { rowOfOwner } from '../../../projections/models/beneficial-owners.ts';
import { aggregates } from '../../../src/domain/aggregates.ts';
import type { KnownOwner } from '../../../src/domain/verification/owner.ts';
import { createDispatcher } from '../../../src/infrastructure/commands/dispatch.ts';
import { uuidOf } from '../../../src/kernel/ids.ts';
import type { Commands } from '../../../src/use-cases/commands.ts';
import { decide, decideOwner } from '../../../src/use-cases/customers/decide.ts';
import { customerId, platformId } from '../../support/builders/identities.ts';
import {
  beneficialOwnerId,
  ownerDetails,
  personalInfo,
  verificationId,
} from '../../support/builders/verification.ts';
import { memoryEventStore } from '../../support/log/memory-event-store.ts';
import { testStart } from '../../support/time/clock.ts';
import { sequentialIds } from '../../support/values/ids.ts';

const at = testStart;
const now = () => at;
const cause = { platformId, correlationId: 'request', causationId: 'request', actor: 'test' };
const approved = { verdict: 'APPROVED', by: 'screening' } as const;
const ownerUuid = uuidOf(beneficialOwnerId);

let commands: Commands;
const owner = async () => (await commands.load('beneficialOwner', ownerUuid)) as KnownOwner;
const statusOfOwner = async () => (await owner()).kycStatus;

/** Whatever is asked, the rows of the owner. */
class OwnerRows extends DummyDriver {
  override async acquireConnection() {
    const connection = await super.acquireConnection();
    const rows = [rowOfOwner(await owner())];
    return Object.assign(connection, { executeQuery: async () => ({ rows }) }) as typeof connection;
  }
}
const readDb = new Kysely({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new OwnerRows(),
    createIntrospector: (db: Kysely<unknown>) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
}) as ReadDb;

const told = (by: Commands = commands) =>
  decide({ commands: by, readDb, untilAllShown: async () => {}, now }, verificationId, approved);

beforeEach(async () => {
  const deps = { store: memoryEventStore(), newEventId: sequentialIds(1).uuid, now };
  commands = createDispatcher(deps, aggregates, []);
  const assess = {
    type: 'AssessVerification',
    platformId,
    customerId,
    finding: undefined,
    errors: [],
    documents: [],
    at,
  } as const;
  await commands.run('verification', uuidOf(verificationId), assess, cause);
  const details = ownerDetails({ kycStatus: 'PENDING' });
  await commands.run('beneficialOwner', ownerUuid, { type: 'CreateBeneficialOwner', details }, cause);
});

/** Nothing comes to an owner. */
const cutShort = (): Commands => ({
  ...commands,
  run: (to, ...rest) =>
    to === 'beneficialOwner' ? Promise.reject(new Error('cut')) : commands.run(to, ...rest),
});

const becomes = (lastName: string) => {
  const of = { ...personalInfo, lastName };
  const check = { of, finding: 'PENDING' } as const;
  const command = {
    type: 'UpdateBeneficialOwner',
    changes: { personalInfo: { lastName } },
    check,
    at,
  } as const;
  return commands.run('beneficialOwner', ownerUuid, command, cause);
};

describe('a verdict', () => {
  it('is for the owners who wait', async () => {
    expect((await told()).isNew).toBe(true);
    expect(await statusOfOwner()).toBe('APPROVED');
  });

  it.each(['before the first has come to the owners', 'afterwards'])(
    'that is told again approves nobody who was changed %s',
    async (when) => {
      if (when === 'afterwards') await told();
      else await expect(told(cutShort())).rejects.toThrow('cut');
      await becomes('Mallory');
      expect((await told()).isNew).toBe(false);
      expect(await statusOfOwner()).toBe('PENDING');
      await decideOwner({ commands, now }, beneficialOwnerId, { ...approved, by: 'operator' });
      expect(await statusOfOwner()).toBe('APPROVED');
    },
  );

  it('that was cut short comes to the owners when it is told again', async () => {
    await expect(told(cutShort())).rejects.toThrow('cut');
    expect(await statusOfOwner()).toBe('PENDING');
    expect((await told()).isNew).toBe(false);
    expect(await statusOfOwner()).toBe('APPROVED');
  });
});
