/**
 * Owns which of the secrets that go along are a use of what is the operator's. The key that a tool takes to its own
 * service opens that service and nothing of the operator's, so it is none; named by whoever wrote the arguments it is.
 */
import type { JsonObject } from './json/value.ts'
import { secretsIn } from './secret.ts'
import type { ToolFacts } from './tool.ts'

export function usedSecrets(
  tool: Pick<ToolFacts, 'serviceKeys'> | undefined,
  args: string,
  secrets: readonly string[],
): readonly string[] {
  if (secrets.length === 0 || !tool?.serviceKeys) return secrets
  const keys = tool.serviceKeys(JSON.parse(args) as JsonObject)
  const named = secretsIn(args)
  return secrets.filter((name) => named.includes(name) || !keys.includes(name))
}
