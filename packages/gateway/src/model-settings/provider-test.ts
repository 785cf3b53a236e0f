/** Owns the one real call that shows whether a provider works, and the words for what to do when it does not. */
import type {
  FailureKind,
  Meter,
  ModelFailure,
  ModelPort,
  ModelReply,
  ModelRequest,
  SpentCall,
  ToolSpec,
} from '@countersign/agent'
import { nanosPerDollar, type ProviderTested } from '@countersign/contract'
import type { ProviderChoice } from './model-choices.ts'

export interface ProviderTest {
  readonly provider: Pick<ProviderChoice, 'name' | 'url'>
  /** As the provider names it. */
  readonly model: string
  /** It says that it has tools, so a second call sees whether it uses one. */
  readonly tools: boolean
  /** What somebody wants to see answered, instead of the usual test. */
  readonly prompt?: string
}

/** What a trial may name. */
export interface TrialWish {
  readonly model?: string | undefined
  readonly prompt?: string | undefined
}

/** Words of models that think first are cut off by a smaller limit before they say anything. */
const mostTokens = 256
const longestText = 400
const mostTokensOfPrompt = 2_048
const longestAnswer = 20_000
/** Two such calls fit into the time that a client waits. */
const longestMs = 80_000

const tool: ToolSpec = {
  name: 'report_status',
  description: 'Reports that this test works.',
  schema: {
    type: 'object',
    properties: { status: { type: 'string', enum: ['ok'] } },
    required: ['status'],
    additionalProperties: false,
  },
}

const greeting: ModelRequest = {
  purpose: 'chat',
  system: 'You are being tested. Answer in one short sentence.',
  messages: [{ role: 'user', text: 'Say that you are ready.' }],
  tools: [],
  maxOutputTokens: mostTokens,
}

const request: ModelRequest = {
  ...greeting,
  system: 'You are being tested. Use the tool once.',
  messages: [{ role: 'user', text: 'Report the status ok with the tool report_status.' }],
  tools: [tool],
}

/** Answered as it would be in a conversation, without tools and without anything around it. */
function asked(prompt: string): ModelRequest {
  return {
    ...greeting,
    system: 'Answer the user.',
    messages: [{ role: 'user', text: prompt }],
    maxOutputTokens: mostTokensOfPrompt,
  }
}

export async function runProviderTest(
  { provider, model, tools, prompt }: ProviderTest,
  port: ModelPort,
  meter: Meter,
  caller: AbortSignal,
  deadline: AbortSignal = AbortSignal.timeout(longestMs),
): Promise<ProviderTested> {
  const signal = AbortSignal.any([caller, deadline])
  const first = withDeadline(
    await callModelOnce(port, prompt === undefined ? greeting : asked(prompt), meter, signal),
    caller,
  )
  const second =
    tools && prompt === undefined && first.kind === 'reply'
      ? withDeadline(await callModelOnce(port, request, meter, signal), caller)
      : undefined
  const calls = second ? [...first.spent, ...second.spent] : first.spent
  const sum = (of: (call: SpentCall) => number) => calls.reduce((total, call) => total + of(call), 0)
  const timing = first.spent.at(-1)
  const figures = {
    model: `${provider.name}/${model}`,
    firstTokenMs: timing?.firstTokenMs ?? null,
    totalMs: timing?.totalMs ?? 0,
    tokens: { input: sum(({ usage }) => usage.input), output: sum(({ usage }) => usage.output) },
    usd: sum(({ costNanos }) => costNanos) / nanosPerDollar,
    text:
      first.kind === 'reply'
        ? first.reply.text.trim().slice(0, prompt === undefined ? longestText : longestAnswer)
        : '',
  }
  if (first.kind === 'failed')
    return { ok: false, ...figures, tools: null, ...failureAdvice(first.failure, provider, model) }
  if (!second) return { ok: true, ...figures, tools: null, problem: null, next: null }
  if (second.kind === 'failed') {
    const { problem, next } = failureAdvice(second.failure, provider, model)
    return { ok: false, ...figures, tools: false, problem: `With a tool it failed: ${problem}`, next }
  }
  const used = second.reply.calls.some(({ name, problem }) => name === tool.name && problem === undefined)
  return {
    ok: true,
    ...figures,
    tools: used,
    problem: used ? null : 'It answers, but did not use the offered tool.',
    next: used ? null : 'Choose a model with tools for chat: `countersign model list --needs tools`.',
  }
}

export function failureAdvice(
  failure: ModelFailure,
  provider: ProviderTest['provider'],
  model: string,
): { problem: string; next: string } {
  return { problem: failure.message, next: nextSteps(provider, model)[failure.kind] }
}

type TestCallResult =
  | { readonly kind: 'reply'; readonly reply: ModelReply; readonly spent: readonly SpentCall[] }
  | { readonly kind: 'failed'; readonly failure: ModelFailure; readonly spent: readonly SpentCall[] }

async function callModelOnce(
  port: ModelPort,
  asked: ModelRequest,
  meter: Meter,
  signal: AbortSignal,
): Promise<TestCallResult> {
  const spent: SpentCall[] = []
  const watching: Meter = {
    ...meter,
    reserve: (planned) => meter.reserve(planned),
    async settle(id, call) {
      spent.push(call)
      await meter.settle(id, call)
    },
  }
  for await (const chunk of port.stream(asked, signal, watching)) {
    if (chunk.type === 'end') return { kind: 'reply', reply: chunk.reply, spent }
    if (chunk.type === 'failed') return { kind: 'failed', failure: chunk.failure, spent }
  }
  return { kind: 'failed', failure: { kind: 'unknown', message: 'The call ended without text.' }, spent }
}

/** What our own deadline stopped was too slow; what the caller stopped was stopped. */
function withDeadline(called: TestCallResult, caller: AbortSignal): TestCallResult {
  if (called.kind === 'reply' || called.failure.kind !== 'cancelled' || caller.aborted) return called
  const message = `It did not answer within ${longestMs / 1_000} s.`
  return { ...called, failure: { kind: 'timeout', message } }
}

function nextSteps({ name, url }: ProviderTest['provider'], model: string): Record<FailureKind, string> {
  return {
    key: `Set the key again: \`countersign provider set ${name} --key\`.`,
    network: `Is the server at ${url} running, and can this machine reach it? If the address is wrong: \`countersign provider set ${name} --address <url>\`.`,
    timeout: `The server is slow or loading the model. Try again, or wait longer: \`countersign provider set ${name} --timeout 2m\`.`,
    rate_limited: 'Wait a minute and try again. If it happens again, check the limits of your account there.',
    unavailable: 'The provider has a problem. Try again in a minute.',
    invalid: `Is there a model ${model}? See them with \`countersign model list --provider ${name}\`.`,
    truncated:
      'The connection was lost during the reply. Try again; if it happens again, check proxies in between.',
    budget: 'A budget blocks it. See them with `countersign cost budget`.',
    cancelled: 'It was stopped. Try again.',
    unknown: `Does the server at ${url} speak the protocol of its kind? The path often ends in /v1.`,
  }
}
