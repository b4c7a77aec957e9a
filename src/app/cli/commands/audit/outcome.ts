/** How an audit ends other than well, for scripts (docs/reference/commands.md). */
export const exitCodes = { notThere: 3, wrong: 4 } as const;

/** What was asked for is not in the log. */
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
