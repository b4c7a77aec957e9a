/** Connects what the operator has named: a module, or a service. */
import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { PaymentRail } from '../../domain/ports/payment-rail.ts';
import type { CreateRail, Rail, RailContext, RailReports } from '../../domain/ports/rail-module.ts';
import { logOfOutside } from '../../infrastructure/observe/log.ts';
import { httpRail } from '../../outside/http-rail.ts';
import { connectModule } from '../../outside/module.ts';
import type { ownRails as railNames } from '../outside-config.ts';
import { inDirectory } from '../start/directory.ts';
import type { Core } from './core/core.ts';

const railMethods = [
  'submit',
  'statusOf',
  'withdraw',
  'receiverAt',
  'checkName',
] as const satisfies readonly (keyof PaymentRail)[];

/** The rail of the configuration; `undefined` where there is none. Throws an error that names the variable to change. */
export async function connectRail(
  { config, ids, log, installationNow: now }: Pick<Core, 'config' | 'ids' | 'log' | 'installationNow'>,
  reports: RailReports,
): Promise<Rail | undefined> {
  const { rail: place, railSettings: settings } = config.outside;
  if (!place) return undefined;
  const railLog = logOfOutside(log, 'rail');
  if (place.kind === 'service') {
    const address = { url: place.url, secret: place.secret ?? '' };
    return httpRail(address, { reports, newId: ids.uuid, now, log: railLog });
  }
  const directory = join(resolve(config.dataDirectory), 'rail');
  await inDirectory(config.dataDirectory, () => mkdir(directory, { recursive: true, mode: 0o700 }));
  const context: RailContext = { reports, directory, settings, now, log: railLog };
  if (place.kind === 'own') return ownRails[place.name](context);
  return connectModule({ variable: 'DAYBOOK_RAIL', path: place.path }, context, railMethods);
}

/** Loaded by those who use them. */
const ownRails = {
  iso20022: async (context: RailContext) => (await import('../../outside/iso20022/rail.ts')).default(context),
} as const satisfies Readonly<Record<(typeof railNames)[number], CreateRail>>;
