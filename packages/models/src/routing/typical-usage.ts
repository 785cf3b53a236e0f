/** Owns what a usual reply is taken to use, by which models are compared before they are asked. */
import type { ModelUsage } from '@countersign/agent'
import type { RequestNeeds } from './needs.ts'

/** Replies are short beside what they answer, but seldom shorter than this. */
const SHORTEST_TYPICAL_REPLY = 256
const INPUT_PER_OUTPUT = 4

/** What a usual reply to such a request uses: a quarter as much output as input, within what is allowed. */
export function typicalUsage(needs: Pick<RequestNeeds, 'inputTokens' | 'maxOutputTokens'>): ModelUsage {
  const reply = Math.max(Math.ceil(needs.inputTokens / INPUT_PER_OUTPUT), SHORTEST_TYPICAL_REPLY)
  return {
    input: needs.inputTokens,
    output: Math.min(reply, needs.maxOutputTokens),
    cached: 0,
    reasoning: 0,
  }
}
