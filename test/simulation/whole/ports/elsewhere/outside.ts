/** Who checks customers, takes mails and carries payments: at the ports of the service, or over a network, by its own connectors. */
import type { PaymentRail } from '../../../../../src/domain/ports/payment-rail.ts';
import { httpRail } from '../../../../../src/outside/http-rail.ts';
import type { Random } from '../../../random.ts';
import type { Bug } from '../../bugs.ts';
import { callsOf, type Turns } from '../../engine/turns.ts';
import type { Faults } from '../../faults.ts';
import type { LiveProcess } from '../../installation.ts';
import { lettersEveryMs } from '../letters.ts';
import { type Outbox, openMailServer } from '../mails.ts';
import type { Answer, createNetwork, Request } from '../network.ts';
import { openScreening } from '../screening.ts';
import { railService } from './rail-service.ts';
import { routeConnections } from './route.ts';
import { screeningService } from './screening-service.ts';
import { smtpServer } from './smtp-server.ts';

export const outsides = ['ports', 'network'] as const;
export type Outside = (typeof outsides)[number];

type Deps = {
  readonly turns: Turns;
  readonly faults: Faults;
  readonly random: Random;
  readonly now: () => number;
  readonly newId: () => string;
  readonly logEnd: () => Promise<bigint>;
  readonly outboxOf: (id: string) => Promise<Outbox>;
  readonly network: Pick<ReturnType<typeof createNetwork>, 'send'>;
  readonly processes: () => readonly LiveProcess[];
  /** What knows of the payments that it has taken, wherever it is asked. */
  readonly rail: PaymentRail;
  readonly planted: Bug;
};

const asItIs = <One>(one: One): One => one;

export function openOutside(where: Outside, deps: Deps) {
  const { turns, faults, random, now, newId, logEnd, outboxOf, network, processes, rail, planted } = deps;
  const isFar = where === 'network';
  const back = callsOf(turns, 'answer to who is elsewhere', () => undefined);
  /** To one of the processes that take requests, as from behind a balancer. */
  const post = async (request: Request): Promise<Answer | undefined> => {
    const found = random.pick(processes().filter(({ process, server }) => process.isAlive() && server()));
    const server = found?.server();
    if (!found || !server || faults.strikes('request lost')) return undefined;
    const answer = await Promise.race([network.send(found.process, server, request), found.ended]);
    await back();
    return faults.strikes('answer lost') ? undefined : (answer ?? undefined);
  };
  const elsewhere = { faults, random, now, newId, post };
  const overHttp = () => screeningService({ ...elsewhere, changed: planted.screening ?? asItIs });
  const screening = openScreening({
    ...{ turns, faults, random, now, logEnd },
    wayOf: isFar ? overHttp() : undefined,
  });
  const overSmtp = () => smtpServer({ faults, random, changed: planted.mailer ?? asItIs });
  const mailServer = openMailServer({ turns, faults, outboxOf, wayOf: isFar ? overSmtp() : undefined });
  const farRail = isFar
    ? railService({ ...elsewhere, turns, rail, connect: (planted.rail ?? asItIs)(httpRail) })
    : undefined;
  setInterval(() => {
    screening.work();
    farRail?.work();
  }, lettersEveryMs);
  const places = new Map([...screening.places, ...mailServer.places, ...(farRail?.places ?? [])]);
  const connections = places.size > 0 ? routeConnections({ turns, places }) : undefined;
  return {
    screening,
    mailServer,
    farRail,
    isWaiting: () => screening.isWaiting() || (farRail?.isWaiting() ?? false),
    end: () => connections?.end(),
  };
}
