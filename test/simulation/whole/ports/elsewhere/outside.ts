/** Who checks customers and who takes mails: at the ports of the service, or over a network, by its own connectors. */
import type { Random } from '../../../random.ts';
import type { Bug } from '../../bugs.ts';
import { callsOf, type Turns } from '../../engine/turns.ts';
import type { Faults } from '../../faults.ts';
import type { LiveProcess } from '../../installation.ts';
import { type Outbox, openMailServer } from '../mails.ts';
import type { Answer, createNetwork, Request } from '../network.ts';
import { openScreening, screeningEveryMs } from '../screening.ts';
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
  readonly planted: Bug;
};

const asItIs = <One>(one: One): One => one;

export function openOutside(where: Outside, deps: Deps) {
  const { turns, faults, random, now, newId, logEnd, outboxOf, network, processes, planted } = deps;
  const isFar = where === 'network';
  const back = callsOf(turns, 'answer to the screening', () => undefined);
  /** To one of the processes that take requests, as from behind a balancer. */
  const post = async (request: Request): Promise<Answer | undefined> => {
    const found = random.pick(processes().filter(({ process, server }) => process.isAlive() && server()));
    const server = found?.server();
    if (!found || !server || faults.strikes('request lost')) return undefined;
    const answer = await Promise.race([network.send(found.process, server, request), found.ended]);
    await back();
    return faults.strikes('answer lost') ? undefined : (answer ?? undefined);
  };
  const overHttp = () =>
    screeningService({ faults, random, now, newId, post, changed: planted.screening ?? asItIs });
  const screening = openScreening({
    ...{ turns, faults, random, now, logEnd },
    wayOf: isFar ? overHttp() : undefined,
  });
  setInterval(screening.work, screeningEveryMs);
  const overSmtp = () => smtpServer({ faults, random, changed: planted.mailer ?? asItIs });
  const mailServer = openMailServer({ turns, faults, outboxOf, wayOf: isFar ? overSmtp() : undefined });
  const places = new Map([...screening.places, ...mailServer.places]);
  const connections = places.size > 0 ? routeConnections({ turns, places }) : undefined;
  return { screening, mailServer, end: () => connections?.end() };
}
