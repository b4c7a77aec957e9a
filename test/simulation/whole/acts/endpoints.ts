/** Where platforms want to be told of what happens: at another address, or nowhere for a while. */
import type { Random } from '../../random.ts';
import { type Backends, type PlatformNumber, platformNumbers } from '../client.ts';

/** Few enough to come back to one. */
const addressesMax = 3;
const offMaxMs = 12_000;

export const receiverUrl = (n: PlatformNumber, address = 0): string =>
  `https://platform-${n}.example/hooks/${address}`;

export const isReceiverOf = (n: PlatformNumber, url: string): boolean =>
  url.startsWith(`https://platform-${n}.example/`);

export function endpointsOf(
  { ask, read, pause, untilDecided }: Backends,
  { random }: { readonly random: Random },
) {
  const set = (by: PlatformNumber, webhookEndpoint: string | null) =>
    ask({ by, method: 'PATCH', path: '/config', body: { webhookEndpoint } });
  const somewhere = (by: PlatformNumber) => receiverUrl(by, random.below(addressesMax));

  const move = async (by: PlatformNumber) => void (await set(by, somewhere(by)));
  const switchOff = async (by: PlatformNumber) => {
    const [ms, next] = [random.below(offMaxMs), somewhere(by)];
    await set(by, null);
    await pause(ms);
    await set(by, next);
  };
  /** An operator looks whether the platform is told of anything, and sees to it. */
  const comeBack = async (by: PlatformNumber) => {
    const next = somewhere(by);
    const config = await read(by, '/config');
    if (config?.status === 200 && !config.body.webhookEndpoint) await set(by, next);
  };
  /** Once nothing fails any more, all are told. */
  const open = async () => {
    for (const by of platformNumbers) await untilDecided(() => set(by, receiverUrl(by)));
  };
  return { move, switchOff, comeBack, open };
}
