/** Owns how much of a model's attention the tools take, in the tokens of o200k_base. For tests and docs only. */
import type { ToolFacts } from '@countersign/contract'
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base'

export interface ToolTokens {
  readonly tools: number
  readonly tokens: number
}

/** What a model is sent of these tools: name, description and schema. */
export function tokensOf(tools: readonly ToolFacts[]): ToolTokens {
  const sent = tools.map(({ name, description, schema }) => ({ name, description, parameters: schema }))
  return { tools: tools.length, tokens: countTokens(JSON.stringify(sent)) }
}
