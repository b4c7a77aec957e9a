import { z } from 'zod';
import { ownerRoles } from '../../domain/verification/events.ts';
import { ownerNotFound } from '../../domain/verification/owner.ts';
import { personalInfoSchema } from '../../domain/verification/personal-info.ts';
import { basicErrors } from '../../infrastructure/http/describe/errors.ts';
import { idSchema } from '../../kernel/ids.ts';
import { ownerRole } from '../fields/enumerations.ts';
import { listOf } from '../fields/lists.ts';
import type { Operation } from '../operation.ts';
import { ownerSchema } from './render.ts';

const roles = z
  .array(ownerRole)
  .min(1)
  .max(ownerRoles.length)
  .refine((given) => new Set(given).size === given.length, 'must name each role once');
const ownershipPercentage = z.number().min(0).max(100);

const createOwnerRequest = z
  .object({ customerId: idSchema('Customer'), roles, ownershipPercentage, personalInfo: personalInfoSchema })
  .meta({ id: 'BeneficialOwnerCreateRequest' });

const updateOwnerRequest = z
  .object({
    roles: roles.optional(),
    ownershipPercentage: ownershipPercentage.optional(),
    personalInfo: personalInfoSchema.partial().optional(),
  })
  .meta({ id: 'BeneficialOwnerUpdateRequest' });

const tag = 'Business verification';
const answer = { description: 'The beneficial owner.', schema: ownerSchema };
const byId = {
  params: z.object({ beneficialOwnerId: idSchema('BeneficialOwner') }),
  notFound: ownerNotFound,
};

export const listOwners = {
  operationId: 'listBeneficialOwners',
  path: '/beneficial-owners',
  tag,
  summary: 'List the beneficial owners of a business',
  ...listOf(ownerSchema, 'A page of owners, newest first.', { customerId: idSchema('Customer') }),
} as const satisfies Operation;

export const createOwner = {
  operationId: 'createBeneficialOwner',
  method: 'post',
  path: '/beneficial-owners',
  tag,
  summary: 'Add a beneficial owner to a business',
  description: "Starts the owner's own check.",
  permission: ['MANAGE'],
  body: createOwnerRequest,
  responses: { 201: answer },
  errors: basicErrors({
    400: ['INVALID_INPUT'],
    404: ['USER_NOT_FOUND'],
    409: ['CONFLICT'],
    410: ['CUSTOMER_DELETED'],
  }),
} as const satisfies Operation;

export const getOwner = {
  operationId: 'getBeneficialOwner',
  method: 'get',
  path: '/beneficial-owners/{beneficialOwnerId}',
  tag,
  summary: 'Read a beneficial owner',
  permission: ['VIEW'],
  ...byId,
  responses: { 200: answer },
  errors: basicErrors({ 404: ['REFERENCE_NOT_FOUND'] }),
} as const satisfies Operation;

export const patchOwner = {
  operationId: 'updateBeneficialOwner',
  method: 'patch',
  path: '/beneficial-owners/{beneficialOwnerId}',
  tag,
  summary: 'Change a beneficial owner',
  description:
    "Roles replace the list; personalInfo is merged field by field. A lastName repeats the owner's check.",
  permission: ['MANAGE'],
  ...byId,
  body: updateOwnerRequest,
  responses: { 200: answer },
  errors: basicErrors({
    400: ['INVALID_INPUT'],
    404: ['REFERENCE_NOT_FOUND'],
    409: ['CONFLICT'],
    410: ['CUSTOMER_DELETED'],
  }),
} as const satisfies Operation;
