/** What runs in the container: the service, and between two runs of it what copies its data directory. */

export const supervisorPath = '/tmp/daybook-supervisor.sh';

/** Holds the data directory that is used, and the snapshots beside it. */
const home = '/var/lib/daybook';
export const dataDirectory = `${home}/current`;
const request = '/tmp/daybook-request';
const pidFile = '/tmp/daybook.pid';

const failure = '/tmp/daybook-failure';

/**
 * A stopped service has closed its Postgres in order, so its files are of one moment. What copying them said where it
 * failed is kept until somebody asks.
 */
export const supervisor = `#!/bin/sh
stopping=
trap 'stopping=1; kill -TERM "$service" 2>/dev/null' TERM INT
while :; do
  node --max-semi-space-size=32 --v8-pool-size=2 --expose-gc src/main.js & service=$!
  echo "$service" >${pidFile}
  wait "$service"; status=$?
  while kill -0 "$service" 2>/dev/null; do wait "$service"; status=$?; done
  [ -z "$stopping" ] && [ -f ${request} ] || exit "$status"
  sh ${request} >${failure}.new 2>&1 && rm ${failure}.new || mv ${failure}.new ${failure}
  rm ${request}
done
`;

const pathOf = (name: string) => {
  if (!/^[\w-]{1,64}$/.test(name))
    throw new Error(`a snapshot is named by letters, digits, - and _, not ${JSON.stringify(name)}`);
  return `${home}/snapshots/${name}`;
};

/** Ends the service, and has the supervisor run the commands before it starts the next one. */
const between = (commands: string) =>
  `printf '%s' '${commands}' >${request}.new && mv ${request}.new ${request} && kill -TERM "$(cat ${pidFile})"`;

/** What is there stays until its successor is whole. */
const copied = (from: string, to: string) =>
  `rm -rf ${to}.new && { cp -a ${from} ${to}.new || { rm -rf ${to}.new; false; }; } && rm -rf ${to} && mv ${to}.new ${to}`;

export const takingSnapshot = (name: string): string =>
  between(`mkdir -p ${home}/snapshots && ${copied(dataDirectory, pathOf(name))}`);

/** Fails where there is no such snapshot. */
export const restoringSnapshot = (name: string): string =>
  `test -d ${pathOf(name)} && ${between(copied(pathOf(name), dataDirectory))}`;

export const isAtWork = `test -f ${request}`;

/** Fails, with what was said, where the files could not be copied; once. */
export const failed = `if [ -f ${failure} ]; then cat ${failure}; rm ${failure}; exit 1; fi`;
