import { z } from 'zod';
import { type AgentId, idField } from '../../../kernel/ids.ts';
import type { IssuedCode } from '../../../use-cases/agents/codes.ts';
import { timestamp } from '../../fields/fields.ts';
import { policySchema } from '../render.ts';

export const deviceCodeSchema = z
  .object({ code: z.string(), agentId: idField('Agent'), expiresAt: timestamp, redeemed: z.boolean() })
  .meta({ id: 'DeviceCode' });

export const deviceCodeStatusSchema = z
  .object({ code: z.string(), redeemed: z.boolean() })
  .meta({ id: 'DeviceCodeStatus' });

export const agentCredentialsSchema = z
  .object({ agentId: idField('Agent'), agentName: z.string(), accessToken: z.string(), policy: policySchema })
  .meta({ id: 'AgentCredentials' });

export const renderCode = (
  { code, deviceCode: { expiresAt } }: IssuedCode,
  agentId: AgentId,
): z.input<typeof deviceCodeSchema> => ({
  code,
  agentId,
  expiresAt: expiresAt.toISOString(),
  redeemed: false,
});
