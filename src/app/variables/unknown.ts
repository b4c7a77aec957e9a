/** Variables that begin like ours and are none of ours: most of them are misspelt. */
import { nearestOf } from '../../kernel/nearest.ts';

const prefix = 'DAYBOOK_';
/** What a connected module reads has names of its own. */
const ofModules = ['DAYBOOK_RAIL_', 'DAYBOOK_SCREENING_'];
/** Kubernetes sets these in every container beside a service of the name `daybook`. */
const ofKubernetes = /_SERVICE_(HOST|PORT)(_\w+)?$|_PORT(_\d+_(TCP|UDP|SCTP)(_(PROTO|PORT|ADDR))?)?$/;

export type Unknown = {
  readonly name: string;
  /** The one that was meant; `undefined` where none is like it. */
  readonly meant: string | undefined;
};

/** Those that are set and unknown, each with the known one that is nearest. `known` has those without our prefix too. */
export function unknownVariables(set: Iterable<string>, known: readonly string[]): readonly Unknown[] {
  const unknown = [...set].filter(
    (name) =>
      name.startsWith(prefix) &&
      !known.includes(name) &&
      !ofKubernetes.test(name) &&
      !ofModules.some((module) => name.startsWith(module)),
  );
  return unknown.map((name) => ({ name, meant: meantBy(name.slice(prefix.length), known) }));
}

/** By names without the prefix: `DAYBOOK_LOG_LEVEL` is a slip too. */
function meantBy(name: string, known: readonly string[]): string | undefined {
  const named = new Map(known.map((full) => [full.replace(prefix, ''), full]));
  const begun = [...named.keys()].filter((one) => one.startsWith(name));
  const meant = nearestOf(name, named.keys()) ?? (begun.length === 1 ? begun[0] : undefined);
  return meant === undefined ? undefined : named.get(meant);
}
