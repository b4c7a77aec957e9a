/** Remembers the newest `max` names that it was given. */
export function createMemory(max: number) {
  const names = new Set<string>();
  return {
    has: (name: string): boolean => names.has(name),
    add(name: string): void {
      names.add(name);
      if (names.size <= max) return;
      // A set is in the order in which its members came.
      const [oldest = name] = names;
      names.delete(oldest);
    },
  };
}
