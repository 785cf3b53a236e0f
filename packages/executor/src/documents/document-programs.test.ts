import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import type { Sandbox } from '../sandbox/port.ts'
import { createDocumentPrograms } from './document-programs.ts'
import { documentLimits } from './limits.ts'

const { signal } = new AbortController()
const job = { program: 'pdf', op: 'info' } as const
const form = z.object({ pages: z.int().min(0) })

/** As if the program had been taken over and said this. */
function answered(stdout: string, stderr = '') {
  const sandbox: Sandbox = {
    name: 'said',
    layered: false,
    run: async () => ({
      kind: 'exited',
      code: 0,
      signal: null,
      stdout,
      stderr,
      truncated: false,
      durationMs: 1,
    }),
    start: () => {
      throw new Error('started')
    },
  }
  return createDocumentPrograms(sandbox).run({ job, form }, null, signal)
}

const done = (facts: string) => `{"kind":"done","facts":${facts}}\n`

describe('the answer of a document program', () => {
  it('is a line of facts in the form that was asked for, and a line for each file', async () => {
    expect(await answered(`${done('{"pages":3,"more":[]}')}${btoa('one')}\n${btoa('two')}\n`)).toEqual({
      kind: 'done',
      facts: { pages: 3 },
      files: [Buffer.from('one'), Buffer.from('two')],
    })
    expect(await answered(done('{"pages":0}'))).toMatchObject({ files: [] })
  })

  it.each([
    ['in another form', done('{"pages":-1}'), 'makes no sense'],
    ['of many parts', done(`[${'{"":{}},'.repeat(1_000_000)}{}]`), 'more than is taken over'],
    ['long', done(`{"pages":1,"more":"${'x'.repeat(documentLimits.maxFactsBytes)}"}`), 'more than is taken'],
    ['long and without an end', '['.repeat(30_000_000), 'more than is taken over'],
    ['deep', done(`{"pages":1,"more":${'['.repeat(20_000)}${']'.repeat(20_000)}}`), 'was ended'],
    ['said twice over', done('{"pages":1,"pages":2}'), 'was ended'],
    ['cut in two', done('{"pages":1}').trimEnd(), 'makes no sense'],
    ['of more files than there can be', done('{"pages":1}') + 'AAAA\n'.repeat(101), 'makes no sense'],
    ['nothing', '', 'was ended'],
    ['its own reason', '{"kind":"failed","reason":"It is odd."}\n', 'It is odd.'],
    ['a reason without end', `{"kind":"failed","reason":"${'x'.repeat(3_000)}"}\n`, 'makes no sense'],
  ])('is a failure where it is %s', async (_, stdout, reason) => {
    expect(await answered(stdout)).toEqual({ kind: 'failed', reason: expect.stringContaining(reason) })
  })

  it('repeats little of what it says beside it', async () => {
    const told = await answered('', `Cannot find module '${'x'.repeat(10_000)}'`)
    expect(told).toEqual({
      kind: 'failed',
      reason: `The program lacks ${'x'.repeat(100)}. Install the product again.`,
    })
  })
})
