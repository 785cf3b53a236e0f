import { expect, it } from 'vitest'
import { partRoutes } from '../routes/parts.ts'
import { type PartStep, partCalls } from './parts.ts'

async function read(chunks: readonly string[]): Promise<PartStep[]> {
  const encoder = new TextEncoder()
  const asked: unknown[] = []
  const calls = partCalls(async (...request) => {
    asked.push(request.slice(0, 2))
    return ReadableStream.from(chunks.map((chunk) => encoder.encode(chunk)))
  })
  const steps = await Array.fromAsync(await calls.installPart('local-embeddings'))
  expect(asked).toEqual([[partRoutes.installPart, { params: { name: 'local-embeddings' } }]])
  return steps
}

it('reads one step a line, wherever the chunks break', async () => {
  expect(
    await read(['{"fraction":0.5,"wor', 'ds":"Fetching"}\n{"installed":true,', '"version":"1","bytes":12}']),
  ).toEqual([
    { fraction: 0.5, words: 'Fetching' },
    { installed: true, version: '1', bytes: 12 },
  ])
  expect(await read(['{"problem":"The disk is full."}\n\n'])).toEqual([{ problem: 'The disk is full.' }])
  expect(await read([])).toEqual([])
})

it.each(['{"fraction":2,"words":""}\n', 'nonsense\n', '{"installed":false}\n'])(
  'refuses %j, which is no step',
  async (text) => {
    await expect(read([text])).rejects.toMatchObject({ code: 'internal' })
  },
)
