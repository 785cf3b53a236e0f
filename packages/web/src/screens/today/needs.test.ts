import {
  emptyLive,
  fold,
  type GatewayEvent,
  idFrom,
  type Label,
  type PairingRequestView,
  type ScheduleView,
  type Status,
} from '@countersign/contract'
import { describe, expect, test } from 'vitest'
import { type Need, needsOf, repairsOf, shortened } from './needs.ts'

const nothing = {
  state: emptyLive,
  schedules: [],
  requests: [],
  status: undefined,
  archived: new Set<string>(),
}

describe('what needs the operator', () => {
  test('nothing does where nothing waits and everything works', () => {
    expect(needsOf({ ...nothing, status: status() })).toEqual([])
  })

  test('an automation whose last time failed needs a look, one that went well since does not', () => {
    const schedules = [schedule('sch_1', ['succeeded', 'failed']), schedule('sch_2', ['failed', 'succeeded'])]
    expect(needsOf({ ...nothing, schedules })).toMatchObject([{ kind: 'automation', id: 'sch_1' }])
  })

  test('an automation that the operator paused needs nobody', () => {
    expect(needsOf({ ...nothing, schedules: [schedule('sch_1', ['missed'], 'paused')] })).toEqual([])
  })

  test('the notice of a failure is told once, with its automation', () => {
    const state = noticed('sch_1', 'The mail account did not answer.')
    const needs = needsOf({ ...nothing, state, schedules: [schedule('sch_1', ['failed'])] })
    expect(needs).toMatchObject([{ kind: 'automation', text: 'The mail account did not answer.' }])
  })

  test('a notice about an automation that went well since is gone, one about anything else stays', () => {
    const schedules = [schedule('sch_1', ['succeeded'])]
    expect(needsOf({ ...nothing, state: noticed('sch_1', 'failed'), schedules })).toEqual([])
    expect(needsOf({ ...nothing, state: noticed('disk', 'nearly full'), schedules })).toMatchObject([
      { kind: 'notice', text: 'nearly full' },
    ])
  })

  test('what was put aside stays away until there is other news', () => {
    const schedules = [schedule('sch_1', ['failed'])]
    const [need] = needsOf({ ...nothing, schedules })
    const archived = new Set([need?.key ?? ''])
    expect(needsOf({ ...nothing, schedules, archived })).toEqual([])
    const again = [schedule('sch_1', ['failed', 'failed'])]
    expect(needsOf({ ...nothing, schedules: again, archived })).toHaveLength(1)
  })

  test('a device that asks is shown, one that the host lets in by itself is not', () => {
    const requests = [request('1', null), request('2', btoa('proof'))]
    expect(needsOf({ ...nothing, requests }).map(({ key }) => key)).toEqual([`pairing:${'0'.repeat(31)}1`])
  })

  test('a skill that an agent wrote waits to be looked at, and another text of it does so again', () => {
    const label: Label = { integrity: 'untrusted', confidentiality: 'public', sources: [] }
    const writtenBy = {
      agent: 'main',
      run: idFrom('run', '1'.padStart(32, '0')),
      label,
      at: '2026-11-19T08:00:00Z',
    }
    const proposals = [{ name: 'invoices', tree: 'a', writtenBy }]
    const [need] = needsOf({ ...nothing, proposals })
    expect(need).toMatchObject({ kind: 'skill', name: 'invoices' })
    const archived = new Set([need?.key ?? ''])
    expect(needsOf({ ...nothing, proposals, archived })).toEqual([])
    expect(
      needsOf({ ...nothing, proposals: [{ name: 'invoices', tree: 'b', writtenBy }], archived }),
    ).toHaveLength(1)
  })

  test('putting aside cannot hide what has to be mended', () => {
    const broken = status({ executor: { ok: false, pid: null, sandbox: 'bubblewrap' } })
    const archived = new Set(repairsOf(broken).map(({ key }) => key))
    expect(needsOf({ ...nothing, status: broken, archived })).toMatchObject([{ key: 'repair:executor' }])
  })

  test('only approvals are shortened, and their number is told', () => {
    const needs = [...Array.from({ length: 8 }, (_, place) => approval(place)), repair]
    const { shown, hidden } = shortened(needs, 6)
    expect(hidden).toBe(2)
    expect(shown).toHaveLength(7)
    expect(shown.at(-1)).toBe(repair)
  })
})

const repair: Need = { kind: 'repair', key: 'repair:model', text: '', to: '/health' }

function approval(number: number): Need {
  return { kind: 'approval', key: `approval:${number}` } as Need
}

function noticed(about: string, text: string) {
  const event: GatewayEvent = {
    seq: 1,
    at: '2026-11-15T10:00:00.000Z',
    body: { type: 'notice', about, text },
  }
  return fold(emptyLive, [event])
}

function schedule(
  id: string,
  last: ScheduleView['last'],
  state: ScheduleView['status'] = 'active',
): ScheduleView {
  return { id, name: id, last, status: state } as ScheduleView
}

function request(last: string, proof: string | null): PairingRequestView {
  return { id: `${'0'.repeat(31)}${last}`, proof } as PairingRequestView
}

function status(other: Partial<Status> = {}): Status {
  return {
    version: '0.1.0',
    gateway: idFrom('gw', '1'.padStart(32, '0')),
    operator: 'mira',
    pid: 1,
    url: 'http://localhost:7347',
    startedAt: '2026-11-15T00:00:00.000Z',
    slot: 0,
    autonomy: 'medium',
    policy: 'v1',
    asked: {
      technical: { week: 0, heldOut: 0 },
      office: { week: 0, heldOut: 0 },
      household: { week: 0, heldOut: 0 },
    },
    paused: null,
    held: null,
    database: { mode: 'embedded', ok: true, problem: null },
    executor: { ok: true, pid: 2, sandbox: 'bubblewrap' },
    model: { provider: 'demo', model: 'demo', ok: true, state: 'ok', since: null, problem: null },
    ledger: { size: 1, signed: 1, writable: true, alarm: false },
    runs: { running: 0, parked: 0, queued: 0 },
    pending: { approvals: 0, questions: 0 },
    seq: 1,
    clients: 1,
    push: 0,
    disk: {
      free: 80_000_000_000,
      database: 20_000_000,
      events: 4_000_000,
      details: 6_000_000,
      ledger: 5_000_000,
      workspace: 1_000_000,
      executor: 300_000,
      logs: 200_000,
    },
    ...other,
  }
}
