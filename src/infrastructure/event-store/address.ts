/** Addresses of EventStoreDB as its client takes them: one host, several of a cluster, or a name to discover it by. */

/** What the client knows; it prints an address with another one as a whole, password included. */
const options = new Set(
  [
    'connectionName',
    'defaultDeadline',
    'discoveryInterval',
    'gossipTimeout',
    'keepAliveInterval',
    'keepAliveTimeout',
    'maxDiscoverAttempts',
    'nodePreference',
    'throwOnAppendFailure',
    'tls',
    'tlsCAFile',
    'tlsVerifyCert',
    'userCertFile',
    'userKeyFile',
  ].map(flat),
);

/** What is wrong with an address, as the end of a sentence that begins with its variable; the rest the client says. */
export function faultOfAddress(address: string): string | undefined {
  if (!/^esdb(\+discover)?:\/\/\S+$/.test(address))
    return 'must be an address like esdb://host:2113, esdb://host1:2113,host2:2113 or esdb+discover://name:2113';
  const [, query = ''] = bare(address).split('?');
  const unknown = query
    .split('&')
    .find((pair) => pair !== '' && !options.has(flat(pair.split('=')[0] ?? '')));
  return unknown === undefined
    ? undefined
    : `has an option that the client does not know${named(unknown.split('=')[0] ?? '')}`;
}

/** Where the servers are, without the user and the password that may stand before them. */
export function hostsOf(address: string): string {
  const [place = ''] = bare(address).split(/[/?]/);
  return place.slice(place.lastIndexOf('@') + 1);
}

/** Without scheme, user and password, where the client finds them: these may have any characters. */
const bare = (address: string): string => address.replace(/^[^:]+:\/\//, '').replace(/^[^:]+:[^@]+@/, '');

/** What looks like no option may be a part of a password. */
const named = (option: string): string => (/^[\w-]{1,40}$/.test(option) ? `: ${option}` : '');

/** The client reads options in any case, with dashes and underscores. */
function flat(option: string): string {
  return option.trim().toLowerCase().replaceAll(/[_-]/g, '');
}
