import { z } from 'zod';
import { basicErrors } from '../../../infrastructure/http/describe/errors.ts';
import { duration } from '../../fields/durations.ts';
import { dateTime, dateTimeSchema } from '../../fields/fields.ts';
import type { Operation } from '../../operation.ts';
import { advancedSchema, clockSchema } from './render.ts';

const extension = 'An extension of the interface.';
const moves = { tag: 'Sandbox', method: 'post', permission: ['MANAGE'], sandboxOnly: true } as const;

const instant = dateTime.transform((text) => new Date(text)).meta({ override: dateTimeSchema });

export const getClock = {
  operationId: 'sandboxGetClock',
  method: 'get',
  path: '/sandbox/clock',
  tag: 'Sandbox',
  summary: "Read your platform's clock",
  description: `${extension} The time that your platform's objects are stamped and compared with, and when something is due next.`,
  permission: ['VIEW'],
  sandboxOnly: true,
  responses: { 200: { description: 'The clock.', schema: clockSchema } },
  errors: basicErrors(),
} as const satisfies Operation;

export const freezeClock = {
  ...moves,
  operationId: 'sandboxFreezeClock',
  path: '/sandbox/clock/freeze',
  summary: "Stop your platform's clock",
  description: `${extension} Time stands still until the clock is advanced or resumed. With \`at\`, the clock is advanced to that moment, which lets the same calls have the same timestamps each time.`,
  bodyOptional: true,
  body: z.object({ at: instant.optional() }).meta({ id: 'SandboxFreezeClockRequest' }),
  responses: { 200: { description: 'The clock, which stands still.', schema: clockSchema } },
  errors: basicErrors({ 400: ['INVALID_INPUT'], 409: ['CONFLICT'] }),
} as const satisfies Operation;

export const advanceClock = {
  ...moves,
  operationId: 'sandboxAdvanceClock',
  path: '/sandbox/clock/advance',
  summary: "Put your platform's clock forward",
  description: `${extension} By \`duration\`, to a moment, or to when something is due next: one of the three. The answer comes when every timer that is due by then has fired, in order, and what follows is done: events, read models, first attempts of webhooks, approvals. A clock that runs goes on from there.`,
  body: z
    .object({
      duration: duration.optional(),
      to: instant.optional(),
      toNextTimer: z.literal(true).optional(),
    })
    .meta({ id: 'SandboxAdvanceClockRequest' }),
  responses: { 200: { description: 'The clock, and the timers that have fired.', schema: advancedSchema } },
  errors: basicErrors({ 400: ['INVALID_INPUT'], 409: ['CONFLICT'] }),
} as const satisfies Operation;

export const resumeClock = {
  ...moves,
  operationId: 'sandboxResumeClock',
  path: '/sandbox/clock/resume',
  summary: "Let your platform's clock go on",
  description: `${extension} From where it stands: it does not go back to the time of the installation.`,
  responses: { 200: { description: 'The clock, which runs.', schema: clockSchema } },
  errors: basicErrors({ 409: ['CONFLICT'] }),
} as const satisfies Operation;
