import type { ReadDb } from '../../../projections/database.ts';
import {
  findBeneficialOwner,
  listBeneficialOwners,
  rowOfOwner,
} from '../../../projections/models/beneficial-owners.ts';
import { requireNotDeleted } from '../../domain/customers/customer.ts';
import { requirePast } from '../../domain/customers/new-customer.ts';
import type { Screening } from '../../domain/ports/screening.ts';
import { ownerNotFound } from '../../domain/verification/owner.ts';
import { idOf, uuidOf } from '../../kernel/ids.ts';
import { invariant } from '../../kernel/invariant.ts';
import { badField } from '../../kernel/rejected.ts';
import type { Commands } from '../../use-cases/commands.ts';
import { loadBeneficialOwner, loadCustomer } from '../../use-cases/find/customer.ts';
import { renderPage } from '../fields/fields.ts';
import { type Route, route, routeOn } from '../operation.ts';
import { createOwner, getOwner, listOwners, patchOwner, renderOwner } from './operations.ts';

type Deps = {
  readonly commands: Commands;
  readonly readDb: ReadDb;
  readonly screening: Pick<Screening, 'owner'>;
  readonly now: () => Date;
};

export function ownerRoutes({ commands, readDb, screening, now }: Deps): readonly Route[] {
  return [
    route(listOwners, async ({ principal, query: { limit, cursor, customerId } }) => {
      const page = await listBeneficialOwners(readDb, principal.platformId, customerId, { limit, cursor });
      return { status: 200, body: renderPage(page, renderOwner) };
    }),

    routeOn(
      createOwner,
      ({ body, principal }) => loadCustomer(commands, principal.platformId, body.customerId),
      async ({ body, uuidFor, cause }, business) => {
        requireNotDeleted(business);
        if (business.customerType !== 'BUSINESS') throw badField('customerId', 'must name a business');
        const { platformId, customerId } = business;
        const { roles, ownershipPercentage, personalInfo } = body;
        const at = now();
        requirePast('personalInfo.birthDate', personalInfo.birthDate, at);
        const uuid = uuidFor('beneficial-owner');
        const beneficialOwnerId = idOf('BeneficialOwner', uuid);
        const kycStatus = screening.owner(personalInfo.lastName);
        const about = { platformId, beneficialOwnerId, customerId, kycStatus };
        const details = { ...about, roles, ownershipPercentage, personalInfo, at };
        const command = { type: 'CreateBeneficialOwner', details } as const;
        const { state } = await commands.run('beneficialOwner', uuid, command, cause);
        invariant(state.status !== 'none', 'created an owner who is not there');
        return { status: 201, body: renderOwner(rowOfOwner(state)) };
      },
    ),

    routeOn(
      getOwner,
      async ({ principal, params }) => {
        const row = await findBeneficialOwner(readDb, principal.platformId, params.beneficialOwnerId);
        if (!row) throw ownerNotFound();
        return row;
      },
      async (_request, row) => ({ status: 200, body: renderOwner(row) }),
    ),

    routeOn(
      patchOwner,
      ({ principal, params }) =>
        loadBeneficialOwner(commands, principal.platformId, params.beneficialOwnerId),
      async ({ principal, body, cause }, owner) => {
        requireNotDeleted(await loadCustomer(commands, principal.platformId, owner.customerId));
        const at = now();
        requirePast('personalInfo.birthDate', body.personalInfo?.birthDate, at);
        const lastName = body.personalInfo?.lastName;
        const changes = { ...body, ...(lastName !== undefined && { kycStatus: screening.owner(lastName) }) };
        const command = { type: 'UpdateBeneficialOwner', changes, at } as const;
        const uuid = uuidOf(owner.beneficialOwnerId);
        const { state } = await commands.run('beneficialOwner', uuid, command, cause);
        invariant(state.status !== 'none', 'updated an owner who is not there');
        return { status: 200, body: renderOwner(rowOfOwner(state)) };
      },
    ),
  ];
}
