/** Why an address cannot be listened on, in words for who has to change it. */
import { codeOf } from '../../infrastructure/error-code.ts';
import { cannotStart, wordsOf } from './cannot-start.ts';

type Address = { readonly host: string; readonly port: number };
/** The variables that the address comes from: two, or one that has both parts. */
type Named = { readonly host: string; readonly port: string };

/** What `listen` comes to. Throws `CannotStart` where the address is not to be had. */
export async function listening<Server>(
  { host, port }: Address,
  named: Named,
  listen: () => Promise<Server>,
): Promise<Server> {
  try {
    return await listen();
  } catch (cause) {
    throw cannotStart({ cause, ...troubleWith(cause, { host, port }, named) });
  }
}

function troubleWith(error: unknown, { host, port }: Address, named: Named) {
  const isOneVariable = named.host === named.port;
  const whole = (example: string) => (isOneVariable ? `${example}:${port}` : example);
  switch (codeOf(error)) {
    case 'EADDRINUSE':
      return {
        variable: named.port,
        tried: `the port ${port} of ${host} is in use (EADDRINUSE)`,
        next: `Stop what listens there, or set ${named.port} to another one${isOneVariable ? '' : ', or to 0 for a free one'}`,
      };
    case 'EACCES':
      return {
        variable: named.port,
        tried: `this user may not listen on the port ${port}`,
        next: `Set ${named.port} to one above 1023`,
      };
    default:
      return {
        variable: named.host,
        tried: `${host} is no address of this machine (${codeOf(error) || wordsOf(error)})`,
        next: `Set ${named.host} to ${whole('127.0.0.1')}, or to ${whole('0.0.0.0')} for all`,
      };
  }
}
