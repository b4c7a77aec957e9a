/** The lives of whole installations, for making one shorter. */
import { type AnyScript, shrink } from '../shrink.ts';
import { allFaults } from './faults.ts';
import type { Script } from './life.ts';
import { startServer } from './ports/postgres.ts';
import { tryOut } from './rules/rules.ts';

export const faultsOfInstallations: readonly string[] = allFaults;

/** Each takes seconds. */
const livesMax = 60;

export async function shrinkInstallation(script: AnyScript, rule: string): Promise<AnyScript> {
  const server = await startServer();
  const violationsOf = async (candidate: Script) => (await tryOut(server, candidate)).violations;
  try {
    return await shrink(script as Script, rule, { violationsOf, faults: allFaults, livesMax });
  } finally {
    await server.stop();
  }
}
