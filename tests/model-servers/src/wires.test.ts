import { afterEach, describe, expect, test } from 'vitest'
import type { Protocol, ScriptReply, ScriptTurn } from './script.ts'
import { type ModelServer, startModelServer } from './server.ts'

/** Those that speak in lines; Bedrock has frames, and is tried with the package that reads them. */
const PATHS: Readonly<Record<Exclude<Protocol, 'bedrock'>, string>> = {
  openai: '/chat/completions',
  anthropic: '/messages',
  responses: '/responses',
  google: '/models/m:streamGenerateContent?alt=sse',
  mistral: '/chat/completions',
  groq: '/chat/completions',
  deepseek: '/chat/completions',
  xai: '/responses',
  together: '/chat/completions',
  fireworks: '/chat/completions',
  perplexity: '/chat/completions',
  cohere: '/chat',
  openrouter: '/chat/completions',
  ollama: '/chat',
  vertex: '/models/m:streamGenerateContent?alt=sse',
}
const protocols = Object.keys(PATHS) as (keyof typeof PATHS)[]

const servers: ModelServer[] = []
afterEach(async () => void (await Promise.all(servers.splice(0).map((server) => server.close()))))

async function serve(reply: ScriptReply, turns: ScriptTurn[] = []): Promise<ModelServer> {
  const server = await startModelServer({
    script: (turn) => {
      turns.push(turn)
      return reply
    },
  })
  servers.push(server)
  return server
}

function post(server: ModelServer, protocol: keyof typeof PATHS, body: object = {}): Promise<Response> {
  return fetch(server.baseUrl(protocol) + PATHS[protocol], {
    method: 'POST',
    body: JSON.stringify({ model: 'm', stream: true, ...body }),
  })
}

describe.each(protocols)('the protocol %s', (protocol) => {
  test('streams a reply in pieces that are objects, and says that it is over', async () => {
    const server = await serve({ text: 'Good morning.', reasoning: 'Hm.', chunkSize: 4 })
    const response = await post(server, protocol)
    const lines = (await response.text()).split('\n').map((line) => line.replace(/^data: /, '').trim())
    const events = lines.filter((line) => line.startsWith('{')).map((line) => JSON.parse(line) as unknown)
    expect(events.length).toBeGreaterThan(4)
    expect(JSON.stringify(events)).toMatch(
      /finish_reason":"|"stop_reason":"|completed|STOP|COMPLETE|"done":true/,
    )
    expect(response.headers.get('content-type')).toMatch(protocol === 'ollama' ? /ndjson/ : /event-stream/)
  })

  test('leaves its end out when it is told to', async () => {
    const server = await serve({ text: 'Good morning.', finish: 'none' })
    const text = await (await post(server, protocol)).text()
    expect(text).not.toMatch(/finish_reason":"|"stop_reason":"|response\.completed|STOP|COMPLETE|"done":true/)
  })

  test('answers with a status and words of its own', async () => {
    const server = await serve({ status: 503, errorMessage: 'Gone fishing.' })
    const response = await post(server, protocol)
    expect(response.status).toBe(503)
    expect(JSON.stringify(await response.json())).toContain('Gone fishing.')
  })

  test('is named to the script, with its model', async () => {
    const turns: ScriptTurn[] = []
    await (await post(await serve({ text: 'Yes.' }, turns), protocol)).text()
    expect(turns).toMatchObject([{ protocol, model: 'm', messages: [], lastUser: '' }])
  })
})

test('shows the same conversation in Responses, Google and Ollama', async () => {
  const turns: ScriptTurn[] = []
  const server = await serve({ text: 'Yes.' }, turns)
  await post(server, 'responses', {
    input: [
      { role: 'developer', content: 'Sys' },
      {
        role: 'user',
        content: [
          { type: 'input_text', text: 'Do it' },
          { type: 'input_image', image_url: 'data:image/png;base64,AA==' },
        ],
      },
      { role: 'assistant', content: [{ type: 'output_text', text: 'Doing' }] },
      { type: 'function_call', call_id: 'c1', name: 'read', arguments: '{"a":1}' },
      { type: 'function_call_output', call_id: 'c1', output: 'done' },
    ],
    tools: [{ type: 'function', name: 'read', description: 'Reads.', parameters: { type: 'object' } }],
  })
  await post(server, 'google', {
    systemInstruction: { parts: [{ text: 'Sys' }] },
    contents: [
      { role: 'user', parts: [{ text: 'Do it' }, { inlineData: { mimeType: 'image/png', data: 'AA==' } }] },
      {
        role: 'model',
        parts: [{ text: 'Doing' }, { functionCall: { id: 'c1', name: 'read', args: { a: 1 } } }],
      },
      {
        role: 'user',
        parts: [{ functionResponse: { id: 'c1', name: 'read', response: { content: 'done' } } }],
      },
    ],
    tools: [
      { functionDeclarations: [{ name: 'read', description: 'Reads.', parameters: { type: 'object' } }] },
    ],
  })
  await post(server, 'ollama', {
    messages: [
      { role: 'system', content: 'Sys' },
      { role: 'user', content: 'Do it', images: ['AA=='] },
      {
        role: 'assistant',
        content: 'Doing',
        tool_calls: [{ id: 'c1', function: { name: 'read', arguments: { a: 1 } } }],
      },
      { role: 'tool', content: 'done', tool_name: 'read' },
    ],
    tools: [
      {
        type: 'function',
        function: { name: 'read', description: 'Reads.', parameters: { type: 'object' } },
      },
    ],
  })
  const [responses, google, ollama] = turns
  expect(responses).toMatchObject({
    system: 'Sys',
    lastUser: 'Do it',
    lastResults: [{ callId: 'c1', name: 'read', text: 'done' }],
    tools: [{ name: 'read', description: 'Reads.' }],
  })
  expect(responses?.messages[0]?.images).toEqual(['image/png'])
  expect(responses?.messages[1]?.calls).toEqual([{ id: 'c1', name: 'read', args: '{"a":1}' }])
  expect(google).toEqual({ ...responses, protocol: 'google', callIndex: 1 })
  const imageless = (turn: ScriptTurn | undefined) =>
    turn?.messages.map((message) => ({ ...message, images: [] }))
  expect({ ...ollama, messages: imageless(ollama) }).toEqual({
    ...responses,
    messages: imageless(responses),
    protocol: 'ollama',
    callIndex: 2,
  })
})

test('refuses ids that Mistral does not take', async () => {
  const server = await serve({ text: 'Yes.' })
  const asking = (id: string) =>
    post(server, 'mistral', { messages: [{ role: 'tool', tool_call_id: id, content: 'done' }] })
  expect((await asking('abcdefgh1')).status).toBe(200)
  expect((await asking('call_1')).status).toBe(400)
})
