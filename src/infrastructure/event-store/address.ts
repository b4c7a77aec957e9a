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
    'tls',
    'tlsCAFile',
    'userCertFile',
    'userKeyFile',
  ].map(flat),
);

/** The client knows these, too. With one of them it prints the address, and does nothing else; with the other it hides refusals. */
const useless: ReadonlyMap<string, string> = new Map([
  ['tlsverifycert', 'has the option tlsVerifyCert, which does nothing: name the authority by tlsCAFile'],
  ['throwonappendfailure', 'has the option throwOnAppendFailure: what is not appended has to be told'],
]);

/** What is wrong with an address, as the end of a sentence that begins with its variable; the rest the client says. */
export function faultOfAddress(address: string): string | undefined {
  if (!/^esdb(\+discover)?:\/\/\S+$/.test(address))
    return 'must be an address like esdb://host:2113, esdb://host1:2113,host2:2113 or esdb+discover://name:2113';
  const [, query = ''] = bare(address).split('?');
  const names = query.split('&').flatMap((pair) => (pair === '' ? [] : [pair.split('=')[0] ?? '']));
  const unknown = names.find((name) => !options.has(flat(name)));
  return unknown === undefined
    ? undefined
    : (useless.get(flat(unknown)) ?? `has an option that the client does not know${named(unknown)}`);
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
