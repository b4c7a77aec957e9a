/**
 * What a customer's device does, as three commands:
 *   key                        makes a client key: {"publicKey", "privateKey"}, hex
 *   open BUNDLE PRIVATE_KEY    opens what was sealed to the key; prints hex
 *   stamp PRIVATE_KEY PAYLOAD  signs payloadToSign with a session key; prints Service-Wallet-Signature
 */
import { Aes256Gcm, CipherSuite, DhkemP256HkdfSha256, HkdfSha256 } from '@hpke/core';
import { p256 } from '@noble/curves/nist.js';
import bs58check from 'bs58check';

const hex = (bytes) => Buffer.from(bytes).toString('hex');
const bytes = (text) => new Uint8Array(Buffer.from(text, 'hex'));

const info = bytes('7475726e6b65795f68706b65');
const suite = new CipherSuite({
  kem: new DhkemP256HkdfSha256(),
  kdf: new HkdfSha256(),
  aead: new Aes256Gcm(),
});

const commands = {
  key() {
    const secret = p256.utils.randomSecretKey();
    return JSON.stringify({ publicKey: hex(p256.getPublicKey(secret, false)), privateKey: hex(secret) });
  },

  async open(bundle, privateKey) {
    const payload = bs58check.decode(bundle);
    const enc = p256.Point.fromBytes(payload.slice(0, 33)).toBytes(false);
    const own = p256.getPublicKey(bytes(privateKey), false);
    const recipientKey = await suite.kem.importKey('raw', bytes(privateKey), false);
    const recipient = await suite.createRecipientContext({ recipientKey, enc, info });
    return hex(new Uint8Array(await recipient.open(payload.slice(33), Uint8Array.of(...enc, ...own))));
  },

  stamp(privateKey, payloadToSign) {
    const signature = p256.sign(new TextEncoder().encode(payloadToSign), bytes(privateKey), {
      format: 'der',
    });
    const stamp = {
      publicKey: hex(p256.getPublicKey(bytes(privateKey), true)),
      scheme: 'SIGNATURE_SCHEME_TK_API_P256',
      signature: hex(signature),
    };
    return Buffer.from(JSON.stringify(stamp)).toString('base64url');
  },
};

const [name, ...args] = process.argv.slice(2);
const command = commands[name];
if (command) process.stdout.write(`${await command(...args)}\n`);
else {
  process.stderr.write(
    'Usage: wallet-client.mjs key | open BUNDLE PRIVATE_KEY | stamp PRIVATE_KEY PAYLOAD\n',
  );
  process.exitCode = 2;
}
