import { afterEach, describe, expect, test } from 'vitest'
import type { Script, ScriptReply, ScriptTurn } from './script.ts'
import { type ModelServer, startModelServer } from './server.ts'

const PATHS = {
  openai: '/v1/chat/completions',
  anthropic: '/v1/messages',
}
const CALL: ScriptReply = {
  text: 'On it.',
  calls: [{ id: 'c1', name: 'read', args: '{"a":1,"a":2}' }],
  chunkSize: 5,
}

const servers: ModelServer[] = []

afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()))
})

async function serve(script: Script | ScriptReply): Promise<ModelServer> {
  const server = await startModelServer({ script: typeof script === 'function' ? script : () => script })
  servers.push(server)
  return server
}

function post(server: ModelServer, protocol: keyof typeof PATHS, body: unknown): Promise<Response> {
  return fetch(server.url + PATHS[protocol], { method: 'POST', body: JSON.stringify(body) })
}

function eventsOf(text: string): Record<string, unknown>[] {
  return [...text.matchAll(/^data: (\{.*)$/gm)].map(
    (match) => JSON.parse(match[1] ?? '') as Record<string, unknown>,
  )
}

describe('the scripted server', () => {
  test('streams OpenAI chunks with split arguments, a usage chunk and the end mark', async () => {
    const server = await serve({ ...CALL, usage: { input: 9, output: 4 } })
    const response = await post(server, 'openai', {
      model: 'm',
      stream: true,
      stream_options: { include_usage: true },
      messages: [],
    })
    expect(response.headers.get('content-type')).toContain('text/event-stream')
    const text = await response.text()
    expect(text.endsWith('data: [DONE]\n\n')).toBe(true)
    const events = eventsOf(text)
    expect(events[0]).toMatchObject({
      object: 'chat.completion.chunk',
      model: 'm',
      choices: [{ delta: { role: 'assistant' }, finish_reason: null }],
    })
    const pieces = [...text.matchAll(/"arguments":("(?:[^"\\]|\\.)*")/g)].map(
      (match) => JSON.parse(match[1] ?? '') as string,
    )
    expect(pieces.length).toBeGreaterThan(2)
    expect(pieces.join('')).toBe('{"a":1,"a":2}')
    expect(events.at(-2)).toMatchObject({ choices: [{ finish_reason: 'tool_calls' }] })
    expect(events.at(-1)).toMatchObject({
      choices: [],
      usage: { prompt_tokens: 9, completion_tokens: 4, total_tokens: 13 },
    })
  })

  test('sends OpenAI usage only when it is asked for', async () => {
    const server = await serve({ text: 'Hi' })
    const text = await (await post(server, 'openai', { stream: true, messages: [] })).text()
    expect(text).not.toContain('usage')
  })

  test('streams Anthropic events in their order', async () => {
    const server = await serve({ ...CALL, reasoning: 'Hm.' })
    const text = await (await post(server, 'anthropic', { model: 'm', stream: true, messages: [] })).text()
    const types = eventsOf(text).map((event) => event['type'])
    expect(types.filter((type, index) => type !== types[index - 1])).toEqual([
      'message_start',
      'ping',
      ...Array.from({ length: 3 }, () => [
        'content_block_start',
        'content_block_delta',
        'content_block_stop',
      ]).flat(),
      'message_delta',
      'message_stop',
    ])
    expect(text).toContain('event: message_start\ndata: {"type":"message_start"')
    expect(eventsOf(text).at(-2)).toMatchObject({ delta: { stop_reason: 'tool_use' } })
  })

  test('answers without a stream in both protocols', async () => {
    const server = await serve(CALL)
    expect(await (await post(server, 'openai', { model: 'm', messages: [] })).json()).toMatchObject({
      object: 'chat.completion',
      choices: [
        {
          message: {
            content: 'On it.',
            tool_calls: [{ function: { name: 'read', arguments: '{"a":1,"a":2}' } }],
          },
        },
      ],
    })
    const anthropic = await (await post(server, 'anthropic', { model: 'm', messages: [] })).text()
    expect(anthropic).toContain('"input":{"a":1,"a":2}')
    expect(JSON.parse(anthropic)).toMatchObject({ type: 'message', stop_reason: 'tool_use' })
  })

  test('shows one view of the conversation for both protocols', async () => {
    const turns: ScriptTurn[] = []
    const server = await serve((turn) => {
      turns.push(turn)
      return { text: 'ok' }
    })
    await post(server, 'openai', {
      model: 'm',
      messages: [
        { role: 'system', content: 'Sys' },
        { role: 'user', content: [{ type: 'text', text: 'Do it' }] },
        {
          role: 'assistant',
          content: 'Doing',
          tool_calls: [{ id: 'c1', type: 'function', function: { name: 'read', arguments: '{"a":1}' } }],
        },
        { role: 'tool', tool_call_id: 'c1', content: 'done' },
      ],
      tools: [
        {
          type: 'function',
          function: { name: 'read', description: 'Reads.', parameters: { type: 'object' } },
        },
      ],
    })
    await post(server, 'anthropic', {
      model: 'm',
      system: [{ type: 'text', text: 'Sys' }],
      messages: [
        { role: 'user', content: 'Do it' },
        {
          role: 'assistant',
          content: [
            { type: 'text', text: 'Doing' },
            { type: 'tool_use', id: 'c1', name: 'read', input: { a: 1 } },
          ],
        },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c1', content: 'done' }] },
      ],
      tools: [{ name: 'read', description: 'Reads.', input_schema: { type: 'object' } }],
    })
    const [openai, anthropic] = turns
    expect(anthropic).toEqual({ ...openai, protocol: 'anthropic', callIndex: 1 })
    expect(openai).toMatchObject({
      system: 'Sys',
      lastUser: 'Do it',
      lastResults: [{ callId: 'c1', name: 'read', text: 'done', isError: false }],
      tools: [{ name: 'read', description: 'Reads.', schema: { type: 'object' } }],
      callIndex: 0,
    })
  })

  test('answers a status with its retry-after', async () => {
    const server = await serve({ status: 429, retryAfter: 3, errorMessage: 'Slow' })
    const response = await post(server, 'anthropic', { messages: [] })
    expect(response.status).toBe(429)
    expect(response.headers.get('retry-after')).toBe('3')
    expect(await response.json()).toEqual({
      type: 'error',
      error: { type: 'rate_limit_error', message: 'Slow' },
    })
  })

  test('cuts the socket after the given bytes, or ends properly there', async () => {
    const rough = await serve({ text: 'Hello', truncateAfterBytes: 40 })
    await expect(
      post(rough, 'openai', { stream: true }).then((response) => response.text()),
    ).rejects.toThrow()
    const clean = await serve({ text: 'Hello', truncateAfterBytes: 40, cutCleanly: true })
    expect(await (await post(clean, 'openai', { stream: true })).text()).toHaveLength(40)
  })

  test('lists a model, and refuses other paths and bodies', async () => {
    const server = await serve({ text: 'Hi' })
    expect(await (await fetch(`${server.url}/v1/models`)).json()).toMatchObject({
      data: [{ id: 'scripted' }],
    })
    expect((await fetch(`${server.url}/v1/other`)).status).toBe(404)
    const response = await fetch(server.url + PATHS.openai, { method: 'POST', body: '[1' })
    expect(response.status).toBe(400)
    expect(server.requests).toHaveLength(0)
  })

  test('keeps only the newest requests', async () => {
    const server = await startModelServer({ script: () => ({ text: 'Hi' }), keepRequests: 2 })
    servers.push(server)
    for (const model of ['a', 'b', 'c']) await post(server, 'openai', { model, messages: [] })
    expect(server.requests.map((request) => request.body['model'])).toEqual(['b', 'c'])
  })
})
