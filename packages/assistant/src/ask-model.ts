/**
 * Owns the small questions that the assistant asks a model by itself: a summary, a few facts, whose turn it is. They count
 * as unattended spending, so without a budget for that they are not asked. Nothing comes back where none is answered.
 */
import type { Meter, ModelPort } from '@countersign/agent'
import type { Purpose, RunId, SessionId } from '@countersign/contract'

export interface ModelQuestion {
  readonly purpose: Purpose
  readonly system: string
  readonly prompt: string
  readonly mostTokens: number
  /** What it is counted for in the books. */
  readonly run?: RunId
  readonly session?: SessionId
}

export type AskQuestion = (question: ModelQuestion) => Promise<string | undefined>

export interface AskParts {
  readonly model: ModelPort
  readonly meterFor: (question: ModelQuestion) => Meter
  readonly patienceMs?: number
}

export function createAsk({ model, meterFor, patienceMs = 60_000 }: AskParts): AskQuestion {
  return async (question) => {
    const { purpose, system, prompt, mostTokens } = question
    const request = {
      purpose,
      system,
      messages: [{ role: 'user' as const, text: prompt }],
      tools: [],
      maxOutputTokens: mostTokens,
    }
    for await (const chunk of model.stream(request, AbortSignal.timeout(patienceMs), meterFor(question)))
      if (chunk.type === 'end') return chunk.reply.text
    return undefined
  }
}
