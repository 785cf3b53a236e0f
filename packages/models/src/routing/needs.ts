/** Owns what a request needs of a model, and whether a model has it. Pure. */
import type { ModelMessage, ModelRequest } from '@countersign/agent'
import type { Capability, Purpose } from '@countersign/contract'
import { leastRequest } from '../calls/fit-history.ts'
import type { ModelFacts, ModelService } from '../catalogue/facts.ts'

export interface RequestNeeds {
  readonly serves: ModelService
  readonly capabilities: readonly Capability[]
  /** About as many as the request holds. */
  readonly inputTokens: number
  /** About as many as are left when everything older than the question is left out. */
  readonly leastTokens: number
  readonly maxOutputTokens: number
}

const BYTES_PER_TOKEN = 4
/** Providers charge an image of usual size about this much. */
const TOKENS_PER_IMAGE = 1_000

export function needsOf(request: ModelRequest): RequestNeeds {
  const images = request.messages.reduce((sum, message) => sum + imagesOf(message), 0)
  const capabilities: Capability[] = []
  if (request.tools.length > 0) capabilities.push('tools')
  if (images > 0 || request.purpose === 'vision') capabilities.push('vision')
  return {
    serves: servedFor(request.purpose),
    capabilities,
    inputTokens: tokensOf(request),
    leastTokens: tokensOf(leastRequest(request)),
    maxOutputTokens: request.maxOutputTokens,
  }
}

/** What a usual request of the purpose needs, for whoever asks before there is one. */
export function usualNeeds(purpose: Purpose): RequestNeeds {
  const usual: Partial<Record<Purpose, readonly Capability[]>> = { chat: ['tools'], vision: ['vision'] }
  return {
    serves: servedFor(purpose),
    capabilities: usual[purpose] ?? [],
    // About what a first message takes, with its tools.
    inputTokens: 1_000,
    leastTokens: 1_000,
    maxOutputTokens: 4_096,
  }
}

export function meets(facts: ModelFacts, needs: RequestNeeds): boolean {
  return (
    serves(facts, needs) &&
    needs.capabilities.every((need) => facts.capabilities.includes(need)) &&
    fits(facts, needs)
  )
}

/** The first thing that none of the models has, in words that follow "No model". */
export function missingFrom(models: readonly ModelFacts[], needs: RequestNeeds): string {
  const serving = models.filter((facts) => serves(facts, needs))
  if (serving.length === 0) return needs.serves === 'chat' ? 'converses' : 'makes embeddings'
  const unmet = needs.capabilities.find((need) => !serving.some((facts) => facts.capabilities.includes(need)))
  if (unmet) return `has ${unmet}`
  const able = serving.filter((facts) =>
    needs.capabilities.every((need) => facts.capabilities.includes(need)),
  )
  if (able.length === 0) return `has ${needs.capabilities.join(' and ')} at once`
  const longest = Math.max(...able.map((facts) => facts.context ?? 0))
  return `takes the about ${needs.leastTokens} tokens of this request (the longest takes ${longest})`
}

function servedFor(purpose: Purpose): ModelService {
  return purpose === 'embeddings' ? 'embeddings' : 'chat'
}

function serves(facts: ModelFacts, needs: RequestNeeds): boolean {
  return (facts.serves ?? 'chat') === needs.serves
}

/** A context that nobody states is taken to be long enough; the provider says when it is not. */
function fits(facts: ModelFacts, needs: RequestNeeds): boolean {
  return facts.context === null || needs.leastTokens <= facts.context
}

/** Whether the model can be asked with all of it, and not only with what is newest. */
export function holdsAll(facts: ModelFacts, needs: Pick<RequestNeeds, 'inputTokens'>): boolean {
  return facts.context === null || needs.inputTokens <= facts.context
}

function tokensOf(request: ModelRequest): number {
  const images = request.messages.reduce((sum, message) => sum + imagesOf(message), 0)
  return Math.ceil(bytesOf(request) / BYTES_PER_TOKEN) + images * TOKENS_PER_IMAGE
}

function imagesOf(message: ModelMessage): number {
  return message.role === 'user' ? (message.images?.length ?? 0) : 0
}

function bytesOf(request: ModelRequest): number {
  let bytes = Buffer.byteLength(request.system)
  for (const message of request.messages) {
    if (message.role === 'tool') {
      for (const reply of message.results) bytes += Buffer.byteLength(reply.text)
      continue
    }
    bytes += Buffer.byteLength(message.text)
    if (message.role === 'assistant') {
      for (const call of message.calls) bytes += Buffer.byteLength(call.name) + Buffer.byteLength(call.args)
    }
  }
  for (const tool of request.tools) {
    bytes += Buffer.byteLength(tool.name) + Buffer.byteLength(tool.description)
    bytes += Buffer.byteLength(JSON.stringify(tool.schema))
  }
  return bytes
}
