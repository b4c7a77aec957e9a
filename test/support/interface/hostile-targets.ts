/** Addresses that a webhook must never reach, in every spelling that a URL allows. */

const v4 = [
  '0.0.0.0',
  '0.1.2.3',
  '10.0.0.1',
  '10.255.255.255',
  '100.64.0.1',
  '100.127.255.254',
  '127.0.0.1',
  '127.0.0.2',
  '127.1.2.3',
  '127.255.255.254',
  '169.254.0.1',
  '169.254.169.254',
  '169.254.170.2',
  '172.16.0.1',
  '172.31.255.254',
  '192.0.0.1',
  '192.0.0.8',
  '192.0.0.170',
  '192.0.2.1',
  '192.88.99.1',
  '192.168.0.1',
  '192.168.255.254',
  '198.18.0.1',
  '198.19.255.254',
  '198.51.100.1',
  '203.0.113.1',
  '224.0.0.1',
  '239.255.255.255',
  '240.0.0.1',
  '255.255.255.255',
  '192.31.196.1',
  '192.52.193.1',
  '192.175.48.1',
];
const v6 = [
  '::',
  '::1',
  '::2',
  '::127.0.0.1',
  '::10.0.0.1',
  '::ffff:0:127.0.0.1',
  '64:ff9b:1::1',
  '100::1',
  '100:0:0:1::1',
  '2001::1',
  '2001:0:4136:e378:8000:63bf:3fff:fdd2',
  '2001:2::1',
  '2001:10::1',
  '2001:20::1',
  '2001:db8::1',
  '2620:4f:8000::1',
  '3fff::1',
  '3fff:fff::1',
  '5f00::1',
  'fc00::1',
  'fd00::1',
  'fd00:ec2::254',
  'fe80::1',
  'fe80::a9fe:a9fe',
  'febf::1',
  'fec0::1',
  'ff00::1',
  'ff02::1',
  'ff05::2',
  'ffff::1',
  '4000::1',
  '1::1',
  '8000::1',
];

const bytesOf = (address: string) => address.split('.').map(Number);
const hex = (n: number) => n.toString(16).padStart(2, '0');
const pairs = ([a = 0, b = 0, c = 0, d = 0]: number[]) => `${hex(a)}${hex(b)}:${hex(c)}${hex(d)}`;

/** IPv6 addresses that lead to an IPv4 address, or look like it. */
const wrapped = v4.flatMap((address) => {
  const tail = pairs(bytesOf(address));
  return [`::ffff:${address}`, `::ffff:${tail}`, `::${tail}`, `64:ff9b::${tail}`, `2002:${tail}::1`];
});

/** Other spellings of an IPv4 address, which URLs take for the same. */
const spellings = v4.flatMap((address) => {
  const [a = 0, b = 0, c = 0, d = 0] = bytesOf(address);
  const whole = ((a * 256 + b) * 256 + c) * 256 + d;
  return [
    String(whole),
    `0x${whole.toString(16)}`,
    `0${whole.toString(8)}`,
    `0${a.toString(8)}.0${b.toString(8)}.0${c.toString(8)}.0${d.toString(8)}`,
    `0x${hex(a)}.${b}.0x${hex(c)}.${d}`,
    `${a}.${b}.${c * 256 + d}`,
    `${a}.${(b * 256 + c) * 256 + d}`,
    `${address}.`,
  ];
});

export const hostileAddresses: readonly string[] = [...v4, ...v6, ...wrapped];

export const hostileUrls: readonly string[] = [
  ...[...v4, ...spellings].map((host) => `https://${host}/`),
  ...[...v6, ...wrapped].map((host) => `https://[${host}]/`),
  'https://user@example.com/',
  'https://user:pw@example.com/',
  'https://:pw@example.com/',
  'https://a%40b@example.com/',
  'ftp://example.com/',
  'file:///etc/passwd',
  'gopher://example.com/',
  'javascript:alert(1)',
  'data:,x',
  'ws://example.com/',
  'unix:/var/run/docker.sock',
  'http+unix://%2Fvar%2Frun/x',
  '//example.com/',
  'example.com',
  '',
  'https://',
  'https:///',
  'https://1２7.0.0.1/',
  'https://①②⑦.⓪.⓪.①/',
  'https://127。0。0。1/',
  'https://[::1',
  'blob:https://x/',
];

export const harmlessAddresses: readonly string[] = [
  '1.1.1.1',
  '8.8.8.8',
  '9.255.255.255',
  '11.0.0.0',
  '100.63.255.255',
  '100.128.0.0',
  '126.255.255.255',
  '128.0.0.1',
  '169.253.255.255',
  '169.255.0.0',
  '172.15.255.255',
  '172.32.0.0',
  '192.0.1.1',
  '192.0.3.1',
  '192.167.255.255',
  '192.169.0.0',
  '198.17.255.255',
  '198.20.0.0',
  '203.0.114.0',
  '223.255.255.255',
  '2606:4700:4700::1111',
  '2001:4860:4860::8888',
  '2a00:1450::1',
  '2003::1',
  '2400:cb00::1',
  '2001:200::1',
];
