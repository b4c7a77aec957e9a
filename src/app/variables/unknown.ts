/** Variables that begin like ours and are none of ours: most of them are misspelt. */
import { nearestOf } from '../../kernel/nearest.ts';

const prefix = 'DAYBOOK_';
/** What these name may be a module, which reads variables of its own: they begin like it, with `_`. */
const places = ['DAYBOOK_RAIL', 'DAYBOOK_SCREENING'] as const;
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
      !places.some((place) => name.startsWith(`${place}_`)),
  );
  return unknown.map(([name]) => ({ name, meant: meantBy(name.slice(prefix.length), known) }));
}

/** Those of `set` that are for a rail or a screening where none is named, each with the variable that would name it. */
export const idleVariables = (set: Readonly<Record<string, string | undefined>>) =>
  places.flatMap((place) =>
    Object.entries(set).flatMap(([name, value]) =>
      set[place] === undefined && name.startsWith(`${place}_`) && !isOfKubernetes(name, value ?? '')
        ? [{ name, place }]
        : [],
    ),
  );

const isOfKubernetes = (name: string, value: string): boolean =>
  ofKubernetes.test(name) || (addressOfKubernetes.name.test(name) && addressOfKubernetes.value.test(value));

/** By names without the prefix: `DAYBOOK_LOG_LEVEL` is a slip too. */
function meantBy(name: string, known: readonly string[]): string | undefined {
  const named = new Map(known.map((full) => [full.replace(prefix, ''), full]));
  const begun = [...named.keys()].filter((one) => one.startsWith(name));
  const meant = nearestOf(name, named.keys()) ?? (begun.length === 1 ? begun[0] : undefined);
  return meant === undefined ? undefined : named.get(meant);
}
