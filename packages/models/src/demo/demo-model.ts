/**
 * The demo model: fixed rules in the place of a provider, for trying everything else without a key and without a
 * network. The same request always gets the same reply. Refuses to pass for more than it is.
 */
import type { ModelChunk, ModelRequest, ModelUsage, RawCall } from '@countersign/agent'
import type { OneModel } from '../calls/one-model.ts'
import { type DemoReply, exchangeIn, propose, say, writtenCalls } from './exchange.ts'
import { introduction, replyTo } from './sentences.ts'

/** As its provider lists it. */
export const demoModel = 'demo'

export function createDemoModel(): OneModel {
  return { stream: streamReply }
}

/** What it answers; pure, so that a test can ask for any of it. */
export function demoReply(request: ModelRequest): {
  readonly text: string
  readonly calls: readonly RawCall[]
} {
  const exchange = exchangeIn(request)
  const reply = wordsFor(request, exchange)
  return { text: reply.text, calls: request.toolChoice === 'none' ? [] : writtenCalls(reply.calls, exchange) }
}

async function* streamReply(request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelChunk> {
  const { text, calls } = demoReply(request)
  for (const piece of text.match(/\S+\s*|\s+/g) ?? []) {
    // Between two words others get their turn, and a stop is heard.
    await new Promise(setImmediate)
    if (signal.aborted) {
      yield { type: 'failed', failure: { kind: 'cancelled', message: 'The model call was cancelled.' } }
      return
    }
    yield { type: 'text', text: piece }
  }
  for (const { name, args } of calls) yield { type: 'call', tool: name, text: args }
  yield {
    type: 'end',
    reply: {
      text,
      calls,
      finish: calls.length > 0 ? 'calls' : 'stop',
      usage: usageOf(request, text, calls),
      model: demoModel,
    },
  }
}

function wordsFor(request: ModelRequest, exchange: ReturnType<typeof exchangeIn>): DemoReply {
  if (exchange.tools.has('report_status') && exchange.turns.length === 0)
    return propose('', { tool: 'report_status', args: { status: 'ok' } })
  switch (request.purpose) {
    case 'extraction':
      // The form that is asked for, with nothing in it: it has understood nothing.
      return say('[]')
    case 'summaries':
      return say('A conversation with the demo model.')
    default:
      return /\bsay that you are ready\b/i.test(exchange.words)
        ? say(`${introduction} I am ready.`)
        : replyTo(exchange)
  }
}

/** About four characters to a token, as everywhere. They cost nothing. */
function usageOf(request: ModelRequest, text: string, calls: readonly RawCall[]): ModelUsage {
  const read = request.messages.reduce(
    (sum, message) =>
      sum +
      (message.role === 'tool'
        ? message.results.reduce((length, result) => length + result.text.length, 0)
        : message.text.length),
    request.system.length,
  )
  const written = calls.reduce((sum, { args }) => sum + args.length, text.length)
  return { input: Math.ceil(read / 4) + 1, output: Math.ceil(written / 4) + 1, cached: 0, reasoning: 0 }
}
