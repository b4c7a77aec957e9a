import { stringify } from '../../../../kernel/json.ts';
import { Fault } from '../../verify/verify.mjs';

/** How an audit ends other than well, for scripts (docs/reference/commands.md). */
export const exitCodes = { notThere: 3, wrong: 4 } as const;

/** What was asked for is not in the log, or there is no log. */
export class NotInLog extends Error {
  override name = 'NotInLog';
  readonly exitCode = exitCodes.notThere;
}

/** Something of the log contradicts something else: says so on standard error, and in the exit code. */
export function tellWrong(what: readonly string[]): void {
  if (what.length === 0) return;
  process.stderr.write(`${what.join('\n')}\n`);
  process.exitCode = exitCodes.wrong;
}

/** Says the fault that the work ends with, and its place: as JSON on standard output, or as text on standard error. */
export async function tellingFaults(json: boolean, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    const { name: _, ...fault } = error;
    if (json) process.stdout.write(`${stringify({ isRight: false, fault })}\n`);
    else process.stderr.write(`${error.message}\n`);
    process.exitCode = exitCodes.wrong;
  }
}
