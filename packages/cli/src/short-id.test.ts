import { describe, expect, test } from 'vitest'
import type { CommandRow } from './command-row.ts'
import { commandTable } from './command-table.ts'
import { memoryRows } from './commands/rows/memory.ts'
import type { Context } from './context.ts'
import { shortId, wholeId } from './short-id.ts'
import { fakeClient } from './testing/fake-client.ts'

const one = `run_${'01a1e04d'.padEnd(24, '0')}c4fd2e11`
const other = `run_${'01a1e04d'.padEnd(24, '0')}77aa00b2`

/** A gateway that has two runs. */
const context = {
  gateway: async () => ({
    client: fakeClient(({ query }) => {
      const part = query['part'] ?? ''
      return { ids: [one, other].filter((id) => id.startsWith(`run_${part}`) || id.endsWith(part)) }
    }),
  }),
} as unknown as Context

describe('an id', () => {
  test.each(['c4fd2e11', 'run_c4fd2e11', shortId(one), one.slice(0, 34), one])(
    'is found by %s',
    async (text) => {
      expect(await wholeId(context, text, 'run')).toBe(one)
    },
  )

  test('that could be two things lists both', async () => {
    await expect(wholeId(context, 'run_01a1e04d', 'run')).rejects.toMatchObject({
      code: 'usage',
      message: expect.stringContaining(other) as string,
    })
  })

  test('that nothing has is not found', async () => {
    await expect(wholeId(context, 'dead', 'run')).rejects.toMatchObject({
      code: 'not_found',
      message: 'There is no run dead.',
    })
  })

  test('that may be a name as well is one only where it has the length of a short id', async () => {
    expect(await wholeId(context, 'c4fd2e11', 'run', true)).toBe(one)
    expect(await wholeId(context, 'run_2e11', 'run', true)).toBe(one)
    for (const name of ['2e11', 'deadbeef', 'Learn Danish'])
      expect(await wholeId(context, name, 'run', true)).toBe(name)
  })

  test('of a goal or a memory is taken short wherever one is named', () => {
    const named = (rows: readonly CommandRow[], noun: string) =>
      rows.flatMap((row) => [
        ...row.arguments.filter(({ name }) => name === noun || name === 'what'),
        ...row.options.filter(({ flags }) => flags.startsWith(`--${noun} `) || flags === '--parent <goal>'),
      ])
    const rows = [...named(commandTable, 'goal'), ...named(memoryRows, 'memory')]
    expect(rows.length).toBeGreaterThan(15)
    expect(rows.filter(({ id }) => id !== 'goal' && id !== 'mem')).toEqual([])
  })

  test.each(['nope', 'ses_c4fd2e11', 'c4f'])('is left alone where it cannot be one: %s', async (text) => {
    expect(await wholeId(context, text, 'run')).toBe(text)
  })
})
