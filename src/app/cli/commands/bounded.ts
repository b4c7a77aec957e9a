/** The bounds of what an operator writes into the log. */
import { bounds } from '../../../domain/values/bounds.ts';
import { UsageError } from '../usage-error.ts';

/** Throws `UsageError`. */
export function bounded(option: string, text: string): string {
  const trimmed = text.trim();
  if (trimmed.length > 0 && trimmed.length <= bounds.remark) return trimmed;
  throw new UsageError(`${option} takes 1 to ${bounds.remark} characters.`);
}

/** The actor of what is recorded. `user` is who it is where nobody is named. Throws `UsageError`. */
export const operatorNamed = (actor: string | undefined, user: string): string =>
  `operator:${bounded('--actor', actor ?? user)}`;
