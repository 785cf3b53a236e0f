import { type ApprovalDetail, CountersignError } from '@countersign/contract'
import type { HostIdentity } from '@countersign/contract/node'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createContext, type GlobalFlags } from '../context.ts'
import { failed, written } from '../output/answer.ts'
import { failureOf } from '../output/failure.ts'
import { type FakeRequest, fakeClient } from '../testing/fake-client.ts'
import { usualFlags } from '../testing/flags.ts'
import { type TestHome, testHome, testHost } from '../testing/home.ts'
import { approvalDetail } from '../testing/records.ts'
import { approve } from './approval-decide.ts'

const now = new Date('2026-08-01T12:00:00.000Z')
let home: TestHome
let identity: HostIdentity
let detail: ApprovalDetail
let sent: FakeRequest[]
let opened: string[]
beforeEach(() => {
  home = testHome()
  identity = home.establish()
  detail = approvalDetail({ identity, code: 'CRIT', tier: 4, now })
  sent = []
  opened = []
})
afterEach(() => home.remove())

const passkey = { credential: 'c'.repeat(20), name: 'Key', site: 'localhost', addedAt: '', revokedAt: null }
function answer(asked: FakeRequest): unknown {
  sent.push(asked)
  if (asked.path === '/v1/devices') return { devices: [], passkeys: [passkey], origins: [], problems: [] }
  if (asked.path.startsWith('/v1/approvals/')) return detail
  throw new CountersignError('not_found', asked.path)
}

const decided = (state: 'approved' | 'denied', reason: string | null = null) => {
  detail = { ...detail, approval: { ...detail.approval, state, reason, receipt: `${state} by you` } }
}

async function stepUp(meanwhile: (waited: number) => void, flags: Partial<GlobalFlags> = {}) {
  let time = now.getTime()
  const made = testHost({
    home,
    clock: () => new Date(time),
    platform: 'linux',
    values: { DISPLAY: ':0' },
    runProgram: async (_program, given) => {
      opened.push(...given)
      return { kind: 'ran', code: 0, output: '', errors: '' }
    },
  })
  const host = {
    ...made,
    wait: async (ms: number) => {
      time += ms
      meanwhile(time - now.getTime())
    },
  }
  const all: GlobalFlags = { ...usualFlags, json: true, plain: true, ...flags }
  const context = {
    ...createContext(host, all),
    gateway: () =>
      Promise.resolve({ client: fakeClient(answer), identity, url: 'http://127.0.0.1:7347' } as never),
  }
  const result = await approve(context, ['CRIT'], { stepUp: true }).catch(async (error: unknown) =>
    failed(await failureOf(error)),
  )
  const { output, exit } = written(result, true)
  return { exit, value: JSON.parse(output) as Record<string, unknown>, said: made.complaints() }
}

describe('approval approve --step-up', () => {
  it('opens the web app at the request and waits for what is decided there', async () => {
    const { exit, value, said } = await stepUp((waited) => {
      if (waited > 2_000) decided('approved')
    })
    expect(exit).toBe(0)
    expect(value).toMatchObject({ ok: true, decided: true, approval: { state: 'approved' } })
    expect(opened).toEqual(['http://localhost:7347/approvals/CRIT'])
    expect(said).toContain('Waiting for your decision on CRIT.')
    expect(sent.filter(({ method }) => method !== 'GET')).toEqual([])
  })

  it('ends with 6 and the reason when it is denied there', async () => {
    const { exit, value } = await stepUp(() => decided('denied', 'not today'))
    expect(exit).toBe(6)
    expect(value['error']).toMatchObject({ message: 'CRIT was denied: not today.' })
  })

  it('ends with 7 when the time is over, and decides nothing', async () => {
    const { exit, value } = await stepUp(() => undefined, { waitMs: 3_000 })
    expect(exit).toBe(7)
    expect(value['error']).toMatchObject({ next: expect.stringContaining('--step-up') })
    expect(sent.filter(({ method }) => method !== 'GET')).toEqual([])
  })

  it('opens nothing for what was decided already or is not sound', async () => {
    decided('denied')
    expect((await stepUp(() => undefined)).exit).toBe(6)
    const card = { ...detail.approval.card, headline: 'Read a file' }
    detail = { ...detail, approval: { ...detail.approval, state: 'pending', card } }
    expect((await stepUp(() => undefined)).exit).toBe(14)
    expect(opened).toEqual([])
  })
})
