/** What requests about wallets carry. */
import { z } from 'zod';
import { bounds } from '../../domain/values/bounds.ts';
import { email, printableAnywhere } from '../../domain/values/text.ts';
import { idSchema } from '../../kernel/ids.ts';
import { isClientPublicKey } from '../../use-cases/wallets/crypto/hpke.ts';
import { transports } from '../../use-cases/wallets/crypto/passkeys.ts';
import { authMethodType } from '../fields/enumerations.ts';

const keyLength = 130;
const clientPublicKey = z
  .string()
  .regex(/^04[0-9a-fA-F]{128}$/, 'must be an uncompressed point in hex: 04 and 128 digits')
  .refine(isClientPublicKey, 'must be a point on the curve P-256')
  .meta({ description: 'A P-256 key of the client: uncompressed SEC1 in hex.' });

/** Base64url of what a browser made; long enough for any attestation without a certificate chain of its own. */
const base64url = z
  .string()
  .min(1)
  .max(bounds.proof)
  .regex(/^[A-Za-z0-9_-]+=*$/, 'must be base64url');

const nickname = z
  .string()
  .trim()
  .min(1)
  .max(100)
  .regex(
    /^(?:\p{L}\p{M}*|[\p{N} ._\-'()])+$/u,
    "may have letters with their marks, digits, spaces and . _ - ' ( )",
  )
  .meta({ pattern: printableAnywhere });

const transportList = z.array(z.enum(transports)).max(transports.length);
const oidcToken = z.string().min(1).max(bounds.proof);
const accountId = idSchema('InternalAccount');

const passkeyRegistration = z
  .object({
    type: z.literal('PASSKEY'),
    accountId,
    nickname,
    challenge: z.string().min(1).max(1024),
    attestation: z.object({
      credentialId: base64url,
      clientDataJson: base64url,
      attestationObject: base64url,
      transports: transportList.optional(),
    }),
    transports: transportList.optional(),
  })
  .meta({ id: 'PasskeyCreateRequest' });

const unusedNickname = z
  .string()
  .max(255)
  .optional()
  .meta({ description: 'Taken and ignored: the credential is named by its e-mail address.' });

export const addCredentialRequest = z
  .discriminatedUnion('type', [
    z
      .object({
        type: z.literal('EMAIL_OTP'),
        accountId,
        email: email.optional(),
        nickname: unusedNickname,
      })
      .meta({ id: 'EmailOtpCreateRequest' }),
    z
      .object({ type: z.literal('OAUTH'), accountId, oidcToken, nickname: unusedNickname })
      .meta({ id: 'OauthCreateRequest' }),
    passkeyRegistration,
  ])
  .transform((asked) => {
    if (asked.type === 'PASSKEY') return asked;
    const { nickname: _unused, ...used } = asked;
    return used;
  })
  .meta({ id: 'AuthMethodCreateRequest' });

/** Looked at for a PASSKEY only, which needs the key. */
export const challengeRequest = z
  .object({
    clientPublicKey: z
      .unknown()
      .optional()
      .meta({
        override: { type: 'string', maxLength: keyLength },
        description: 'Needed for PASSKEY, ignored otherwise.',
      }),
  })
  .meta({ id: 'AuthChallengeRequest' });

export const verifyRequest = z
  .object({
    type: authMethodType.optional(),
    otp: z.string().min(1).max(64).optional().meta({ description: 'For EMAIL_OTP.' }),
    oidcToken: oidcToken.optional().meta({ description: 'For OAUTH.' }),
    clientPublicKey: clientPublicKey.optional().meta({ description: 'For EMAIL_OTP and OAUTH.' }),
    assertion: z
      .object({
        credentialId: base64url,
        clientDataJson: base64url,
        authenticatorData: base64url,
        signature: base64url,
        userHandle: z.union([base64url, z.literal('')]).nullish(),
      })
      .optional()
      .meta({ description: 'For PASSKEY.' }),
  })
  .meta({ id: 'AuthVerifyRequest' });

export const keyRequest = z.object({ clientPublicKey });
