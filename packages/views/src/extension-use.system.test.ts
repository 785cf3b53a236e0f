import type { InstalledExtensions } from '@countersign/contract'
import type { Kernel } from '@countersign/kernel'
import { type Owner, openIdleKernel, openOwner } from '@countersign/kernel/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestDatabase } from '../../../tests/harness/src/postgres.ts'
import { createExtensionViews } from './extension-use.ts'
import { type EndedCall, leaveCall } from './testing/ended-calls.ts'

let database: Awaited<ReturnType<typeof startTestDatabase>>
let kernel: Kernel
let owner: Owner
const now = new Date('2026-11-16T10:00:00.000Z')
const dayMs = 86_400_000

beforeAll(async () => {
  database = await startTestDatabase()
  kernel = await openIdleKernel({ connection: database.connection, clock: () => now })
  owner = openOwner(database.connection, () => now)
})
afterAll(async () => {
  await owner?.close()
  await kernel.close()
  await database.stop()
})

type Made = Omit<EndedCall, 'at'> & { readonly daysAgo?: number }

const made = ({ daysAgo = 1, ...call }: Made) =>
  leaveCall(owner, kernel.operator, { ...call, at: new Date(now.getTime() - daysAgo * dayMs) })

/** Let in before all calls, or at these times. */
const installed = (added: { readonly odd?: string; readonly letters?: string } = {}) =>
  ({
    servers: [{ name: 'odd', addedAt: added.odd ?? '2026-01-01T00:00:00.000Z' }],
    skills: [{ name: 'letters', addedAt: added.letters ?? '2026-01-01T00:00:00.000Z' }],
  }) as unknown as InstalledExtensions

const odd = (tool: string) => ({ tool: 'call_server_tool', args: { server: 'odd', tool, input: {} } })

test('what was run is counted by its part, and what was not run, or by hand before a review, is not', async () => {
  const views = createExtensionViews(kernel.readOnly, () => now)
  const last = await made({ ...odd('fine'), daysAgo: 2 })
  await made({ ...odd('fine'), outcome: 'failed', daysAgo: 3 })
  const byHand = await made({ ...odd('look'), kind: 'direct', daysAgo: 1 })
  await made({
    ...odd('said'),
    args: { server: 'odd', tool: 'said', input: { text: '\\u0000' } },
    daysAgo: 4,
  })
  await made({ ...odd('fine'), outcome: 'denied' })
  await made({ ...odd('fine'), outcome: 'refused' })
  await made({ ...odd('fine'), daysAgo: 91 })
  await made({ tool: 'use_skill', args: { name: 'letters' }, daysAgo: 5 })
  await made({ tool: 'read_skill_file', args: { skill: 'letters', path: 'a' }, kind: 'direct' })
  await made({ tool: 'read_file', args: { server: 'odd', tool: 'fine' } })
  // Their details were removed by age, and what the database cannot read as text.
  await made({ tool: 'call_server_tool', args: { removed: 'The arguments were removed after 90 days.' } })
  await made({ tool: 'call_server_tool', args: '{"server":"odd","tool":"a\\u0000b"}' })

  const use = await views.extensionUse(kernel.operator, installed())
  expect(use).toEqual({
    since: new Date(now.getTime() - 90 * dayMs).toISOString(),
    unknown: 2,
    extensions: [
      {
        name: 'letters',
        parts: [{ part: 'use_skill', calls: 1, failures: 0, lastAt: '2026-11-11T10:00:00.000Z' }],
      },
      {
        name: 'odd',
        parts: [
          { part: 'fine', calls: 2, failures: 1, lastAt: '2026-11-14T10:00:00.000Z' },
          { part: 'look', calls: 1, failures: 0, lastAt: '2026-11-15T10:00:00.000Z' },
          { part: 'said', calls: 1, failures: 0, lastAt: '2026-11-12T10:00:00.000Z' },
        ],
      },
    ],
  })
  const calls = await views.extensionCalls(kernel.operator, 'odd', installed())
  expect(calls.map(({ id, part, outcome }) => [id, part, outcome])).toEqual([
    [byHand, 'look', 'ok'],
    [last, 'fine', 'ok'],
    [expect.any(String), 'fine', 'failed'],
    [expect.any(String), 'said', 'ok'],
  ])

  // Something else had the name before.
  const later = installed({ odd: '2026-11-14T09:00:00.000Z', letters: '2026-11-12T00:00:00.000Z' })
  const ofThese = await views.extensionUse(kernel.operator, later)
  expect(ofThese).toMatchObject({ since: use.since, unknown: 2 })
  expect(ofThese.extensions).toEqual([
    {
      name: 'odd',
      parts: [
        { part: 'fine', calls: 1, failures: 0, lastAt: '2026-11-14T10:00:00.000Z' },
        { part: 'look', calls: 1, failures: 0, lastAt: '2026-11-15T10:00:00.000Z' },
      ],
    },
  ])
  expect((await views.extensionCalls(kernel.operator, 'odd', later)).map(({ id }) => id)).toEqual([
    byHand,
    last,
  ])
})
