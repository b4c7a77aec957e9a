/** Remembers the newest `max` names that it was given. */
export function createMemory(max: number) {
  const names = new Set<string>();
  /** In the order in which they came, round and round: to find the oldest in the set is to pass by all that were there. */
  const order: string[] = [];
  let next = 0;
  return {
    has: (name: string): boolean => names.has(name),
    add(name: string): void {
      if (names.has(name)) return;
      const oldest = order[next];
      if (oldest !== undefined) names.delete(oldest);
      names.add(name);
      order[next] = name;
      next = (next + 1) % max;
    },
  };
}
