/** The lives of whole installations, for making one shorter. */
import { type AnyScript, shrink } from '../shrink.ts';
import { logFaults, networkFaults, usualFaults } from './faults.ts';
import type { Script } from './life.ts';
import { startServer } from './ports/database/postgres.ts';
import { tryOut } from './rules/rules.ts';

export const faultsOfInstallations = ({
  log,
  outside,
}: Pick<AnyScript, 'log' | 'outside'>): readonly string[] => [
  ...usualFaults,
  ...(log === 'eventstoredb' ? logFaults : []),
  ...(outside === 'network' ? networkFaults : []),
];

/** Each takes seconds. */
const livesMax = 60;

export async function shrinkInstallation(script: AnyScript, rule: string): Promise<AnyScript> {
  const server = await startServer();
  const violationsOf = async (candidate: Script) => (await tryOut(server, candidate)).violations;
  try {
    return await shrink(script as Script, rule, {
      violationsOf,
      faults: faultsOfInstallations(script),
      livesMax,
    });
  } finally {
    await server.stop();
  }
}
