/** Owns programs that attack: each with a token of the operator's, speaking as any other program does. */
import { randomUUID } from 'node:crypto'
import type { AddProgram } from '@countersign/contract'
import type { Scene } from './stage.ts'

export interface AskingProgram {
  readonly name: string
  readonly token: string
  /** Posts to a path of OpenAI's. */
  post(path: string, body: object, headers?: Readonly<Record<string, string>>): Promise<Response>
  /** Asks in the shape of chat completions. */
  ask(words: string, agent?: string): Promise<Response>
  /** One message of MCP, and the answer as it came. */
  speak(
    method: string,
    params: object,
    headers?: Readonly<Record<string, string>>,
    signal?: AbortSignal,
  ): Promise<Response>
  /** What a tool of MCP answered. */
  call(tool: string, args?: object): Promise<ToolAnswer>
}

export interface ToolAnswer {
  readonly isError?: boolean
  readonly content: readonly { readonly text: string }[]
  readonly structuredContent?: Readonly<Record<string, unknown>>
}

export async function letIn(
  { gateway }: Pick<Scene, 'gateway'>,
  given: Omit<AddProgram, 'name'> = {},
): Promise<AskingProgram> {
  const name = `attacker-${randomUUID().slice(0, 8)}`
  const { token } = await gateway.client.addProgram({ name, ...given })
  const send = (
    path: string,
    body: object,
    headers: Readonly<Record<string, string>> = {},
    signal?: AbortSignal,
  ) =>
    fetch(`${gateway.url}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
      ...(signal ? { signal } : {}),
    })
  const speak: AskingProgram['speak'] = (method, params, headers, signal) =>
    send(
      '/mcp',
      { jsonrpc: '2.0', id: 1, method, params },
      { accept: 'application/json, text/event-stream', ...headers },
      signal,
    )
  return {
    name,
    token,
    post: (path, body, headers) => send(`/openai/v1${path}`, body, headers),
    ask: (words, agent = 'reception') =>
      send('/openai/v1/chat/completions', { model: agent, messages: [{ role: 'user', content: words }] }),
    speak,
    async call(tool, args = {}) {
      const response = await speak('tools/call', { name: tool, arguments: args })
      const text = await response.text()
      const [, data] = /^data: (.*)$/m.exec(text) ?? []
      const { result } = JSON.parse(data ?? text) as { readonly result?: ToolAnswer }
      if (!result) throw new Error(`${tool} was not answered: ${text}`)
      return result
    },
  }
}
