import type { AgentActionId } from '../../../kernel/ids.ts';

type Version<Action> = { readonly n: number; readonly action: Action };

/**
 * An agent's actions by id. Each version of the index is immutable to its holders; versions share one map, in which a
 * change counts only for the versions made after it. Changing the newest version takes constant time.
 */
export class ActionIndex<Action> {
  readonly #actions: Map<AgentActionId, Version<Action>[]>;
  readonly #newest: { n: number };
  readonly #n: number;

  private constructor(actions: Map<AgentActionId, Version<Action>[]>, newest: { n: number }, n: number) {
    this.#actions = actions;
    this.#newest = newest;
    this.#n = n;
  }

  static empty<Action>(): ActionIndex<Action> {
    return new ActionIndex<Action>(new Map(), { n: 0 }, 0);
  }

  /** How many actions there are, those of newer versions included. */
  get size(): number {
    return this.#actions.size;
  }

  get(id: AgentActionId): Action | undefined {
    return this.#actions.get(id)?.findLast(({ n }) => n <= this.#n)?.action;
  }

  /** The version in which the action is this one. */
  with(id: AgentActionId, action: Action): ActionIndex<Action> {
    if (this.#newest.n !== this.#n) return this.#copy().with(id, action);
    const n = this.#n + 1;
    const versions = this.#actions.get(id);
    if (versions) versions.push({ n, action });
    else this.#actions.set(id, [{ n, action }]);
    this.#newest.n = n;
    return new ActionIndex(this.#actions, this.#newest, n);
  }

  /** Those of this version, in the order in which they came. */
  all(): readonly (readonly [AgentActionId, Action])[] {
    return [...this.#actions.keys()].flatMap((id) => {
      const action = this.get(id);
      return action === undefined ? [] : [[id, action] as const];
    });
  }

  #copy(): ActionIndex<Action> {
    const actions = new Map(this.all().map(([id, action]) => [id, [{ n: 0, action }]]));
    return new ActionIndex<Action>(actions, { n: 0 }, 0);
  }
}
