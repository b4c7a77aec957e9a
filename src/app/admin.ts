/**
 * What an operator does over HTTP, by one token: outside the interface, and there only where the token is set.
 * docs/how-to/connect-screening.md shows it.
 */
import { timingSafeEqual } from 'node:crypto';
import { type Express, type Request, type RequestHandler, type Response, Router } from 'express';
import { z } from 'zod';
import { rowOfOwner } from '../../projections/models/beneficial-owners.ts';
import { openVerifications, rowOfVerification } from '../../projections/models/verifications.ts';
import { renderOwner } from '../api/beneficial-owners/render.ts';
import { codeOfFields } from '../api/fields/amount-fields.ts';
import { renderVerification } from '../api/verifications/render.ts';
import { bounds } from '../domain/values/bounds.ts';
import { type ReadModels, Rest } from '../infrastructure/http/behind.ts';
import { receiveBody } from '../infrastructure/http/doors/body.ts';
import type { Room } from '../infrastructure/http/doors/room.ts';
import { parseWith } from '../infrastructure/http/validation.ts';
import { hashSecret } from '../infrastructure/secrets/hash.ts';
import { parseBody } from '../kernel/json.ts';
import { Rejected } from '../kernel/rejected.ts';
import { type Decision, decide, decideOwner } from '../use-cases/customers/decide.ts';
import type { Core } from './parts/core/core.ts';

const openMax = 100;

const listQuery = z.object({ cursor: z.string().optional() });

const decisionBody = z.object({
  decision: z.enum(['APPROVED', 'REJECTED']),
  note: z.string().min(1).max(bounds.remark).optional(),
});

export type AdminDeps = Pick<Core, 'commands' | 'readDb' | 'untilAllShown' | 'now'> & {
  readonly token: string;
  readonly room: Room;
  readonly projected: ReadModels['projected'];
};

type Deciding<Made> = (decision: Decision, seen: (reached: bigint) => void) => Promise<Made>;

export function serveAdmin(app: Express, deps: AdminDeps): void {
  const router = Router();
  router.use(requireToken(deps.token));

  router.get('/verifications', async (req, res) => {
    const { cursor } = parseWith(listQuery, req.query, [], codeOfFields);
    const { rows, nextCursor } = await openVerifications(deps.readDb, { limit: openMax, cursor });
    res.json({
      data: rows.map((row) => ({ ...renderVerification(row), platformId: row.platform_id })),
      nextCursor,
    });
  });

  /** What the decision in the body has led to, once the lists show it. */
  const decided = async <Made>(req: Request, res: Response, make: Deciding<Made>): Promise<Made> => {
    const body = parseBody(await receiveBody(req, res, deps.room));
    const { decision, note } = parseWith(decisionBody, body, [], codeOfFields);
    const rest = new Rest(res, deps);
    const made = await make({ verdict: decision, note, by: 'operator' }, (reached) => rest.did(reached));
    await rest.untilAllShown();
    return made;
  };

  router.post('/verifications/:verificationId/decide', async (req, res) => {
    const { verification } = await decided(req, res, (decision, seen) =>
      decide(deps, req.params.verificationId, decision, seen),
    );
    res.json(renderVerification(rowOfVerification(verification)));
  });

  router.post('/beneficial-owners/:beneficialOwnerId/decide', async (req, res) => {
    const owner = await decided(req, res, (decision, seen) =>
      decideOwner(deps, req.params.beneficialOwnerId, decision, seen),
    );
    res.json(renderOwner(rowOfOwner(owner)));
  });

  app.use('/admin', router);
}

/** Compares hashes, which tells nothing of the token by its time. */
function requireToken(token: string): RequestHandler {
  const expected = hashSecret(token);
  return (req, res, next) => {
    res.locals.authentication = 'bearer';
    const [scheme = '', given = ''] = (req.get('authorization') ?? '').split(' ');
    if (scheme.toLowerCase() !== 'bearer' || given === '')
      throw new Rejected('UNAUTHORIZED', 'Send the admin token with Bearer authentication.');
    if (!timingSafeEqual(hashSecret(given), expected))
      throw new Rejected('UNAUTHORIZED', 'The token is not the DAYBOOK_ADMIN_TOKEN of the service.');
    next();
  };
}
