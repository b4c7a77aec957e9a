import { describe, expect, it } from 'vitest';
import type { PlatformEvent } from '../../../src/domain/platforms/events.ts';
import { platform } from '../../../src/domain/platforms/platform.ts';
import { platformId } from '../../support/builders/identities.ts';
import { testStart as at } from '../../support/clock.ts';
import { specFor, stateOf } from '../../support/spec.ts';

const given = specFor(platform);
const [url, other] = ['https://hooks.example/a', 'https://hooks.example/b'];

const created: PlatformEvent = {
  type: 'PlatformCreated',
  data: {
    platformId,
    environment: 'sandbox',
    umaDomain: 'pay.example',
    defaultRegion: 'US',
    supportedCurrencies: [],
    embeddedWalletConfig: {
      otpLength: 6,
      alphanumeric: false,
      expirationSeconds: 300,
      sendFromEmailSenderName: 'Notifications',
    },
    at,
  },
};
const changed = (webhookEndpoint: string | null): PlatformEvent => ({
  type: 'PlatformConfigChanged',
  data: { platformId, webhookEndpoint, at },
});
const disabled: PlatformEvent = {
  type: 'WebhookEndpointDisabled',
  data: { platformId, webhookEndpoint: url, at },
};
const set = (webhookEndpoint: string | null) =>
  ({ type: 'ChangeConfig', changes: { webhookEndpoint }, at }) as const;
const disable = (webhookEndpoint: string) =>
  ({ type: 'DisableWebhookEndpoint', webhookEndpoint, at }) as const;

describe("a platform's webhook endpoint", () => {
  it('is set', () => given(created).when(set(url)).then(changed(url)));
  it('is replaced', () => given(created, changed(url)).when(set(other)).then(changed(other)));
  it('is removed', () => given(created, changed(url)).when(set(null)).then(changed(null)));
  it('is not set twice', () => given(created, changed(url)).when(set(url)).thenNothing());
  it('cannot be removed where there is none', () => given(created).when(set(null)).thenNothing());
});

describe('an endpoint that is gone', () => {
  it('is disabled', () => given(created, changed(url)).when(disable(url)).then(disabled));
  it('is disabled once', () => given(created, changed(url), disabled).when(disable(url)).thenNothing());
  it('does not take its successor with it', () =>
    given(created, changed(url), changed(other)).when(disable(url)).thenNothing());
  it('can be set again', () => given(created, changed(url), disabled).when(set(url)).then(changed(url)));
  it('can be removed for good', () =>
    given(created, changed(url), disabled).when(set(null)).then(changed(null)));

  it('is not there until it is set again', () => {
    expect(stateOf(platform, created, changed(url), disabled)).toMatchObject({
      webhookEndpointDisabledAt: at,
    });
    expect(stateOf(platform, created, changed(url), disabled)).not.toHaveProperty('webhookEndpoint');
    const again = stateOf(platform, created, changed(url), disabled, changed(url));
    expect(again).toMatchObject({ webhookEndpoint: url });
    expect(again).not.toHaveProperty('webhookEndpointDisabledAt');
  });
});
