import { randomUUID } from 'node:crypto'
import { type GatewayProcess, type Installation, openInstallation } from '@countersign/harness'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

/** Requests in the shapes in which other programs send them: what each says is made up, and its form is not. */
let installation: Installation
let gateway: GatewayProcess
const asked: string[] = []
const left = Promise.withResolvers<void>()

beforeAll(async () => {
  installation = await openInstallation({
    async script({ lastUser }) {
      asked.push(lastUser)
      if (lastUser.startsWith('Left alone')) await left.promise
      return { text: `You said: ${lastUser.split('\n').at(-1)}` }
    },
  })
  gateway = await installation.start()
}, 120_000)
afterAll(() => installation?.close())

async function tokenOf(): Promise<string> {
  const { token } = await gateway.client.addProgram({ name: `p${randomUUID().slice(0, 8)}` })
  return token
}

function send(
  token: string,
  path: string,
  body: object,
  headers: Record<string, string> = {},
): Promise<Response> {
  return fetch(`${gateway.url}/openai/v1${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })
}

/** The data of each event, as a client without a library reads it. */
async function eventsOf(response: Response): Promise<string[]> {
  expect(response.headers.get('content-type')).toContain('text/event-stream')
  return (await response.text())
    .split('\n\n')
    .flatMap((event) => event.split('\n').filter((row) => row.startsWith('data: ')))
    .map((row) => row.slice('data: '.length))
}

const sessions = async () => (await gateway.client.sessions()).length

describe('Home Assistant', () => {
  const tool = (name: string) => ({
    type: 'function',
    name,
    description: 'Turns on a device',
    parameters: { type: 'object', properties: { name: { type: 'string' } }, required: [] },
    strict: false,
  })
  const request = (conversation: string, ...input: object[]) => ({
    model: 'reception',
    input: [
      {
        type: 'message',
        role: 'developer',
        content: 'You are a voice assistant for Home Assistant. The current time is 08:15.',
      },
      ...input,
    ],
    max_output_tokens: 3_000,
    top_p: 1,
    temperature: 1,
    user: conversation,
    store: false,
    stream: true,
    tools: [tool('HassTurnOn'), tool('HassTurnOff')],
  })
  const message = (role: string, content: string) => ({ type: 'message', role, content })

  test('streams responses, and its conversation goes on', async () => {
    const token = await tokenOf()
    const conversation = '01JZ0000000000000000000000'
    const before = await sessions()
    const first = await eventsOf(
      await send(token, '/responses', request(conversation, message('user', 'What is for dinner?'))),
    )
    const types = first.map((data) => (JSON.parse(data) as { type: string }).type)
    expect(types).toEqual([
      'response.created',
      'response.in_progress',
      'response.output_item.added',
      'response.content_part.added',
      'response.output_text.delta',
      'response.output_text.done',
      'response.content_part.done',
      'response.output_item.done',
      'response.completed',
    ])
    expect(JSON.parse(first.at(-1) ?? '')).toMatchObject({
      response: { status: 'completed', usage: { input_tokens: expect.any(Number) } },
    })
    // What it says of itself is quoted, once.
    expect(asked.at(-1)).toContain('> You are a voice assistant for Home Assistant.')
    const said = 'You said: What is for dinner?'
    await eventsOf(
      await send(
        token,
        '/responses',
        request(
          conversation,
          message('user', 'What is for dinner?'),
          message('assistant', said),
          message('user', 'And then?'),
        ),
      ),
    )
    expect(asked.at(-1)).toBe('And then?')
    // With its history cut, it is the same conversation all the same.
    await eventsOf(
      await send(
        token,
        '/responses',
        request(conversation, message('assistant', 'Cut.'), message('user', 'Still there?')),
      ),
    )
    expect(asked.at(-1)).toBe('Still there?')
    expect(await sessions()).toBe(before + 1)
  })

  test('asks whole chat completions with functions, as the extended integration does', async () => {
    const response = await send(await tokenOf(), '/chat/completions', {
      model: 'reception',
      messages: [
        { role: 'system', content: 'Available Devices: light.kitchen,Kitchen,off' },
        { role: 'user', content: 'Is the light on?', name: 'user-1' },
      ],
      max_tokens: 150,
      top_p: 1,
      temperature: 0.5,
      user: '01JZ0000000000000000000001',
      tools: [{ type: 'function', function: { name: 'execute_services', parameters: { type: 'object' } } }],
      tool_choice: 'auto',
    })
    expect(response.status).toBe(200)
    expect(await response.json()).toMatchObject({
      object: 'chat.completion',
      choices: [
        { finish_reason: 'stop', message: { role: 'assistant', content: 'You said: Is the light on?' } },
      ],
      usage: { total_tokens: expect.any(Number) },
    })
  })

  test('is told that answers have no form of its choosing', async () => {
    const response = await send(await tokenOf(), '/responses', {
      ...request('one', message('user', 'As JSON?')),
      text: { format: { type: 'json_schema', name: 'task', schema: { type: 'object' } } },
    })
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({
      error: { param: 'text.format', message: expect.stringContaining('texts') },
    })
  })
})

describe('Open WebUI', () => {
  const headers = {
    'http-referer': 'https://openwebui.com/',
    'x-title': 'Open WebUI',
    'x-openwebui-user-name': 'Ana',
    'x-openwebui-user-id': '7f0c5e1e-0000-4000-8000-000000000000',
    'x-openwebui-chat-id': '5b1d1a52-0000-4000-8000-000000000000',
  }

  test('reads its models, streams, and goes on with its whole history', async () => {
    const token = await tokenOf()
    const models = await fetch(`${gateway.url}/openai/v1/models`, {
      headers: { ...headers, authorization: `Bearer ${token}` },
    })
    expect(await models.json()).toMatchObject({
      object: 'list',
      data: [{ id: 'reception', object: 'model' }],
    })
    const before = await sessions()
    const request = (...messages: object[]) => ({
      stream: true,
      model: 'reception',
      messages,
      stream_options: { include_usage: true },
    })
    const first = await eventsOf(
      await send(token, '/chat/completions', request({ role: 'user', content: 'Hello there' }), headers),
    )
    expect(first.at(-1)).toBe('[DONE]')
    const chunks = first
      .slice(0, -1)
      .map((data) => JSON.parse(data) as { choices: { delta: { content?: string } }[] })
    expect(chunks.map(({ choices }) => choices[0]?.delta.content ?? '').join('')).toBe(
      'You said: Hello there',
    )
    expect(chunks.at(-1)).toMatchObject({ choices: [], usage: { total_tokens: expect.any(Number) } })
    // It asks for a title of the chat by the way, which is a conversation of its own.
    const title = await send(
      token,
      '/chat/completions',
      {
        model: 'reception',
        messages: [
          {
            role: 'user',
            content:
              '### Task:\nGenerate a concise title.\n<chat_history>\nUSER: Hello there\n</chat_history>',
          },
        ],
        stream: false,
        max_completion_tokens: 1_000,
      },
      headers,
    )
    expect(title.status).toBe(200)
    const second = await eventsOf(
      await send(
        token,
        '/chat/completions',
        request(
          { role: 'user', content: 'Hello there' },
          { role: 'assistant', content: 'You said: Hello there' },
          { role: 'user', content: [{ type: 'text', text: 'In parts' }] },
        ),
        headers,
      ),
    )
    expect(second.at(-1)).toBe('[DONE]')
    expect(asked.at(-1)).toBe('In parts')
    expect(await sessions()).toBe(before + 2)
  })

  test('stops reading in the middle, and what it asked goes on', async () => {
    const token = await tokenOf()
    const control = new AbortController()
    const words = `Left alone ${randomUUID()}`
    const body = { stream: true, model: 'reception', messages: [{ role: 'user', content: words }] }
    const response = await fetch(`${gateway.url}/openai/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal: control.signal,
    })
    await response.body?.getReader().read()
    control.abort()
    left.resolve()
    // Sent again, it is the same question, and its answer is there.
    const again = await eventsOf(await send(token, '/chat/completions', body))
    expect(again.join('')).toContain(words)
    expect(asked.filter((text) => text === words)).toHaveLength(1)
  })
})

