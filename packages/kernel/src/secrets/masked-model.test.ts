import type { Meter, ModelChunk, ModelPort, ModelRequest } from '@countersign/agent'
import { createRedactor } from '@countersign/contract/node'
import { expect, test } from 'vitest'
import { maskedModel } from './masked-model.ts'

const value = 'p@ss "word" 1234'
const mark = '‹secret:mail›'

const meter: Meter = {
  reserve: () => Promise.resolve({ kind: 'reserved', id: 'mc' }),
  settle: () => Promise.resolve(),
}

async function ask(request: Partial<ModelRequest>, chunks: readonly ModelChunk[]) {
  const redactor = createRedactor()
  redactor.register('mail', value)
  let received: ModelRequest | undefined
  const model: ModelPort = {
    async *stream(asked) {
      received = asked
      yield* chunks
    },
  }
  const whole: ModelRequest = {
    purpose: 'chat',
    system: '',
    messages: [],
    tools: [],
    maxOutputTokens: 1,
    ...request,
  }
  const got = await Array.fromAsync(
    maskedModel(model, redactor).stream(whole, new AbortController().signal, meter),
  )
  return { received, got }
}

const usage = { input: 1, output: 1, cached: 0, reasoning: 0 }
const end = (text: string, args = '{}'): ModelChunk => ({
  type: 'end',
  reply: { text, calls: [{ id: 'c1', name: 'look', args }], finish: 'stop', usage, model: 'm' },
})

test('a model is shown marks in place of values, wherever they stand', async () => {
  const { received } = await ask(
    {
      system: `The key is ${value}.`,
      messages: [
        { role: 'user', text: value },
        {
          role: 'assistant',
          text: '',
          calls: [{ id: 'c', name: 'look', args: JSON.stringify({ key: value }) }],
        },
        {
          role: 'tool',
          results: [{ callId: 'c', name: 'look', text: btoa(`ana:${value}`), isError: false }],
        },
      ],
    },
    [end('')],
  )
  expect(JSON.stringify(received)).not.toContain('1234')
  expect(received?.messages[0]).toEqual({ role: 'user', text: mark })
})

test('what a model says of a value is masked, in its reply, its calls, its failures and piece by piece', async () => {
  const pieces = value.match(/.{1,3}/gs)?.map((text): ModelChunk => ({ type: 'text', text })) ?? []
  const { got } = await ask({}, [
    ...pieces,
    { type: 'text', text: ' is it.' },
    end(`${value} is it.`, JSON.stringify({ key: value })),
  ])
  const streamed = got.flatMap((chunk) => (chunk.type === 'text' ? [chunk.text] : [])).join('')
  expect(`${mark} is it.`.startsWith(streamed)).toBe(true)
  expect(streamed).toContain(mark)
  expect(got.at(-1)).toMatchObject({
    reply: { text: `${mark} is it.`, calls: [{ args: `{"key":"${mark}"}` }] },
  })
  const failed = await ask({}, [{ type: 'failed', failure: { kind: 'key', message: `bad key ${value}` } }])
  expect(failed.got).toEqual([{ type: 'failed', failure: { kind: 'key', message: `bad key ${mark}` } }])
})

test('a reply without a secret comes as it is', async () => {
  const { got } = await ask({}, [
    { type: 'text', text: 'Hello ' },
    { type: 'text', text: 'there' },
    end('Hello there'),
  ])
  expect(got.flatMap((chunk) => (chunk.type === 'text' ? [chunk.text] : [])).join('')).toBe('Hello ther')
  expect(got.at(-1)).toEqual(end('Hello there'))
})

test('a picture goes as it is, also where a value stands in its letters', async () => {
  const images = [{ mediaType: 'image/png', base64: `AAAA${value}AAAA` }]
  const { received } = await ask({ messages: [{ role: 'user', text: value, images }] }, [end('')])
  expect(received?.messages).toEqual([{ role: 'user', text: mark, images }])
})

test('whether pictures are taken is the word of the model', async () => {
  const stream = async function* () {}
  const takes = { stream, takesPictures: async () => true }
  expect(await maskedModel(takes, createRedactor()).takesPictures?.({ purpose: 'chat' })).toBe(true)
  expect(maskedModel({ stream }, createRedactor()).takesPictures).toBeUndefined()
})
