import { randomUUIDv7 } from 'node:crypto'
import {
  type Attachment,
  idFrom,
  type Label,
  type OperatorId,
  type RunId,
  type SessionId,
} from '@countersign/contract'
import type { SegmentRef } from '@countersign/engine'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type HeldRun, lockRun } from '../store/run-row.ts'
import { settingsState } from '../store/settings-state.ts'
import type { Unit } from '../store/store.ts'
import { began, type MadeStore, openMadeStore } from '../testing/made-store.ts'
import { type LaneMessage } from './lane-ports.ts'
import { createLanes, type Lanes } from './lanes.ts'

const desk = { kind: 'operator' as const, id: 'desk' }
const stranger: Label = { integrity: 'untrusted', confidentiality: 'public', sources: ['a page'] }

const photo: Attachment = {
  path: 'attachments/photo-1.png',
  name: 'photo.png',
  sha256: 'a'.repeat(64),
  bytes: 12,
  mediaType: 'image/png',
}

let store: MadeStore
let lanes: Lanes
let operator: OperatorId
/** Segments that were started, as the engine is told of them. */
let started: SegmentRef[]
/** What a parked run answers when words are offered to it. */
let takesWords = false

beforeAll(async () => {
  store = await openMadeStore()
  lanes = createLanes({
    store,
    settings: settingsState([]),
    uuid: randomUUIDv7,
    redact: (text) => text.replaceAll('hunter2', '[secret]'),
    start: (ref) => started.push(ref),
    steer: async () => takesWords,
    ended: async () => undefined,
  })
})
afterAll(() => store.close())
beforeEach(async () => {
  store.clear()
  started = []
  takesWords = false
  operator = await store.newOperator()
})

let count = 0
function say(text: string, session: SessionId | null, change: Partial<LaneMessage> = {}) {
  const key = `key ${(count += 1)}`
  return lanes.admit(operator, { key, session, text, mode: 'auto', requester: desk, ...change })
}

async function begin(text = 'one') {
  const { session, run, input } = await say(text, null)
  if (run === null) throw new Error('No run was started.')
  return { session, run, input }
}

/** A unit that holds the run, as the segment does that works on it. */
function holding<T>(run: RunId, work: (unit: Unit, held: HeldRun) => Promise<T>): Promise<T> {
  return store.within(operator, async (unit) => {
    const row = await rowOf(unit, run)
    const { id, session_id: session, input_id: input, segment, fence } = row
    return work(unit, { operator, id, session, input, segment, fence })
  })
}

async function rowOf(unit: Unit, run: RunId) {
  const row = await lockRun(unit, run)
  if (!row) throw new Error(`There is no run ${run}.`)
  return row
}

const seen = (run: RunId) => store.within(operator, (unit) => rowOf(unit, run))
const end = (run: RunId) =>
  store.within(operator, async (unit) => lanes.finish(unit, await rowOf(unit, run), 'completed', 'Done.'))
const park = (run: RunId) => holding(run, (unit, held) => lanes.park(unit, held, 'approval'))
const textOfRun = async (run: RunId) =>
  (
    await store.read(operator, (db) =>
      db.selectFrom('messages').select('text').where('run_id', '=', run).orderBy('position').execute(),
    )
  ).map(({ text }) => text)
const filesOfRun = async (run: RunId | null) =>
  (
    await store.read(operator, (db) =>
      db
        .selectFrom('messages')
        .select('attachments')
        .where('run_id', '=', run as RunId)
        .orderBy('position')
        .execute(),
    )
  ).map(({ attachments }) => attachments)
const startedRuns = () => started.map(({ runId }) => runId)