test('what no database keeps is left out, and what no id can be names nothing', async () => {
  const token = await tokenOf()
  const words = `a\0b \ud800 ${'\u{1f600}'.repeat(40)}`
  const odd = { model: 'reception', input: words, conversation: 'x\0y', user: '\0' }
  const first = await send(token, '/responses', odd)
  expect(first.status).toBe(200)
  const { id } = (await first.json()) as { id: string }
  expect((await send(token, '/responses', { ...odd, previous_response_id: id })).status).toBe(200)
  expect((await send(token, '/responses', { ...odd, previous_response_id: 'resp_\0' })).status).toBe(404)
  const read = (path: string) =>
    fetch(`${gateway.url}/openai/v1/responses/${path}`, { headers: { authorization: `Bearer ${token}` } })
  expect((await read(id)).status).toBe(200)
  for (const path of ['%00', 'resp_', `${id}0`, '%ED%A0%80'])
    expect((await read(path)).status, path).toBe(404)
})

test('what is no request is refused in the shape of the protocol', async () => {
  const token = await tokenOf()
  const answers = [
    await send(token, '/chat/completions', { model: 'reception' }),
    await send(token, '/chat/completions', { model: 'reception', messages: [] }),
    await send(token, '/responses', { model: 'reception', input: 'Hi.', previous_response_id: 'resp_none' }),
    await send(token, '/responses', { model: 'reception', input: 'Hi.', background: true }),
    await send(token, '/embeddings', { model: 'reception', input: 'Hi.' }),
    await fetch(`${gateway.url}/openai/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: '{',
    }),
    await send(token, '/chat/completions', {
      model: 'reception',
      messages: [{ role: 'user', content: 'x'.repeat(1_100_000) }],
    }),
  ]
  expect(answers.map(({ status }) => status)).toEqual([400, 400, 404, 400, 404, 400, 400])
  for (const answer of answers)
    expect(await answer.json()).toMatchObject({
      error: { message: expect.any(String), type: expect.any(String) },
    })
})
