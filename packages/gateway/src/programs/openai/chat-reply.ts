/** Owns the answers of `/chat/completions`. Pure. */
import type { Usage } from '../standing.ts'

export interface ReplyFacts {
  readonly id: string
  readonly model: string
  readonly createdAt: Date
  readonly conversation: string
}

export type ReplyState = 'ended' | 'waiting'

const seconds = (at: Date): number => Math.floor(at.getTime() / 1_000)

const usageOf = ({ input, output }: Usage) => ({
  prompt_tokens: input,
  completion_tokens: output,
  total_tokens: input + output,
})

export function chatCompletion(
  { id, model, createdAt, conversation }: ReplyFacts,
  { text, usage, state }: { readonly text: string; readonly usage: Usage; readonly state: ReplyState },
) {
  return {
    id: `chatcmpl-${id}`,
    object: 'chat.completion',
    created: seconds(createdAt),
    model,
    choices: [
      {
        index: 0,
        message: { role: 'assistant', content: text, refusal: null },
        logprobs: null,
        finish_reason: 'stop',
      },
    ],
    usage: usageOf(usage),
    countersign: { conversation, state },
  }
}

export function chatChunks({ id, model, createdAt, conversation }: ReplyFacts, withUsage: boolean) {
  const base = {
    id: `chatcmpl-${id}`,
    object: 'chat.completion.chunk',
    created: seconds(createdAt),
    model,
    ...(withUsage ? { usage: null } : {}),
  }
  const chunk = (delta: object, finish: 'stop' | null) => ({
    ...base,
    choices: [{ index: 0, delta, logprobs: null, finish_reason: finish }],
  })
  return {
    first: () => chunk({ role: 'assistant', content: '' }, null),
    piece: (text: string) => chunk({ content: text }, null),
    last: (state: ReplyState) => ({ ...chunk({}, 'stop'), countersign: { conversation, state } }),
    usage: (usage: Usage) => ({ ...base, choices: [], usage: usageOf(usage) }),
  }
}
