import type { CallReply, ModelChunk, ModelMessage, ModelRequest } from '@countersign/agent'
import { describe, expect, test } from 'vitest'
import { createModel } from '../calls/model.ts'
import { createCatalogue } from '../catalogue/catalogue.ts'
import { vendoredData } from '../catalogue/data.ts'
import { listModels } from '../providers/list-models.ts'
import { demoReply } from './demo-model.ts'
import { examples } from './sentences.ts'

const schema = { type: 'object' }
const listed = ['list_directory', 'read_file', 'write_file', 'use_tool'].map((name) => ({
  name,
  description: name,
  schema,
}))

function asked(messages: readonly ModelMessage[], rest: Partial<ModelRequest> = {}): ModelRequest {
  return { purpose: 'chat', system: '', messages, tools: listed, maxOutputTokens: 1_000, ...rest }
}

const you = (text: string): ModelMessage => ({ role: 'user', text })

/** Answers every call with the given words, until the model only speaks. */
function converse(
  words: string,
  answer: (tool: string, args: Record<string, unknown>) => Partial<CallReply>,
) {
  const messages: ModelMessage[] = [you(words)]
  const calls: { tool: string; args: Record<string, unknown> }[][] = []
  for (let turn = 0; turn < 10; turn += 1) {
    const reply = demoReply(asked(messages))
    if (reply.calls.length === 0) return { calls, text: reply.text }
    const made = reply.calls.map(({ name, args }) => {
      const given = JSON.parse(args) as Record<string, unknown>
      return name === 'use_tool'
        ? { tool: String(given['tool']), args: given['args'] as Record<string, unknown> }
        : { tool: name, args: given }
    })
    calls.push(made)
    messages.push({ role: 'assistant', text: reply.text, calls: reply.calls })
    const results = reply.calls.map(({ id, name }, at) => ({
      callId: id,
      name,
      text: 'done',
      isError: false,
      ...answer(made[at]?.tool ?? '', made[at]?.args ?? {}),
    }))
    messages.push({ role: 'tool', results })
  }
  throw new Error('It goes on and on.')
}

async function chunksOf(request: ModelRequest, signal = new AbortController().signal): Promise<ModelChunk[]> {
  const model = createModel({ name: 'demo', kind: 'demo', model: 'demo', timeoutMs: 1_000 })
  return Array.fromAsync(model.stream(request, signal))
}

const listing = 'a.jpg (10)\nb.png (10)\nreport.pdf (7)\nsetup.zip (3)\nPictures/\nunknown.bin (1)'

