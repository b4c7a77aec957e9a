/** The lives of whole installations, for making one shorter. */
import { type AnyScript, shrink } from '../shrink.ts';
import { allFaults, usualFaults } from './faults.ts';
import type { Script } from './life.ts';
import { startServer } from './ports/postgres.ts';
import { tryOut } from './rules/rules.ts';

export const faultsOfInstallations = (log: string): readonly string[] =>
  log === 'eventstoredb' ? allFaults : usualFaults;

/** Each takes seconds. */
const livesMax = 60;

export async function shrinkInstallation(script: AnyScript, rule: string): Promise<AnyScript> {
  const server = await startServer();
  const violationsOf = async (candidate: Script) => (await tryOut(server, candidate)).violations;
  try {
    return await shrink(script as Script, rule, {
      violationsOf,
      faults: faultsOfInstallations(script.log ?? ''),
      livesMax,
    });
  } finally {
    await server.stop();
  }
}
