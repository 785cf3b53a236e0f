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
  /** Nobody waits for the answer: a slow model on the operator's own machine has the time it needs. */
  readonly inBackground?: boolean
  /** What it is counted for in the books. */
  readonly run?: RunId
  readonly session?: SessionId
}

export type AskQuestion = (question: ModelQuestion) => Promise<string | undefined>

export interface AskParts {
  readonly model: ModelPort
  readonly meterFor: (question: ModelQuestion) => Meter
}

const patienceMs = 60_000
/** Shorter than the while for which a process claims such work, which is five minutes at least. */
const backgroundPatienceMs = 4 * 60_000

export function createAsk({ model, meterFor }: AskParts): AskQuestion {
  return async (question) => {
    const { purpose, system, prompt, mostTokens } = question
    const end = AbortSignal.timeout(question.inBackground ? backgroundPatienceMs : patienceMs)
    const request = {
      purpose,
      system,
      messages: [{ role: 'user' as const, text: prompt }],
      tools: [],
      maxOutputTokens: mostTokens,
    }
    for await (const chunk of model.stream(request, end, meterFor(question)))
      if (chunk.type === 'end') return chunk.reply.text
    return undefined
  }
}
