/** What the endpoint of a platform is called with, as the document shows it (docs/reference/webhooks.md). */
import { z } from 'zod';
import { requiredField } from '../../domain/lookups/events.ts';
import { type WebhookType, webhookTypes } from '../../domain/webhooks/types.ts';
import type { DocumentedWebhook } from '../../infrastructure/http/describe/webhooks.ts';
import { idField } from '../../kernel/ids.ts';
import { internalAccountSchema } from '../accounts/render.ts';
import { agentActionSchema } from '../agents/actions/render.ts';
import { customerSchema } from '../customers/render.ts';
import { externalAccountSchema } from '../external-accounts/render.ts';
import { timestamp } from '../fields/fields.ts';
import { invitationSchema } from '../invitations/render.ts';
import { transactionSchema } from '../transactions/render.ts';
import { verificationSchema } from '../verifications/render.ts';

const envelope = <const Type extends WebhookType, Data extends z.ZodType>(
  id: string,
  types: readonly Type[],
  data: Data,
) =>
  z
    .object({
      id: idField('Webhook').meta({ description: 'The same at every attempt.' }),
      type: z.enum(types),
      timestamp: timestamp.meta({
        description: "When this attempt was sent, by the platform's clock.",
      }),
      data,
    })
    .meta({ id });

/** All types of a subject, in their order. */
const about = <const Subject extends string>(subject: Subject) =>
  webhookTypes.filter((type): type is Extract<WebhookType, `${Subject}.${string}`> =>
    type.startsWith(`${subject}.`),
  );

const pending = 'INCOMING_PAYMENT.PENDING';
const askedAbout = transactionSchema
  .extend({
    requestedReceiverCustomerInfoFields: z.array(requiredField).meta({
      description: "What the sender's platform asks for of the receiver, and the service does not know.",
    }),
  })
  .meta({ id: 'TransactionForApproval' });

const test = envelope('TestWebhook', ['TEST'], z.object({}));
const outgoingPayment = envelope('OutgoingPaymentWebhook', about('OUTGOING_PAYMENT'), transactionSchema);
const incomingPayment = envelope(
  'IncomingPaymentWebhook',
  about('INCOMING_PAYMENT').filter((type) => type !== pending),
  transactionSchema,
);
const incomingPaymentPending = envelope('IncomingPaymentPendingWebhook', [pending], askedAbout);
const customer = envelope('CustomerWebhook', about('CUSTOMER'), customerSchema);
const verification = envelope('VerificationWebhook', about('VERIFICATION'), verificationSchema);
const internalAccount = envelope('InternalAccountWebhook', about('INTERNAL_ACCOUNT'), internalAccountSchema);
const externalAccount = envelope('ExternalAccountWebhook', about('EXTERNAL_ACCOUNT'), externalAccountSchema);
const invitationClaimed = envelope('InvitationClaimedWebhook', ['INVITATION_CLAIMED'], invitationSchema);
const agentAction = envelope('AgentActionWebhook', about('AGENT_ACTION'), agentActionSchema);

/** Any of them. */
export const webhookSchema = z
  .discriminatedUnion('type', [
    test,
    outgoingPayment,
    incomingPayment,
    incomingPaymentPending,
    customer,
    verification,
    internalAccount,
    externalAccount,
    invitationClaimed,
    agentAction,
  ])
  .meta({
    id: 'Webhook',
    description:
      'The `data` is the resource as its GET answered right after the event. Further types may come.',
  });

const decisions = {
  200: {
    description: 'The payment is approved.',
    body: 'ApproveTransactionRequest',
  },
  202: { description: 'The platform decides later.' },
  403: { description: 'The payment is rejected.' },
  422: { description: 'The payment fails.' },
};

/** By their operationId. */
export const webhooks: Readonly<Record<string, DocumentedWebhook>> = {
  onTest: { summary: 'The endpoint was set or changed, or a test was asked for', schema: test },
  onOutgoingPayment: { summary: 'A payment that leaves has changed', schema: outgoingPayment },
  onIncomingPayment: { summary: 'A payment that arrives has changed', schema: incomingPayment },
  onIncomingPaymentPending: {
    summary: 'A payment that arrives waits for the platform',
    schema: incomingPaymentPending,
    answers: decisions,
  },
  onCustomer: { summary: 'How far checking a customer has come', schema: customer },
  onVerification: { summary: 'A verification has changed', schema: verification },
  onInternalAccount: { summary: 'An internal account has changed', schema: internalAccount },
  onExternalAccount: { summary: 'An external account has changed', schema: externalAccount },
  onInvitationClaimed: {
    summary: 'An invitation of the platform was claimed',
    schema: invitationClaimed,
  },
  onAgentAction: { summary: 'An agent asks for what needs approval', schema: agentAction },
};

const ecdsa = 'ECDSA P-256 with SHA-256, DER in base64';

/** Of every call. */
export const webhookHeaders = z.object({
  'X-Service-Signature': z.string().meta({ description: `${ecdsa}, over the body.` }),
  'X-Service-Signature-Next': z
    .string()
    .optional()
    .meta({ description: 'While the keys are rotated: the same with the newer key.' }),
  'X-Service-Signature-Sent': z
    .string()
    .optional()
    .meta({
      description: `Where the sandbox has moved the platform's clock: ${ecdsa}, over webhook-id, webhook-timestamp and the body, with a point between.`,
    }),
  'webhook-id': z.string().meta({ description: 'The `id` of the body.' }),
  'webhook-timestamp': z.string().meta({ description: 'When it was sent, in seconds of Unix time.' }),
  'webhook-signature': z.string().meta({ description: 'As Standard Webhooks has it.' }),
  'webhook-redelivery': z
    .enum(['true'])
    .optional()
    .meta({ description: 'Somebody has asked for it to be sent again.' }),
});
