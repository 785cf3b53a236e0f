/** How the servers that speak Chat Completions differ from one another. */

import { chatWire } from './chat-wire.ts'
import type { ScriptUsage } from './script.ts'
import { asList, asObject, asText, type JsonObject, type Wire } from './wire.ts'

export const openaiWire: Wire = chatWire({
  protocol: 'openai',
  reasoning: asReasoningContent,
  usage: detailed,
  usageIn: 'own-when-asked',
  error: openaiError,
})

export const mistralWire: Wire = chatWire({
  protocol: 'mistral',
  reasoning: (piece) => ({ content: [{ type: 'thinking', thinking: [{ type: 'text', text: piece }] }] }),
  wholeReasoning: () => ({}),
  usage: (usage) => ({ ...counted(usage), num_cached_tokens: usage.cached }),
  usageIn: 'finish',
  wholeCalls: true,
  finish: { length: 'length', filtered: 'error' },
  callId: (id, index) =>
    `${id
      .replaceAll(/[^a-z0-9]/gi, '')
      .padEnd(8, '0')
      .slice(-8)}${index % 10}`,
  refuses: mistralRefuses,
  error: (status, message) => ({
    object: 'error',
    message,
    type: status === 429 ? 'rate_limited' : status >= 500 ? 'internal_server_error' : 'invalid_request',
    param: null,
    code: String(status),
  }),
})

export const groqWire: Wire = chatWire({
  protocol: 'groq',
  reasoning: (piece) => ({ reasoning: piece }),
  usage: (usage) => ({
    ...detailed(usage),
    queue_time: 0,
    prompt_time: 0,
    completion_time: 0,
    total_time: 0,
  }),
  usageIn: 'finish',
  usageField: (usage) => ({ x_groq: { id: 'req_scripted', usage } }),
  error: openaiError,
})

export const deepseekWire: Wire = chatWire({
  protocol: 'deepseek',
  reasoning: asReasoningContent,
  usage: (usage) => ({
    ...counted(usage),
    prompt_cache_hit_tokens: usage.cached,
    prompt_cache_miss_tokens: Math.max(0, usage.input - usage.cached),
    completion_tokens_details: { reasoning_tokens: usage.reasoning },
  }),
  usageIn: 'own-when-asked',
  extra: { system_fingerprint: 'fp_scripted' },
  error: openaiError,
})

export const togetherWire: Wire = chatWire({
  protocol: 'together',
  reasoning: (piece) => ({ reasoning: piece }),
  usage: detailed,
  usageIn: 'own-when-asked',
  error: openaiError,
})

export const fireworksWire: Wire = chatWire({
  protocol: 'fireworks',
  reasoning: asReasoningContent,
  usage: (usage) => ({ ...counted(usage), prompt_tokens_details: { cached_tokens: usage.cached } }),
  usageIn: 'finish',
  error: (status, message) => ({
    error: { object: 'error', ...asObject(openaiError(status, message)['error']) },
  }),
})

/** It answers with text alone: no tools, and reasoning only as a part of the text. */
export const perplexityWire: Wire = chatWire({
  protocol: 'perplexity',
  lacksTools: true,
  // What was thought is counted apart from what was said.
  usage: (usage) => ({
    ...counted({ ...usage, output: usage.output - usage.reasoning }),
    reasoning_tokens: usage.reasoning,
    search_context_size: 'low',
    citation_tokens: 0,
    num_search_queries: 1,
  }),
  usageIn: 'finish',
  extra: { citations: ['https://example.org/'] },
  error: (status, message) => ({ error: { message, type: `status_${status}`, code: status } }),
})

export const openrouterWire: Wire = chatWire({
  protocol: 'openrouter',
  reasoning: (piece) => ({
    reasoning: piece,
    reasoning_details: [{ type: 'reasoning.text', text: piece, format: 'unknown', index: 0 }],
  }),
  usage: (usage, cost) => ({ ...detailed(usage), cost, cost_details: { upstream_inference_cost: null } }),
  usageIn: 'own',
  extra: { provider: 'Scripted' },
  preamble: ': OPENROUTER PROCESSING\n\n',
  error: (status, message) => ({ error: { code: status, message } }),
})

export function openaiError(status: number, message: string): JsonObject {
  const type =
    status === 401
      ? 'authentication_error'
      : status === 429
        ? 'rate_limit_error'
        : status >= 500
          ? 'server_error'
          : 'invalid_request_error'
  return { error: { message, type, param: null, code: null } }
}

function asReasoningContent(piece: string): JsonObject {
  return { reasoning_content: piece }
}

function counted(usage: ScriptUsage): JsonObject {
  return {
    prompt_tokens: usage.input,
    completion_tokens: usage.output,
    total_tokens: usage.input + usage.output,
  }
}

function detailed(usage: ScriptUsage): JsonObject {
  return {
    ...counted(usage),
    prompt_tokens_details: { cached_tokens: usage.cached },
    completion_tokens_details: { reasoning_tokens: usage.reasoning },
  }
}

/** Ids of calls are nine letters or digits there, also the ids that another provider gave. */
function mistralRefuses(body: JsonObject): string | undefined {
  for (const raw of asList(body['messages'])) {
    const message = asObject(raw)
    const ids = [
      message['tool_call_id'],
      ...asList(message['tool_calls']).map((call) => asObject(call)['id']),
    ]
    const wrong = ids.map(asText).find((id) => id !== '' && !/^[a-zA-Z0-9]{9}$/.test(id))
    if (wrong !== undefined) {
      return `Tool call id was ${wrong} but must be a-z, A-Z, 0-9, with a length of 9.`
    }
  }
  return undefined
}
