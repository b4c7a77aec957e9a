import { spawn } from 'node:child_process';
import { open } from 'node:fs/promises';
import type { Cluster } from './cluster.ts';

/** So long the server may take to end in order, and then to end at once. */
export const orderlyMaxSeconds = 4;
export const atOnceMaxSeconds = 2;

/**
 * Waits for its fourth descriptor to close, which happens however the service ends, then stops the server that it
 * started: no Postgres outlives a service that was killed. A server that recovers from the crash of one of its
 * processes can miss the first signal, and one that is stopped or hangs answers none but the last. It runs in a
 * process group of its own, so Ctrl-C reaches the service alone, which finishes its requests first. What the service is
 * told by its environment, secrets and addresses with passwords, the server and what is run in it have no use for. Of
 * programs it has those of coreutils alone, as the image does.
 */
const guardian = `
for name in $(env | while IFS='=' read -r name _; do
  case $name in
    *[!A-Z0-9_]*) ;;
    DAYBOOK_*|*_URL) echo "$name" ;;
  esac
done); do
  unset "$name"
done
cluster=$1; shift
"$@" <&- 3<&- & server=$!
trap '' INT TERM HUP
(
  cat >/dev/null
  kill -INT $server; sleep ${orderlyMaxSeconds}
  kill -QUIT $server; sleep ${atOnceMaxSeconds}
  others=
  for one in /proc/[0-9]*; do
    [ "$(readlink "$one/cwd")" = "$cluster" ] && [ "\${one#/proc/}" != "$server" ] && others="$others \${one#/proc/}"
  done
  kill -KILL $others $server
) <&3 2>/dev/null & watch=$!
exec 3<&-
wait $server
kill -KILL $watch
`;

export type Server = {
  readonly exited: Promise<void>;
  /** Ends it in order where it can, and within seconds in any case. */
  stop(): Promise<void>;
};

/** Starts the server of a cluster under its guardian; what it says goes to the log file. */
export async function launchServer(
  { directory, command }: Cluster,
  settings: Readonly<Record<string, string>>,
  logFile: string,
): Promise<Server> {
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const output = await open(logFile, 'a', 0o600);
  const args = ['-c', guardian, 'guardian', directory, ...command, '-D', directory, ...flags];
  const child = spawn('sh', args, { stdio: ['ignore', output.fd, output.fd, 'pipe'], detached: true });
  const lifeline = child.stdio[3];
  const exited = new Promise<void>((resolve) => {
    child.once('exit', resolve);
    child.once('error', resolve);
  }).then(() => void lifeline?.destroy());
  lifeline?.on('error', () => undefined);
  await output.close();
  return {
    exited,
    async stop() {
      lifeline?.destroy();
      await exited;
    },
  };
}
