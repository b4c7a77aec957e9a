import { rebuild } from '../../../../projections/projector/rebuild/rebuild.ts';
import { projections } from '../../../../projections/projector/run.ts';
import { onLog } from './beside.ts';
import { buildShown } from './building.ts';

/** The read models that may be named. */
export const modelNames = projections.map(({ name }) => name);

/**
 * Builds read models anew from the log, all of them unless some are named, beside the live ones, and swaps them. The
 * service may be running.
 */
export const rebuildModels = (names: readonly string[]): Promise<void> =>
  onLog(async (opened) => {
    const models = projections.filter(({ name }) => names.length === 0 || names.includes(name));
    const started = performance.now();
    const events = await buildShown(opened, (deps, onProgress) => rebuild(deps, models, { onProgress }));
    const seconds = ((performance.now() - started) / 1000).toFixed(1);
    process.stdout.write(
      `Rebuilt ${models.map(({ name }) => name).join(', ')} from ${events} events in ${seconds} s.\n`,
    );
  });
