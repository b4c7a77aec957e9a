/** The bounds of what an operator writes into the log. */
import { userInfo } from 'node:os';
import { bounds } from '../../../domain/values/bounds.ts';
import { UsageError } from '../usage-error.ts';

/** Throws `UsageError`. */
export function bounded(option: string, text: string): string {
  const trimmed = text.trim();
  if (trimmed.length > 0 && trimmed.length <= bounds.remark) return trimmed;
  throw new UsageError(`${option} takes 1 to ${bounds.remark} characters.`);
}

/** Who runs the command: a container may run as a number that has no name. */
export function userOfMachine(named: () => string = () => userInfo().username): string {
  try {
    return named();
  } catch {
    return `uid ${process.getuid?.()}`;
  }
}

/** The actor of what is recorded. `user` says who it is where nobody is named. Throws `UsageError`. */
export const operatorNamed = (actor: string | undefined, user: () => string = userOfMachine): string =>
  `operator:${bounded('--actor', actor ?? user())}`;
