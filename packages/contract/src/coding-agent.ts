/** Owns what the operator says of a coding agent: the program, the model service that it may reach, and what that costs. */
import { z } from 'zod'
import { secretName } from './secret.ts'

export const codingAgentName = /^[a-z][a-z0-9-]{0,39}$/

export const CodingAgent = z.strictObject({
  /** The words that start it; it speaks the Agent Client Protocol on its standard streams. */
  command: z.array(z.string().min(1).max(4096)).min(1).max(50),
  /** A folder of the host that it needs to start; it is read-only at `/opt/agent` inside. */
  folder: z
    .string()
    .regex(/^\/[^\0]+$/, 'an absolute path')
    .exactOptional(),
  /** The only place that it reaches, and what the requests to it look like. */
  endpoint: z.url({ protocol: /^https?$/ }).max(500),
  protocol: z.enum(['openai', 'anthropic', 'google']),
  /** The name of the secret that is added to its requests outside the sandbox. */
  key: z.string().regex(secretName).exactOptional(),
  model: z.string().min(1).max(200),
  /** Dollars for a million tokens. Without them no cost is known, and no budget can be kept. */
  prices: z.strictObject({ input: z.number().min(0), output: z.number().min(0) }).exactOptional(),
})
export type CodingAgent = z.infer<typeof CodingAgent>

export const CodingAgents = z.record(z.string().regex(codingAgentName), CodingAgent)
export type CodingAgents = z.infer<typeof CodingAgents>
