/** Work that Node does beside its event loop: files, names, keys. While there is any, nothing has come to rest. */

/** What Node holds open while nothing happens. */
const idle = new Set([
  'TCPSocketWrap',
  'TCPServerWrap',
  'PipeWrap',
  'TTYWrap',
  'ProcessWrap',
  'MessagePort',
  'Timeout',
]);

let atWork = 0;

/** Node tells of no work of WebCrypto; so it is counted. */
export function countWebCrypto(): void {
  // biome-ignore lint/suspicious/noExplicitAny: any method of it
  const methods = crypto.subtle.constructor.prototype as any;
  for (const name of Object.getOwnPropertyNames(methods)) {
    const method = methods[name];
    if (typeof method !== 'function' || name === 'constructor' || method.isCounted) continue;
    const counted = async function (this: unknown, ...args: unknown[]) {
      atWork += 1;
      try {
        return await method.apply(this, args);
      } finally {
        atWork -= 1;
      }
    };
    methods[name] = Object.assign(counted, { isCounted: true });
  }
}

export const isNodeAtWork = (): boolean =>
  atWork > 0 || process.getActiveResourcesInfo().some((kind) => !idle.has(kind));