describe('the demo model', () => {
  test('says what it is, and what it understands, when it is greeted', () => {
    const { text, calls } = demoReply(asked([you('Hello, who are you?')]))
    expect(calls).toEqual([])
    expect(text).toContain('I am the demo model')
    for (const example of examples) expect(text).toContain(example)
  })

  test('says that it did not understand, and proposes nothing', () => {
    const { text, calls } = demoReply(asked([you('Send 500 euro to my landlord.')]))
    expect(calls).toEqual([])
    expect(text).toContain('This was not one of them')
  })

  test('understands each of its examples', () => {
    for (const example of examples) expect(demoReply(asked([you(example)])).calls.length, example).toBe(1)
  })

  test('gives the same reply to the same request', async () => {
    const request = asked([you('Tidy the folder Downloads.')])
    expect(await chunksOf(request)).toEqual(await chunksOf(request))
  })

  test('streams its words and ends once', async () => {
    const chunks = await chunksOf(asked([you('help')]))
    const end = chunks.at(-1)
    if (end?.type !== 'end') throw new Error('It did not end.')
    const streamed = chunks.flatMap((chunk) => (chunk.type === 'text' ? [chunk.text] : []))
    expect(streamed.join('')).toBe(end.reply.text)
    expect(streamed.length).toBeGreaterThan(10)
    expect(chunks.filter(({ type }) => type === 'end' || type === 'failed')).toHaveLength(1)
  })

  test('stops when it is stopped', async () => {
    const chunks = await chunksOf(asked([you('help')]), AbortSignal.abort())
    expect(chunks).toEqual([{ type: 'failed', failure: expect.objectContaining({ kind: 'cancelled' }) }])
  })

  test('tidies: looks, makes the folders that are missing, moves, and offers the week', () => {
    const { calls, text } = converse('Tidy the folder Sample/Downloads.', (tool) => ({
      text: tool === 'list_directory' ? listing : tool === 'move_file' ? 'Moved x to y' : 'done',
    }))
    expect(calls.map((turn) => turn.map(({ tool }) => tool))).toEqual([
      ['list_directory'],
      ['create_folder', 'create_folder'],
      ['move_file', 'move_file', 'move_file', 'move_file'],
      ['create_scheduled_task'],
    ])
    expect(calls[1]?.map(({ args }) => args['path'])).toEqual([
      'Sample/Downloads/Documents',
      'Sample/Downloads/Archives',
    ])
    expect(calls[2]?.[0]?.args).toEqual({
      source: 'Sample/Downloads/a.jpg',
      destination: 'Sample/Downloads/Pictures/a.jpg',
    })
    expect(text).toContain('4 files')
  })

  test('stops tidying when all of a step was denied', () => {
    const { calls, text } = converse('Tidy the folder Downloads.', (tool) =>
      tool === 'list_directory' ? { text: listing } : { text: 'The operator denied it.', isError: true },
    )
    expect(calls).toHaveLength(2)
    expect(text).toContain('The operator denied it.')
  })

  test('moves nothing in a folder without files that it knows', () => {
    const { calls, text } = converse('Tidy the folder Downloads.', () => ({ text: '(empty)' }))
    expect(calls).toHaveLength(1)
    expect(text).toContain('tidy already')
  })

  test('drafts a reply from what the message says, and says that nothing was sent', () => {
    const { calls, text } = converse('Draft a reply to Sample/Inbox/from-ana.txt.', (tool) => ({
      text:
        tool === 'read_file' ? 'From: Ana Kovač <ana@example.com>\nSubject: Thursday\n\nCan we meet?' : 'ok',
    }))
    expect(calls.map((turn) => turn.map(({ tool }) => tool))).toEqual([['read_file'], ['draft_reply']])
    expect(calls[1]?.[0]?.args).toMatchObject({ to: 'Ana Kovač <ana@example.com>', subject: 'Re: Thursday' })
    expect(text).toContain('Nothing was sent')
  })

  test('reports a call that was denied, and does not try again', () => {
    const { calls, text } = converse('Summarise the page https://example.com/', () => ({
      text: 'Denied.',
      isError: true,
    }))
    expect(calls).toEqual([
      [{ tool: 'fetch_web_page', args: { url: 'https://example.com/', maxChars: 4_000 } }],
    ])
    expect(text).toContain('That was not done. Denied.')
  })

  test('answers the small questions of the assistant in the form that they ask for', () => {
    const small = (purpose: 'extraction' | 'summaries') =>
      demoReply(asked([you('["I like tea"]')], { purpose, tools: [] })).text
    expect(JSON.parse(small('extraction'))).toEqual([])
    expect(small('summaries')).not.toBe('')
  })

  test('uses the tool of a trial', () => {
    const tools = [{ name: 'report_status', description: '', schema }]
    const { calls } = demoReply(asked([you('Report the status ok with the tool report_status.')], { tools }))
    expect(calls).toEqual([{ id: 'demo_1', name: 'report_status', args: '{"status":"ok"}' }])
  })

  test('gives every call of a conversation an id of its own', () => {
    const messages: ModelMessage[] = [you('What time is it?')]
    const first = demoReply(asked(messages))
    messages.push({ role: 'assistant', text: '', calls: first.calls })
    messages.push({
      role: 'tool',
      results: [{ callId: 'demo_1', name: 'use_tool', text: 'noon', isError: false }],
    })
    messages.push(you('How much is 12 * 7?'))
    expect(demoReply(asked(messages)).calls[0]?.id).toBe('demo_2')
  })

  test('is free, has tools, and is listed without asking anybody', async () => {
    const catalogue = createCatalogue({ data: await vendoredData(), overrides: new Map() })
    const facts = catalogue.factsFor({ name: 'demo', kind: 'demo' }, 'demo')
    expect(facts.price).toMatchObject({ input: 0, output: 0 })
    expect(facts.capabilities).toContain('tools')
    const never = () => Promise.reject(new Error('Nobody may be called.'))
    expect(await listModels({ kind: 'demo', timeoutMs: 1 }, never)).toEqual({
      kind: 'listed',
      models: ['demo'],
    })
  })
})
