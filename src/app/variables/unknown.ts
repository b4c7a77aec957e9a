/** Variables that begin like ours and are none of ours: most of them are misspelt. */
import { nearestOf } from '../../kernel/nearest.ts';

const prefix = 'DAYBOOK_';
/** What a connected module reads has names of its own. */
const ofModules = ['DAYBOOK_RAIL_', 'DAYBOOK_SCREENING_'];
/** Kubernetes sets these in every container beside a service of the name `daybook`. */
const ofKubernetes = /_SERVICE_(HOST|PORT)(_\w+)?$|_PORT_\d+_(TCP|UDP|SCTP)(_(PROTO|PORT|ADDR))?$/;
/** And this one, which somebody who means PORT sets as well: to a number. */
const addressOfKubernetes = { name: /_PORT$/, value: /^(tcp|udp|sctp):/ };

export type Unknown = {
  readonly name: string;
  /** The one that was meant; `undefined` where none is like it. */
  readonly meant: string | undefined;
};

/** Those of `set` that are unknown, each with the known one that is nearest. `known` has those without our prefix too. */
export function unknownVariables(
  set: Readonly<Record<string, string | undefined>>,
  known: readonly string[],
): readonly Unknown[] {
  const unknown = Object.entries(set).filter(
    ([name, value]) =>
      name.startsWith(prefix) &&
      !known.includes(name) &&
      !isOfKubernetes(name, value ?? '') &&
      !ofModules.some((module) => name.startsWith(module)),
  );
  return unknown.map(([name]) => ({ name, meant: meantBy(name.slice(prefix.length), known) }));
}

const isOfKubernetes = (name: string, value: string): boolean =>
  ofKubernetes.test(name) || (addressOfKubernetes.name.test(name) && addressOfKubernetes.value.test(value));

/** By names without the prefix: `DAYBOOK_LOG_LEVEL` is a slip too. */
function meantBy(name: string, known: readonly string[]): string | undefined {
  const named = new Map(known.map((full) => [full.replace(prefix, ''), full]));
  const begun = [...named.keys()].filter((one) => one.startsWith(name));
  const meant = nearestOf(name, named.keys()) ?? (begun.length === 1 ? begun[0] : undefined);
  return meant === undefined ? undefined : named.get(meant);
}
