import { usedKeysOfPages } from '../../../../projections/kept/used-keys.ts';
import { projections } from '../../../../projections/projector/projections.ts';
import { rebuild } from '../../../../projections/projector/rebuild/rebuild.ts';
import { openClock } from '../../parts/clock.ts';
import { onLog } from './beside.ts';
import { buildShown } from './building.ts';

/** The read models that may be named. */
export const modelNames = projections.map(({ name }) => name);

/**
 * Builds read models anew from the log, all of them unless some are named, beside the live ones, and swaps them. Keys of
 * requests that their table lacks are put back. The service may be running.
 */
export const rebuildModels = (names: readonly string[]): Promise<void> =>
  onLog(async (opened) => {
    const models = projections.filter(({ name }) => names.length === 0 || names.includes(name));
    const clock = await openClock(opened.databaseUrl, opened.log);
    const started = performance.now();
    const events = await buildShown(opened, async (deps, onProgress) => {
      // They may say that somebody is erased whose key was filled in since.
      if (names.length === 0) await deps.forgetClosings();
      return rebuild(deps, models, { onProgress, onPage: usedKeysOfPages(deps.db, clock.now()) });
    });
    const seconds = ((performance.now() - started) / 1000).toFixed(1);
    process.stdout.write(
      `Rebuilt ${models.map(({ name }) => name).join(', ')} from ${events} events in ${seconds} s.\n`,
    );
  });
