/**
 * Work that Node does beside its event loop: files, names, keys. While there is any, nothing has come to rest. Who is at
 * work there at the same time comes to an end in any order; so those of WebCrypto wait until they are let go, one by one.
 */

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

export const isNodeAtWork = (): boolean => process.getActiveResourcesInfo().some((kind) => !idle.has(kind));

type Work = () => Promise<void>;

const waiting: Work[] = [];
let holders = 0;

export type WebCrypto = {
  /** Ends when the work is done that was asked for first. `false` where none was. */
  readonly letOneGo: () => Promise<boolean>;
  /** Who waits goes no further; what is asked from now on does not wait. */
  readonly end: () => void;
};

/** Whatever is asked of WebCrypto from now on waits until it is let go. */
export function holdWebCrypto(): WebCrypto {
  routeWebCrypto();
  holders += 1;
  return {
    async letOneGo() {
      const work = waiting.shift();
      await work?.();
      return work !== undefined;
    },
    end() {
      holders -= 1;
      waiting.length = 0;
    },
  };
}

function routeWebCrypto(): void {
  // biome-ignore lint/suspicious/noExplicitAny: any method of it
  const methods = crypto.subtle.constructor.prototype as any;
  for (const name of Object.getOwnPropertyNames(methods)) {
    const method = methods[name];
    if (typeof method !== 'function' || name === 'constructor' || method.isRouted) continue;
    const routed = function (this: unknown, ...args: unknown[]) {
      if (holders === 0) return method.apply(this, args);
      return new Promise((resolve, reject) => {
        waiting.push(() => method.apply(this, args).then(resolve, reject));
      });
    };
    methods[name] = Object.assign(routed, { isRouted: true });
  }
}
