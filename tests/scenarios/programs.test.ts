import { createHash, randomUUID } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import type { ApprovalView, ProgramToken } from '@countersign/contract'
import { createProgramClient, ProgramError } from '@countersign/contract/program-client'
import {
  approve,
  type GatewayProcess,
  type Installation,
  openInstallation,
  settledRun,
} from '@countersign/harness'
import OpenAI from 'openai'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { waitFor } from './assistant-scenario.ts'

let installation: Installation
let gateway: GatewayProcess
/** What the model was asked, of each question. */
const asked: string[] = []
const outside = () => join(installation.home, 'outside.txt')
/** Questions with this word are answered once it is let go. */
let slow = Promise.withResolvers<void>()

beforeAll(async () => {
  installation = await openInstallation({
    async script({ lastUser, lastResults }) {
      if (lastResults.length > 0) return { text: `Done: ${lastResults.at(-1)?.text.slice(0, 200)}` }
      asked.push(lastUser)
      if (lastUser.includes('slowly')) await slow.promise
      if (lastUser.includes('outside')) return { calls: [{ name: 'read_file', args: { path: outside() } }] }
      if (lastUser.includes('notes'))
        return { calls: [{ name: 'use_tool', args: { tool: 'list_notes', args: {} } }] }
      return { text: `You said: ${lastUser}` }
    },
  })
  writeFileSync(outside(), 'a secret of somebody')
  gateway = await installation.start()
}, 120_000)
afterAll(async () => {
  slow.resolve()
  await installation?.close()
})

type Adding = Parameters<GatewayProcess['client']['addProgram']>[0]

async function program(given: Partial<Adding> = {}): Promise<ProgramToken> {
  return gateway.client.addProgram({ name: `p${randomUUID().slice(0, 8)}`, ...given })
}

const clientOf = (token: string, options: { maxRetries?: number } = {}) =>
  new OpenAI({ apiKey: token, baseURL: `${gateway.url}/openai/v1`, maxRetries: 0, ...options })

const ask = (client: OpenAI, ...messages: OpenAI.ChatCompletionMessageParam[]) =>
  client.chat.completions.create({ model: 'reception', messages })
const user = (content: string) => ({ role: 'user' as const, content })
const assistant = (content: string | null | undefined) => ({
  role: 'assistant' as const,
  content: content ?? '',
})
const said = (completion: OpenAI.ChatCompletion) => completion.choices[0]?.message.content ?? ''
const sessionsOf = async () => (await gateway.client.sessions()).length
const pending = (): Promise<readonly ApprovalView[]> => gateway.client.approvals({ state: 'pending' })
const timesAsked = (words: string) => asked.filter((text) => text.includes(words)).length

