/** Where passkeys may be used: pages, and apps of Android, which name no host. */
import { z } from 'zod';

const ofApp = /^android:apk-key-hash:[A-Za-z0-9_-]{43}$/;

export const passkeyOrigin = z
  .string()
  .refine(
    (text) => ofApp.test(text) || (URL.canParse(text) && new URL(text).origin === text),
    'must be origins like https://wallet.example, or android:apk-key-hash:… of an app',
  );

type Variables = {
  readonly DAYBOOK_WEBAUTHN_ORIGINS: readonly string[];
  readonly DAYBOOK_WEBAUTHN_RP_ID?: string | undefined;
};

/** The relying party of an app follows from no origin. */
export const checkPasskeys = z.superRefine<Variables>((env, context) => {
  const { DAYBOOK_WEBAUTHN_ORIGINS: origins, DAYBOOK_WEBAUTHN_RP_ID: rpId } = env;
  if (rpId !== undefined || !origins.some((one) => ofApp.test(one))) return;
  const message = 'is needed beside an origin of an app: it does not say whose passkeys these are';
  context.addIssue({ code: 'custom', path: ['DAYBOOK_WEBAUTHN_RP_ID'], message });
});
