/** Owns the answers of `/responses`, whole and as events. Pure. */
import type { Usage } from '../standing.ts'
import type { ReplyFacts, ReplyState } from './chat-reply.ts'

export interface ResponseEnd {
  readonly text: string
  readonly usage: Usage
  readonly state: ReplyState
}

/** Without an end it is under way. */
export function responseObject({ id, model, createdAt, conversation }: ReplyFacts, end?: ResponseEnd) {
  return {
    id: `resp_${id}`,
    object: 'response',
    created_at: Math.floor(createdAt.getTime() / 1_000),
    status: end ? 'completed' : 'in_progress',
    error: null,
    incomplete_details: null,
    instructions: null,
    max_output_tokens: null,
    model,
    output: end ? [message(id, end.text)] : [],
    parallel_tool_calls: false,
    previous_response_id: null,
    conversation: { id: conversation },
    reasoning: { effort: null, summary: null },
    store: true,
    temperature: null,
    text: { format: { type: 'text' } },
    tool_choice: 'auto',
    tools: [],
    top_p: null,
    truncation: 'disabled',
    usage: end
      ? {
          input_tokens: end.usage.input,
          input_tokens_details: { cached_tokens: 0 },
          output_tokens: end.usage.output,
          output_tokens_details: { reasoning_tokens: 0 },
          total_tokens: end.usage.input + end.usage.output,
        }
      : null,
    metadata: {},
    countersign: { conversation, state: end?.state ?? 'working' },
  }
}

/** The events of a stream, numbered in their order. */
export function responseEvents(facts: ReplyFacts) {
  let number = 0
  const item = `msg_${facts.id}`
  const place = { item_id: item, output_index: 0, content_index: 0 }
  const event = (type: string, data: object) => {
    const numbered = { type, sequence_number: number, ...data }
    number += 1
    return numbered
  }
  const empty = { type: 'output_text', text: '', annotations: [] }
  return {
    begin: () => [
      event('response.created', { response: responseObject(facts) }),
      event('response.in_progress', { response: responseObject(facts) }),
      event('response.output_item.added', {
        output_index: 0,
        item: { type: 'message', id: item, status: 'in_progress', role: 'assistant', content: [] },
      }),
      event('response.content_part.added', { ...place, part: empty }),
    ],
    piece: (text: string) => event('response.output_text.delta', { ...place, delta: text, logprobs: [] }),
    end: (end: ResponseEnd) => [
      event('response.output_text.done', { ...place, text: end.text, logprobs: [] }),
      event('response.content_part.done', { ...place, part: { ...empty, text: end.text } }),
      event('response.output_item.done', { output_index: 0, item: message(facts.id, end.text) }),
      event('response.completed', { response: responseObject(facts, end) }),
    ],
    failed: (problem: { readonly code: string; readonly message: string }) =>
      event('error', { ...problem, param: null }),
  }
}

function message(id: string, text: string) {
  return {
    type: 'message',
    id: `msg_${id}`,
    status: 'completed',
    role: 'assistant',
    content: [{ type: 'output_text', text, annotations: [] }],
  }
}