describe('admission', () => {
  it('opens a session, starts a run in it at once, and says so in this order', async () => {
    const { session, run, input } = await begin('Tidy up\nplease')
    expect(started).toEqual([{ operatorId: operator, runId: run, segment: 1 }])
    expect(await textOfRun(run)).toEqual(['Tidy up\nplease'])
    expect(store.events.map(({ type }) => type)).toEqual(['input.admitted', 'run.started'])
    expect(store.events[1]).toMatchObject({ session, run, input })
    expect(store.entries).toMatchObject([{ type: 'input.admitted', session, run }])
  })

  it('takes a message with the same key once, however often and at once it comes', async () => {
    const message = { key: 'again', session: null, text: 'once', mode: 'auto', requester: desk } as const
    const [first, ...others] = await Promise.all([1, 2, 3, 4].map(() => lanes.admit(operator, message)))
    for (const other of others) expect(other).toMatchObject({ input: first?.input, run: first?.run })
    expect(started).toHaveLength(1)
    expect(store.entries).toHaveLength(1)
  })

  it('keeps no secret and no session that does not exist', async () => {
    const { run } = await begin('my word is hunter2')
    expect(await textOfRun(run)).toEqual(['my word is [secret]'])
    const nowhere = idFrom('ses', randomUUIDv7())
    await expect(say('x', nowhere)).rejects.toMatchObject({ code: 'not_found' })
  })

  it('keeps the files of a message beside its words, whichever way it goes', async () => {
    const { session, run } = await say('', null, { attachments: [photo] })
    expect(await filesOfRun(run)).toEqual([[photo]])
    expect(store.events[0]).toMatchObject({ text: '', attachments: [photo] })
    expect(store.entries[0]?.data).toMatchObject({
      attachments: [{ path: photo.path, sha256: photo.sha256 }],
    })
    // A run that is under way is shown no files: they wait for the next one, also where they were to be heard at once.
    const later = await say('and this', session, { mode: 'steer', attachments: [photo] })
    expect(later).toMatchObject({ run: null, steered: false })
    await end(run as RunId)
    const next = (started.at(-1)?.runId ?? '') as RunId
    expect(await textOfRun(next)).toEqual(['and this'])
    expect(await filesOfRun(next)).toEqual([[photo]])
    // A parked run goes on in a segment of its own, which is shown them.
    await park(next)
    takesWords = true
    expect(await say('here', session, { attachments: [photo] })).toMatchObject({ run: next, steered: true })
    expect(await filesOfRun(next)).toEqual([[photo], [photo]])
  })

  it('lets no other operator into a session', async () => {
    const { session } = await begin()
    operator = await store.newOperator()
    await expect(say('x', session)).rejects.toMatchObject({ code: 'not_found' })
  })
})

describe('a lane', () => {
  it('has one run at a time, and goes on in the order of arrival', async () => {
    const { session, run } = await begin()
    expect(await say('two', session)).toMatchObject({ run: null, steered: false })
    expect(await say('three', session)).toMatchObject({ run: null })
    expect(started).toHaveLength(1)
    const said = ['one']
    let last = run
    while (said.length < 3) {
      await end(last)
      last = startedRuns().at(-1) as RunId
      said.push(...(await textOfRun(last)))
    }
    await end(last)
    expect(said).toEqual(['one', 'two', 'three'])
    expect(started).toHaveLength(3)
  })

  it('starts one run of many messages that come at the same moment', async () => {
    const { session, run } = await begin()
    await end(run)
    const placed = await Promise.all(['a', 'b', 'c', 'd', 'e'].map((text) => say(text, session)))
    expect(placed.filter((each) => each.run !== null)).toHaveLength(1)
    expect(started).toHaveLength(2)
  })

  it('takes words into a run that works, where they are meant for it, and no words of others', async () => {
    const { session, run } = await begin()
    expect(await say('faster', session, { mode: 'steer' })).toMatchObject({ run, steered: true })
    expect(await say('not mine', session, { mode: 'steer', label: stranger })).toMatchObject({ run: null })
    expect(await say('later', session, { mode: 'queue' })).toMatchObject({ run: null })
  })

  it('answers words that came too late for a run before anything else', async () => {
    const { session, run } = await begin()
    await say('one more thing', session, { mode: 'steer' })
    await say('then this', session, { mode: 'queue' })
    await end(run)
    expect(await textOfRun(startedRuns()[1] as RunId)).toEqual(['one more thing'])
  })
})

