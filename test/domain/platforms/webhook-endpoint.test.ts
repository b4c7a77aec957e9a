import { describe, expect, it } from 'vitest';
import { platform } from '../../../src/domain/platforms/platform.ts';
import { configChanged, platformCreated, webhookEndpointDisabled } from '../../support/builders/customers.ts';
import { specFor, stateOf } from '../../support/builders/spec.ts';
import { testStart as at } from '../../support/time/clock.ts';

const given = specFor(platform);
const [url, other] = ['https://hooks.example/a', 'https://hooks.example/b'];

const created = platformCreated();
const changed = (webhookEndpoint: string | null) => configChanged({ webhookEndpoint });
const disabled = webhookEndpointDisabled(url);
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
