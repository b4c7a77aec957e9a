/** Asked at each look; says which databases nobody was connected to at so many looks in a row. */
export function forgottenAfter(
  looksMax: number,
): (databases: readonly string[], used: ReadonlySet<string>) => readonly string[] {
  let unused = new Map<string, number>();
  return (databases, used) => {
    unused = new Map(databases.map((name) => [name, used.has(name) ? 0 : (unused.get(name) ?? 0) + 1]));
    return databases.filter((name) => (unused.get(name) ?? 0) >= looksMax);
  };
}
