/** Turns a request of the loop into the provider-level request. Tools carry no code: nothing here can run one. */

import type { ModelMessage, ModelRequest } from '@countersign/agent'
import type { ProviderRequest } from './provider.ts'

type Prompt = ProviderRequest['prompt']
type FunctionTool = Extract<NonNullable<ProviderRequest['tools']>[number], { type: 'function' }>

export function providerRequestOf(request: ModelRequest, abortSignal: AbortSignal): ProviderRequest {
  const prompt: Prompt = request.messages.map(promptMessageOf)
  if (request.system !== '') prompt.unshift({ role: 'system', content: request.system })
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
    ...(tools.length === 0 ? {} : { tools, toolChoice: { type: 'auto' } }),
    // Raw events show what the SDK parsed before us, and that the connection is alive while nothing is said.
    includeRawChunks: true,
    abortSignal,
  }
}

function promptMessageOf(message: ModelMessage): Prompt[number] {
  switch (message.role) {
    case 'user':
      return { role: 'user', content: [{ type: 'text', text: message.text }] }
    case 'assistant':
      return {
        role: 'assistant',
        content: [
          ...(message.text === '' ? [] : [{ type: 'text' as const, text: message.text }]),
          ...message.calls.map((call) => ({
            type: 'tool-call' as const,
            toolCallId: call.id,
            toolName: call.name,
            input: replayedArgs(call.args),
          })),
        ],
      }
    case 'tool':
      return {
        role: 'tool',
        content: message.results.map((result) => ({
          type: 'tool-result' as const,
          toolCallId: result.callId,
          toolName: result.name,
          output: { type: result.isError ? 'error-text' : 'text', value: result.text },
        })),
      }
  }
}

/** Providers accept only an object as earlier arguments, so the model is shown what it wrote inside one. */
function replayedArgs(args: string): unknown {
  return isObjectText(args) ? args : { unreadable_arguments: args }
}

function isObjectText(args: string): boolean {
  try {
    const value: unknown = JSON.parse(args)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
  } catch (error) {
    if (error instanceof SyntaxError) return false
    throw error
  }
}