describe('a program that speaks as OpenAI’s client does', () => {
  test('asks and goes on in one conversation, which it finds by its history', async () => {
    const client = clientOf((await program()).token)
    const first = await ask(client, user('Hello there.'))
    expect(said(first)).toBe('You said: Hello there.')
    expect(first.choices[0]?.finish_reason).toBe('stop')
    expect(first.usage?.prompt_tokens).toBeGreaterThan(0)
    const sessions = await sessionsOf()
    const second = await ask(client, user('Hello there.'), assistant(said(first)), user('And now?'))
    expect(said(second)).toBe('You said: And now?')
    expect(await sessionsOf()).toBe(sessions)
    // Whoever goes back says something else to somebody who has not heard the rest.
    const other = await ask(client, user('Hello there.'), assistant(said(first)), user('Or rather?'))
    expect(said(other)).toContain('Or rather?')
    expect(await sessionsOf()).toBe(sessions + 1)
  })

  test('reads a stream with its usage', async () => {
    const client = clientOf((await program()).token)
    const stream = await client.chat.completions.create({
      model: 'reception',
      messages: [user('Stream it.')],
      stream: true,
      stream_options: { include_usage: true },
    })
    let text = ''
    let usage: OpenAI.CompletionUsage | null | undefined
    const ends: unknown[] = []
    for await (const chunk of stream) {
      text += chunk.choices[0]?.delta.content ?? ''
      if (chunk.choices[0]?.finish_reason) ends.push(chunk.choices[0].finish_reason)
      usage = chunk.usage ?? usage
    }
    expect(text).toBe('You said: Stream it.')
    expect(ends).toEqual(['stop'])
    expect(usage?.total_tokens).toBeGreaterThan(0)
  })

  test('uses responses, whole and as a stream, each after the other', async () => {
    const client = clientOf((await program({ private: true })).token)
    const first = await client.responses.create({ model: 'reception', input: 'One.' })
    expect(first.output_text).toBe('You said: One.')
    const sessions = await sessionsOf()
    const second = await client.responses.create({
      model: 'reception',
      input: [{ role: 'user', content: [{ type: 'input_text', text: 'Two.' }] }],
      previous_response_id: first.id,
    })
    expect(second.output_text).toBe('You said: Two.')
    const events: string[] = []
    let text = ''
    for await (const event of await client.responses.create({
      model: 'reception',
      input: 'Three.',
      previous_response_id: second.id,
      stream: true,
    })) {
      events.push(event.type)
      if (event.type === 'response.output_text.delta') text += event.delta
    }
    expect(text).toBe('You said: Three.')
    expect(events[0]).toBe('response.created')
    expect(events.at(-1)).toBe('response.completed')
    expect(await sessionsOf()).toBe(sessions)
    expect((await client.responses.retrieve(first.id)).output[0]).toMatchObject({
      content: [{ text: 'You said: One.' }],
    })
  })

  test('lists its agents as models, and no others', async () => {
    const client = clientOf((await program({ agents: ['reception', 'assistant'] })).token)
    expect((await client.models.list()).data.map(({ id }) => id)).toEqual(['reception', 'assistant'])
    expect((await client.models.retrieve('assistant')).id).toBe('assistant')
    await expect(client.models.retrieve('goal')).rejects.toMatchObject({
      status: 404,
      code: 'model_not_found',
    })
    await expect(
      client.chat.completions.create({ model: 'goal', messages: [user('Hi.')] }),
    ).rejects.toMatchObject({ status: 404, code: 'model_not_found' })
  })

  test('is told what is not done, before a model hears of it', async () => {
    const client = clientOf((await program()).token)
    const before = asked.length
    const refused = (body: object) =>
      expect(
        client.chat.completions.create({ model: 'reception', messages: [user('Hi.')], ...body }),
      ).rejects.toMatchObject({ status: 400 })
    const tools = [{ type: 'function' as const, function: { name: 'turn_on', parameters: {} } }]
    await refused({ tools, tool_choice: 'required' })
    await refused({ n: 2 })
    await refused({ response_format: { type: 'json_object' } })
    await refused({
      messages: [
        { role: 'user', content: [{ type: 'image_url', image_url: { url: 'data:image/png;base64,AA==' } }] },
      ],
    })
    await refused({ messages: [user('Hi.'), assistant('Hello.')] })
    expect(asked).toHaveLength(before)
    // Where the model may choose, none of the caller's tools is called.
    const answer = await client.chat.completions.create({
      model: 'reception',
      messages: [user('With tools.')],
      tools,
    })
    expect(answer.choices[0]?.message.tool_calls).toBeUndefined()
    expect(said(answer)).toBe('You said: With tools.')
  })

  test('gets nothing without its token, and no model hears of it', async () => {
    const { token } = await program()
    const before = asked.length
    const wrong = `${token.slice(0, -1)}${token.endsWith('A') ? 'B' : 'A'}`
    for (const key of [wrong, 'cs_', 'sk-nothing', installation.identity.trust.operator])
      await expect(ask(clientOf(key), user('Let me in.'))).rejects.toMatchObject({
        status: 401,
        code: 'invalid_api_key',
      })
    expect(asked).toHaveLength(before)
  })

  test('is no page of another origin, and asks under no name that only leads here', async () => {
    const { token } = await program()
    const models = async (headers: Record<string, string>) => {
      const { port } = new URL(gateway.url)
      const authorization = `Bearer ${token}`
      return new Promise<number | undefined>((resolve, reject) => {
        request({
          host: '127.0.0.1',
          port,
          path: '/openai/v1/models',
          headers: { authorization, ...headers },
        })
          .on('response', (answer) => resolve(answer.resume().statusCode))
          .on('error', reject)
          .end()
      })
    }
    expect(await models({})).toBe(200)
    for (const headers of [
      { origin: 'https://pages.example' },
      { origin: 'null' },
      { 'sec-fetch-site': 'cross-site' },
      { host: 'rebound.example' },
      { 'x-forwarded-for': '203.0.113.1' },
    ])
      expect(await models(headers), JSON.stringify(headers)).toBe(401)
  })

  test('gets into no route but those of programs, and finds nothing of the operator’s there', async () => {
    const { token } = await program({ agents: ['reception', 'assistant'], role: 'trusted', private: true })
    const { paths } = (await (await fetch(`${gateway.url}/openapi.json`)).json()) as {
      readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>
    }
    const routes = Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => ({ path, method: method.toUpperCase() })),
    )
    const ledger = (await gateway.client.ledger({ limit: 1 })).size
    const taken: string[] = []
    for (const { path, method } of routes) {
      const address = `${gateway.url}${path.replaceAll(/\{\w+\}/g, 'x')}`
      const answer = await fetch(address, {
        method,
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        ...(method === 'GET' ? {} : { body: '{}' }),
      })
      if (answer.status !== 401) taken.push(`${method} ${path}`)
    }
    expect(routes.length).toBeGreaterThan(250)
    const own = taken.filter((each) => / \/(openai\/v1\/|mcp$)/.test(each))
    expect(own).toHaveLength(6)
    // Those that need nobody's signature, for whoever pairs and to see that the gateway is up.
    expect(
      taken.filter((each) => !own.includes(each) && !/ \/v1\/(health|pairing|nodes\/pairing)/.test(each)),
    ).toEqual([])
    expect((await gateway.client.ledger({ limit: 1 })).size).toBe(ledger)
  })

  test('stops at its own budget and at its own number of questions', async () => {
    const poor = clientOf((await program({ limits: { dailyUsd: 0 } })).token)
    const before = asked.length
    await expect(ask(poor, user('For money.'))).rejects.toMatchObject({
      status: 429,
      code: 'insufficient_quota',
    })
    const rare = clientOf((await program({ limits: { messagesPerHour: 1 } })).token)
    expect(said(await ask(rare, user('First.')))).toBe('You said: First.')
    await expect(ask(rare, user('Second.'))).rejects.toMatchObject({
      status: 429,
      code: 'rate_limit_exceeded',
    })
    expect(asked).toHaveLength(before + 1)
  })
})

