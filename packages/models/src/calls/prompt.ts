/** Turns a request of the loop into the provider-level request. Tools carry no code: nothing here can run one. */

import type { ModelMessage, ModelRequest } from '@countersign/agent'
import type { ProviderKind } from '@countersign/contract'
import type { ProviderRequest } from '../providers/provider-model.ts'
import { type ReplayedIds, replayIds } from './ids.ts'
import { safeName } from './name.ts'

type Prompt = ProviderRequest['prompt']
type FunctionTool = Extract<NonNullable<ProviderRequest['tools']>[number], { type: 'function' }>
type ToolChoice = NonNullable<ProviderRequest['toolChoice']>
export type ProviderOptions = NonNullable<ProviderRequest['providerOptions']>

/** Arguments nested deeper are not written again: writing them costs a stack frame for each level. */
const DEEPEST = 100

export function providerRequestOf(
  request: ModelRequest,
  abortSignal: AbortSignal,
  provider: { readonly kind: ProviderKind; readonly options?: ProviderOptions | undefined },
): ProviderRequest {
  const ids = replayIds(provider.kind)
  const prompt: Prompt = request.messages.flatMap((message) => promptMessageOf(message, ids) ?? [])
  if (request.system !== '') prompt.unshift({ role: 'system', content: request.system })
  if (isAskedAgain(request)) markForCache(prompt, provider.kind)
  const tools = request.tools.map(
    (tool): FunctionTool => ({
      type: 'function',
      name: tool.name,
      description: tool.description,
      inputSchema: tool.schema as FunctionTool['inputSchema'],
    }),
  )
  return {
    prompt,
    maxOutputTokens: request.maxOutputTokens,
    ...(request.temperature === undefined ? {} : { temperature: request.temperature }),
    ...(tools.length === 0 ? {} : { tools, toolChoice: toolChoiceOf(request.toolChoice) }),
    ...(provider.options === undefined ? {} : { providerOptions: provider.options }),
    // Raw events show what the SDK parsed before us, and that the connection is alive while nothing is said.
    includeRawChunks: true,
    abortSignal,
  }
}

/** What is asked once would be put into a cache for nobody. */
function isAskedAgain({ purpose }: ModelRequest): boolean {
  return purpose === 'chat'
}

/**
 * Some providers keep only what they are told to, up to each mark: the tools with the system's text, and all that was said
 * by now, which the next request of the same conversation begins with. Others do it by themselves.
 */
function markForCache(prompt: Prompt, kind: ProviderKind): void {
  if (kind !== 'anthropic' && kind !== 'openrouter') return
  const options = { [kind]: { cacheControl: { type: 'ephemeral' } } }
  const [first] = prompt
  const last = prompt.at(-1)
  if (first?.role === 'system') first.providerOptions = options
  if (last) last.providerOptions = options
}

function toolChoiceOf(choice: ModelRequest['toolChoice']): ToolChoice {
  return typeof choice === 'object' ? { type: 'tool', toolName: choice.name } : { type: choice ?? 'auto' }
}

/** Nothing for a message without content: providers refuse the whole request for one. */
function promptMessageOf(message: ModelMessage, ids: ReplayedIds): Prompt[number] | undefined {
  switch (message.role) {
    case 'user': {
      const content = [
        ...textParts(message.text),
        ...(message.images ?? []).map(({ mediaType, base64 }) => ({
          type: 'file' as const,
          mediaType,
          data: { type: 'data' as const, data: base64 },
        })),
      ]
      return content.length === 0 ? undefined : { role: 'user', content }
    }
    case 'assistant': {
      const content = [
        ...textParts(message.text),
        ...message.calls.map((call) => ({
          type: 'tool-call' as const,
          toolCallId: ids.called(call.id),
          toolName: safeName(call.name),
          input: replayedArgs(call.args),
        })),
      ]
      return content.length === 0 ? undefined : { role: 'assistant', content }
    }
    case 'tool':
      if (message.results.length === 0) return undefined
      return {
        role: 'tool',
        content: message.results.map((result) => ({
          type: 'tool-result' as const,
          toolCallId: ids.answered(result.callId),
          toolName: safeName(result.name),
          output: { type: result.isError ? 'error-text' : 'text', value: result.text },
        })),
      }
  }
}

function textParts(text: string) {
  return text.trim() === '' ? [] : [{ type: 'text' as const, text }]
}

/** Providers accept only an object as earlier arguments, so the model is shown what it wrote inside one. */
function replayedArgs(args: string): unknown {
  return (depthOf(args) <= DEEPEST ? objectIn(args) : undefined) ?? { unreadable_arguments: args }
}

function objectIn(args: string): object | undefined {
  try {
    const value: unknown = JSON.parse(args)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

/** At least as deep as the value is; brackets in strings count as well. */
function depthOf(text: string): number {
  let depth = 0
  let deepest = 0
  for (const [bracket] of text.matchAll(/[[\]{}]/g)) {
    depth += bracket === '{' || bracket === '[' ? 1 : -1
    deepest = Math.max(deepest, depth)
  }
  return deepest
}
