import { describe, expect, it } from 'vitest';
import { faultOfAddress, hostsOf } from '../../../src/infrastructure/event-store/address.ts';

describe('an address of EventStoreDB', () => {
  it.each([
    ['esdb://host', 'host'],
    ['esdb://host:2113?tls=false', 'host:2113'],
    ['esdb+discover://cluster.example:2113', 'cluster.example:2113'],
    [
      'esdb://ada:pass@one:2113,two:2113,three:2113?tls=true&nodePreference=leader',
      'one:2113,two:2113,three:2113',
    ],
    ['esdb://ada:s3/cret@one:2113', 'one:2113'],
    ['esdb://ada:s3?cret@one:2113', 'one:2113'],
    ['esdb://ada:p@ss@one:2113/?tlsCAFile=ca.pem&Keep-Alive_Interval=10', 'one:2113'],
  ])('%s is taken, and shown without its password', (address, hosts) => {
    expect([faultOfAddress(address), hostsOf(address)]).toEqual([undefined, hosts]);
  });

  it.each([
    ['kurrentdb://host', /must be an address like esdb:\/\/host:2113/],
    ['http://host:2113', /must be an address like/],
    ['esdb://', /must be an address like/],
    ['esdb://one:2113, two:2113', /must be an address like/],
    [
      'esdb://ada:hush-hush@host?tls=true&tls-verify-cert=false',
      /^has the option tlsVerifyCert, .+ tlsCAFile$/,
    ],
    ['esdb://ada:hush-hush@host?throwOnAppendFailure=false', /^has the option throwOnAppendFailure: /],
    ['esdb://ada:hush-hush@host?tsl=false', /^has an option that the client does not know: tsl$/],
  ])('%s is refused', (address, fault) => {
    expect(faultOfAddress(address)).toMatch(fault);
  });
});