describe('what a program asks', () => {
  test('waits for the operator in words, and is told later how it ended', async () => {
    const { program: known, token } = await program({ role: 'trusted', private: true, limits: { tier: 2 } })
    const client = new OpenAI({ apiKey: token, baseURL: `${gateway.url}/openai/v1`, maxRetries: 0 })
    const waits = await ask(client, user('Read the one outside.'))
    expect(said(waits)).toMatch(/needs the OK of the operator/)
    expect(waits.choices[0]?.finish_reason).toBe('stop')
    expect(said(waits)).not.toContain('outside.txt')
    const mine = (await pending()).filter(({ code }) => said(waits).includes(code))
    expect(mine).toHaveLength(1)
    const before = asked.length
    const still = await ask(client, user('Read the one outside.'), assistant(said(waits)), user('Well?'))
    expect(said(still)).toMatch(/has not decided yet/)
    expect(asked).toHaveLength(before)
    await approve(installation, gateway.client, mine[0]?.code ?? '')
    await settledRun(gateway.client, mine[0]?.run ?? '')
    const later = await ask(
      client,
      user('Read the one outside.'),
      assistant(said(waits)),
      user('Well?'),
      assistant(said(still)),
      user('And now?'),
    )
    expect(said(later)).toMatch(/About what you asked before: Done: .*a secret of somebody/s)
    expect(said(later)).toContain('You said: And now?')
    expect(mine[0]?.card.headline).toBeDefined()
    expect(known.role).toBe('trusted')
  })

  test('is never the operator’s word', async () => {
    const { program: known, token } = await program({ role: 'trusted' })
    await ask(clientOf(token), user('Whose words are these?'))
    const entries = await gateway.client.ledger({ q: 'type:input.admitted', limit: 50 })
    const last = JSON.stringify(entries)
    expect(last).toContain(`program/${known.name}`)
  })

  test('reaches nothing of the operator’s as a guest', async () => {
    await fetch(gateway.url)
    const client = clientOf((await program()).token)
    const answer = said(await ask(client, user('List my notes.')))
    expect(answer).toMatch(/a guest asks|may hold something private/)
  })

  test('is asked once, however often it is sent before it is answered', async () => {
    const client = clientOf((await program()).token, { maxRetries: 2 })
    slow = Promise.withResolvers()
    const words = `slowly ${randomUUID()}`
    const both = [ask(client, user(words)), ask(client, user(words))]
    await waitFor(() => expect(timesAsked(words)).toBe(1))
    slow.resolve()
    const [one, two] = await Promise.all(both)
    expect(one?.id).toBe(two?.id)
    expect(timesAsked(words)).toBe(1)
    // What was answered may be asked again.
    expect((await ask(client, user(words))).id).not.toBe(one?.id)
    expect(timesAsked(words)).toBe(2)
  })

  test('is one question under one key, for as long as it is known', async () => {
    const client = clientOf((await program()).token)
    const key = { headers: { 'Idempotency-Key': randomUUID() } }
    const words = `keyed ${randomUUID()}`
    const body = { model: 'reception', messages: [user(words)] }
    const one = await client.chat.completions.create(body, key)
    const two = await client.chat.completions.create(body, key)
    expect(two).toMatchObject({ id: one.id, choices: one.choices })
    expect(timesAsked(words)).toBe(1)
    await expect(
      client.chat.completions.create({ ...body, messages: [user('Another.')] }, key),
    ).rejects.toMatchObject({ status: 400 })
  })

  test('survives the death of the gateway, and is not asked twice', async () => {
    const { token } = await program()
    slow = Promise.withResolvers()
    const words = `slowly ${randomUUID()}`
    const lost = ask(clientOf(token), user(words)).catch((error: unknown) => error)
    await waitFor(() => expect(timesAsked(words)).toBe(1))
    await gateway.kill()
    expect(await lost).toBeInstanceOf(OpenAI.APIConnectionError)
    slow.resolve()
    gateway = await installation.start()
    const answer = await ask(clientOf(token), user(words))
    expect(said(answer)).toBe(`You said: ${words}`)
    const titled = (await gateway.client.sessions()).filter(({ title }) => title.includes(words.slice(0, 30)))
    expect(titled).toHaveLength(1)
    const runs = await gateway.client.runs({ session: titled[0]?.id ?? '' })
    expect(runs).toHaveLength(1)
  })

  test('ends with the program, and so does its stream', async () => {
    const { program: known, token } = await program()
    slow = Promise.withResolvers()
    const words = `slowly ${randomUUID()}`
    const stream = await clientOf(token).chat.completions.create({
      model: 'reception',
      messages: [user(words)],
      stream: true,
    })
    const read = (async () => {
      for await (const _ of stream);
    })().catch((error: unknown) => error)
    await waitFor(() => expect(timesAsked(words)).toBe(1))
    await gateway.client.revokeProgram(known.name)
    expect(await read).toMatchObject({ code: 'invalid_api_key' })
    slow.resolve()
    await expect(ask(clientOf(token), user('Still me.'))).rejects.toMatchObject({ status: 401 })
    const running = (await gateway.client.runs({})).filter(({ state }) => state === 'running')
    expect(running).toEqual([])
    expect((await gateway.client.programs()).map(({ name }) => name)).not.toContain(known.name)
  })

  test('has another token once it is rotated, and none while it is paused', async () => {
    const { program: known, token } = await program()
    const { token: next } = await gateway.client.rotateProgram(known.name)
    await expect(ask(clientOf(token), user('Old.'))).rejects.toMatchObject({ status: 401 })
    expect(said(await ask(clientOf(next), user('New.')))).toBe('You said: New.')
    await gateway.client.changeProgram(known.name, { paused: true })
    await expect(ask(clientOf(next), user('Paused.'))).rejects.toMatchObject({ status: 401 })
    await gateway.client.changeProgram(known.name, { paused: false })
    expect(said(await ask(clientOf(next), user('Resumed.')))).toBe('You said: Resumed.')
    const kept = JSON.stringify(await gateway.client.ledger({ limit: 500 }))
    expect(kept).not.toContain(next)
    expect(kept).not.toContain(createHash('sha256').update(next).digest('hex'))
  })
})

