/** The screening as a service that Daybook asks over HTTP, and that posts its verdicts to Daybook. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { z } from 'zod';
import type { OwnScreening } from '../../../../../src/app/parts/screening.ts';
import type { Finding, Verdict } from '../../../../../src/domain/ports/screening.ts';
import { isSigned, signedHeaders } from '../../../../../src/infrastructure/secrets/signed-message.ts';
import type { CustomerId } from '../../../../../src/kernel/ids.ts';
import { httpScreening } from '../../../../../src/outside/http-screening.ts';
import type { Random } from '../../../random.ts';
import type { SimulatedProcess } from '../../engine/process.ts';
import type { Faults } from '../../faults.ts';
import type { Answer, Request } from '../network.ts';
import { type Desk, findingOfOwner, type Way } from '../screening.ts';
import { otherAddress, screeningAddress, screeningSecret as secret } from './addresses.ts';
import type { End } from './connection.ts';
import type { Place } from './route.ts';

const url = `http://${screeningAddress}/checks`;
const elsewhere = `http://${otherAddress}/checks`;
/** Of nobody that Daybook knows. */
const otherSecret = `whsec_${Buffer.alloc(32, 9).toString('base64')}`;
const longAgoMs = 600_000;
/** Longer than whoever asks waits. */
const partsMaxMs = 15_000;

const personalInfo = z.object({ firstName: z.string(), lastName: z.string() });
const question = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('customer.screen'),
    verificationId: z.string(),
    customer: z.object({ customerId: z.string() }),
    owners: z.array(z.object({ beneficialOwnerId: z.string() })),
  }),
  z.object({ type: z.literal('owner.screen'), owner: z.object({ personalInfo }) }),
]);

type Deps = {
  readonly faults: Pick<Faults, 'strikes'>;
  readonly random: Random;
  readonly now: () => number;
  readonly newId: () => string;
  /** Asks one of the processes that take requests, if there is any; nothing comes back where nobody has answered. */
  readonly post: (request: Request) => Promise<Answer | undefined>;
  /** In place of the connector of a process. */
  readonly changed: (original: OwnScreening) => OwnScreening;
};

export const screeningService =
  ({ faults, random, now, newId, post, changed }: Deps) =>
  (desk: Desk): Way => {
    const clock = () => new Date(now());

    const find = (process: SimulatedProcess, text: string): Promise<Finding | undefined> => {
      const asked = question.parse(JSON.parse(text));
      if (asked.type === 'owner.screen')
        return desk.question({ process, ask: () => findingOfOwner(asked.owner.personalInfo) });
      const { verificationId, customer, owners } = asked;
      const shown = {
        customerId: customer.customerId as CustomerId,
        owners: owners.map(({ beneficialOwnerId }) => beneficialOwnerId),
      };
      return desk.question({
        process,
        ask: (at) => desk.customer(verificationId, { ...shown, at }),
      });
    };

    const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
      const end = request.socket as unknown as End;
      const body = await bytesOf(request);
      if (!isSigned(secret, headersOf(request), body, clock())) desk.complain('a question is not signed');
      try {
        const finding = await find(end.process, body.toString());
        if (!end.destroyed) reply(response, finding ?? 'IN_PROGRESS', end.reset);
      } catch {
        end.reset();
      }
    };
    const reply = (response: ServerResponse, finding: string, reset: () => void): void => {
      // What an answer without a good status has to say is no finding.
      const other = JSON.stringify({ finding: finding === 'APPROVED' ? 'REJECTED' : 'APPROVED' });
      if (faults.strikes('screening answers 500')) return void response.writeHead(500).end(other);
      if (faults.strikes('screening answers 429'))
        return void response.writeHead(429, { 'retry-after': '7' }).end(other);
      if (faults.strikes('screening sends on to elsewhere'))
        return void response
          .writeHead(random.pick([301, 303, 307, 308]) ?? 302, { location: elsewhere })
          .end();
      if (faults.strikes('screening answers what nobody can read'))
        return void response.end(random.pick(unreadable));
      const whole = JSON.stringify({ finding });
      const half = whole.length / 2;
      const begin = () =>
        response.writeHead(200, { 'content-length': whole.length }).write(whole.slice(0, half));
      if (faults.strikes('answer of the screening breaks off')) {
        begin();
        return void setTimeout(reset, random.below(partsMaxMs));
      }
      if (faults.strikes('answer of the screening comes in parts')) {
        begin();
        return void setTimeout(() => response.end(whole.slice(half)), random.below(partsMaxMs));
      }
      response.setHeader('connection', random.chance(0.5) ? 'close' : 'keep-alive');
      response.end(whole);
    };
    const server = createServer((request, response) => {
      // Who asks may be gone before the question is there.
      serve(request, response).catch(() => undefined);
    });

    const send = async (event: object, by = secret, sentAt = clock()): Promise<number | undefined> => {
      const body = JSON.stringify(event);
      const headers = {
        ...signedHeaders(by, { id: newId(), sentAt }, Buffer.from(body)),
        'content-type': 'application/json',
        connection: 'close',
      };
      return (await post({ method: 'POST', path: '/screening/events', headers, body }))?.status;
    };
    const verdictEvent = (verificationId: string, verdict: Verdict) => ({
      type: 'verification.decided',
      verificationId,
      verdict,
    });
    /** Posts what no process may take. */
    const bother = async (verificationId: string, verdict: Verdict): Promise<void> => {
      const other = verdictEvent(verificationId, verdict === 'APPROVED' ? 'REJECTED' : 'APPROVED');
      const longAgo = new Date(now() - longAgoMs);
      if (faults.strikes('verdict that the screening has not signed')) {
        const status = await (random.chance(0.5) ? send(other, otherSecret) : send(other, secret, longAgo));
        if (status === 200) desk.complain(`${verificationId}: what was not signed is answered 200`);
      }
      if (faults.strikes('verdict that nobody can read')) {
        const status = await send({ ...other, verdict: 'PENDING' });
        if (status === 200) desk.complain(`${verificationId}: what nobody can read is answered 200`);
      }
    };

    const place: Place = {
      isThere: () => !faults.strikes('screening is not there'),
      accept: (theirs) => void server.emit('connection', theirs),
    };
    const other: Place = {
      isThere() {
        desk.complain('it is asked for at an address that nobody has given');
        return false;
      },
      accept: () => undefined,
    };
    return {
      places: new Map([
        [screeningAddress, place],
        [otherAddress, other],
      ]),
      of: () => changed((reports) => httpScreening({ url, secret }, { reports, newId, now: clock })),
      async tell(verificationId, verdict) {
        await bother(verificationId, verdict);
        const status = await send(verdictEvent(verificationId, verdict));
        if (status === 404) return 'unknown';
        return status === 200 ? 'decided' : undefined;
      },
    };
  };

const unreadable = [
  '',
  'APPROVED',
  '{"finding":"APPROVED"',
  '{"finding":"FINE"}',
  '["APPROVED"]',
  '<p>APPROVED</p>',
];

async function bytesOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks);
}

const headersOf = ({ headers }: IncomingMessage): Readonly<Record<string, string | undefined>> =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value[0] : value]),
  );
