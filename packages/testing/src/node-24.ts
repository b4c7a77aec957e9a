/** Imported before all else: what follows uses what older versions of Node do not have. */
requireNode(process.versions.node);

/** Throws, with what to do, where the version of Node is too old. */
export function requireNode(version: string): void {
  if (Number.parseInt(version, 10) >= 24) return;
  throw new Error(
    `@daybook/testing needs Node 24 or newer, and this is Node ${version}. A working copy of Daybook has one in node_modules/.bin: put that folder first in PATH.`,
  );
}