describe('the typed client', () => {
  const made = (token: string, sending?: typeof globalThis.fetch) =>
    createProgramClient({ url: gateway.url, token, ...(sending ? { fetch: sending } : {}) })

  test('asks, streams and goes on in a conversation by its name', async () => {
    const client = made((await program({ private: true })).token)
    expect(await client.agents()).toEqual(['reception'])
    const first = await client.ask('One?', { conversation: 'hall' })
    expect(first).toMatchObject({ text: 'You said: One?', state: 'ended' })
    const stream = client.stream('Two?', { conversation: 'hall' })
    const pieces: string[] = []
    let piece = await stream.next()
    for (; !piece.done; piece = await stream.next()) pieces.push(piece.value)
    expect(pieces.join('')).toBe('You said: Two?')
    expect(piece.value).toMatchObject({ text: 'You said: Two?', conversation: first.conversation })
    const third = await client.ask('Three?', { conversation: first.conversation })
    expect(third.conversation).toBe(first.conversation)
    expect(await client.answer(first.id)).toMatchObject({ text: 'You said: One?', state: 'ended' })
  })

  test('sends what was lost again, as the same question', async () => {
    const { token } = await program()
    let lost = 0
    const client = made(token, async (...given) => {
      const response = await fetch(...given)
      if (given[1]?.method !== 'POST' || lost > 0) return response
      lost += 1
      throw new TypeError('fetch failed')
    })
    const words = `lost ${randomUUID()}`
    expect((await client.ask(words)).text).toBe(`You said: ${words}`)
    expect(lost).toBe(1)
    expect(timesAsked(words)).toBe(1)
  })

  test('says what the gateway refuses, and does not try again', async () => {
    await expect(made('cs_nobody').ask('Hi.')).rejects.toThrow(ProgramError)
    await expect(made('cs_nobody').ask('Hi.')).rejects.toMatchObject({ status: 401, code: 'invalid_api_key' })
    const poor = made((await program({ limits: { dailyUsd: 0 } })).token)
    await expect(poor.ask('Hi.')).rejects.toMatchObject({ status: 429, code: 'insufficient_quota' })
  })
})