describe('a parked run', () => {
  it('holds its lane and no segment, and goes on in a new one', async () => {
    const { session, run } = await begin()
    await park(run)
    expect(await lanes.waitingSegments(new Date(began.getTime() + 1))).not.toContainEqual(
      expect.objectContaining({ runId: run }),
    )
    expect(await say('meanwhile', session, { mode: 'queue' })).toMatchObject({ run: null })
    await store.within(operator, async (unit) => lanes.resume(unit, await rowOf(unit, run)))
    expect(started.at(-1)).toEqual({ operatorId: operator, runId: run, segment: 2 })
    expect(await seen(run)).toMatchObject({ state: 'running', segment: 2 })
  })

  it('takes the operator’s words where it can use them, and leaves them in the lane where it cannot', async () => {
    const { session, run } = await begin()
    await park(run)
    expect(await say('no', session)).toMatchObject({ run: null, steered: false })
    takesWords = true
    expect(await say('do it otherwise', session)).toMatchObject({ run, steered: true })
    expect(await textOfRun(run)).toEqual(['one', 'do it otherwise'])
  })

  it('that waits for a provider is woken when its time has come, and not before', async () => {
    const { run } = await begin()
    const at = new Date(began.getTime() + 60_000)
    const retry = { at: at.toISOString(), attempt: 1, of: 3, because: 'It is down.', provider: 'one' }
    await holding(run, (unit, held) => lanes.parkUntil(unit, held, retry))
    expect(await lanes.wake(new Date(at.getTime() - 1))).toEqual(at)
    expect(started).toHaveLength(1)
    expect(await lanes.wake(at)).toBeNull()
    expect(started.at(-1)).toMatchObject({ runId: run, segment: 2 })
  })
})

describe('a segment', () => {
  it('is claimed while it is the one that should work, and not after it was parked or has ended', async () => {
    const { run } = await begin()
    const claim = (segment: number) => lanes.claim({ operatorId: operator, runId: run, segment })
    expect(await claim(1)).not.toBeNull()
    expect(await seen(run)).toMatchObject({ fence: 1 })
    expect(await claim(2)).toBeNull()
    await park(run)
    expect(await claim(1)).toBeNull()
    expect(await seen(run)).toMatchObject({ fence: 1 })
  })

  it('that nobody started is found by the sweep, and one of an ended run is not', async () => {
    const one = await begin()
    const other = await begin()
    await end(other.run)
    const found = (await lanes.waitingSegments(new Date(began.getTime() + 1))).map(({ runId }) => runId)
    expect(found).toContain(one.run)
    expect(found).not.toContain(other.run)
  })
})

describe('stop and pause', () => {
  it('ends a parked run at once, and lets the next message of the lane begin', async () => {
    const { session, run } = await begin()
    await say('next', session)
    await park(run)
    let withdrawn = 0
    await lanes.requestStop(operator, run, desk, async () => {
      withdrawn += 1
    })
    expect(withdrawn).toBe(1)
    expect(await seen(run)).toMatchObject({ state: 'stopped', reason: 'manual' })
    expect(await textOfRun(startedRuns()[1] as RunId)).toEqual(['next'])
  })

  it('asks a run that works to stop, and does not end it itself', async () => {
    const { run } = await begin()
    await lanes.requestStop(operator, run, desk, async () => {
      throw new Error('Nothing was parked.')
    })
    expect(await seen(run)).toMatchObject({ state: 'running', stop_requested_by: 'desk' })
    const nowhere = idFrom('run', randomUUIDv7())
    const stop = lanes.requestStop(operator, nowhere, desk, async () => undefined)
    await expect(stop).rejects.toMatchObject({ code: 'not_found' })
  })

  it('starts and resumes nothing while everything is paused, and all of it afterwards', async () => {
    const waiting = await begin('first')
    await park(waiting.run)
    await lanes.pauseAll(operator, desk)
    await lanes.pauseAll(operator, desk)
    const { session } = await say('second', null)
    await store.within(operator, async (unit) => lanes.resume(unit, await rowOf(unit, waiting.run)))
    expect(started).toHaveLength(1)
    expect(await seen(waiting.run)).toMatchObject({ state: 'parked', parked_on: 'paused' })
    await lanes.resumeAll(operator, desk)
    expect(startedRuns()).toContain(waiting.run)
    expect(started).toHaveLength(3)
    expect(session).not.toBe(waiting.session)
    const types = store.entries.map(({ type }) => type).filter((type) => type.startsWith('system.'))
    expect(types).toEqual(['system.paused', 'system.resumed'])
  })

  it('of one operator are none of another’s concern', async () => {
    await lanes.pauseAll(operator, desk)
    operator = await store.newOperator()
    expect((await begin()).run).not.toBeNull()
  })
})
