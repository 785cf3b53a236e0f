import { expect, it } from 'vitest'
import type { Context } from '../context.ts'
import { written } from '../output/answer.ts'
import { fakeClient } from '../testing/fake-client.ts'
import { limits } from './limits.ts'

it('shows each limit with its unit, and how it is changed where it can be', async () => {
  const groups = [
    {
      name: 'A task',
      change: '`countersign agent set`',
      limits: [
        { name: 'turns', value: 20 },
        { name: 'activeMs', value: 600_000 },
        { name: 'delayedRetry.baseMs', value: 10_000 },
      ],
    },
    { name: 'A reader', change: null, limits: [{ name: 'quietMs', value: 7_200_000 }] },
  ]
  const client = fakeClient(() => groups)
  const context = { gateway: async () => ({ client }), paint: (_: string, text: string) => text }
  const answer = await limits(context as unknown as Context, [], {})
  const { output } = written(answer, false)
  expect(output).toMatch(/turns +20/)
  expect(output).toMatch(/activeMs +10 min/)
  expect(output).toMatch(/baseMs +10 s/)
  expect(output).toMatch(/quietMs +2 h/)
  expect(output).toContain('Change it with `countersign agent set`.')
  expect(JSON.parse(written(answer, true).output)).toMatchObject({ groups })
})
