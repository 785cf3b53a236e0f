import { randomUUIDv7 } from 'node:crypto'
import { conversationWindow } from '@countersign/agent'
import { type Label, type OperatorId, operatorLabel, type RunId, type SessionId } from '@countersign/contract'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createLanes, type Lanes } from '../lanes/lanes.ts'
import { readHistory } from '../runs/history.ts'
import { lockRun } from '../store/run-row.ts'
import { settingsState } from '../store/settings-state.ts'
import { json } from '../store/store.ts'
import { type MadeStore, openMadeStore } from '../testing/made-store.ts'
import { sessionsIn } from './sessions.ts'

const page: Label = { integrity: 'untrusted', confidentiality: 'private', sources: ['a page'] }

let store: MadeStore
let lanes: Lanes
let operator: OperatorId

beforeAll(async () => {
  store = await openMadeStore()
})
afterAll(() => store.close())
beforeEach(async () => {
  store.clear()
  lanes = lanesWith()
  operator = await store.newOperator()
})

const lanesWith = (silenceMs?: number) =>
  createLanes({
    store,
    settings: settingsState([]),
    uuid: randomUUIDv7,
    silenceMs,
    redact: (text) => text,
    start: () => undefined,
    steer: async () => false,
    ended: async () => undefined,
  })

async function say(text: string, session: SessionId | null = null) {
  const admitted = await lanes.admit(operator, {
    key: randomUUIDv7(),
    session,
    text,
    mode: 'auto',
    requester: { kind: 'operator', id: 'desk' },
  })
  if (admitted.run === null) throw new Error('No run was started.')
  return { session: admitted.session, run: admitted.run }
}

const rowOf = (run: RunId) => store.within(operator, async (unit) => await lockRun(unit, run))

/** Ends the run; what it read was worth this. */
const end = (run: RunId, label: Label) =>
  store.within(operator, async (unit) => {
    await unit.db
      .updateTable('runs')
      .set({ label: json(label) })
      .where('id', '=', run)
      .execute()
    const row = await lockRun(unit, run)
    if (row) await lanes.finish(unit, row, 'completed', '')
  })

const later = (ms: number) => {
  store.now = new Date(store.now.getTime() + ms)
}

async function shown(session: SessionId, run: RunId): Promise<string[]> {
  const { messages } = await store.read(operator, (db) => readHistory(db, session, { run, turn: 0 }))
  return messages.flatMap((message) => (message.role === 'user' ? [message.text] : []))
}

describe('what a run begins with', () => {
  it('is what was said and read before, while the conversation goes on', async () => {
    const first = await say('read the page')
    await end(first.run, page)
    later(conversationWindow.quietMs - 1)
    const next = await say('and now', first.session)
    expect((await rowOf(next.run))?.label).toEqual(page)
    expect(await shown(next.session, next.run)).toEqual(['read the page', 'and now'])
  })

  it('is only its own words after a silence, and then nothing from before is shown', async () => {
    const first = await say('read the page')
    await end(first.run, page)
    later(conversationWindow.quietMs)
    const next = await say('something else', first.session)
    expect((await rowOf(next.run))?.label).toEqual(operatorLabel)
    expect(await shown(next.session, next.run)).toEqual(['something else'])
    await end(next.run, operatorLabel)
    const third = await say('go on', first.session)
    expect((await rowOf(third.run))?.label).toEqual(operatorLabel)
    expect(await shown(third.session, third.run)).toEqual(['something else', 'go on'])
  })

  it('is what was said before for as long as the operator chose', async () => {
    lanes = lanesWith(2 * conversationWindow.quietMs)
    const first = await say('read the page')
    await end(first.run, page)
    later(2 * conversationWindow.quietMs - 1)
    const next = await say('and now', first.session)
    expect(await shown(next.session, next.run)).toEqual(['read the page', 'and now'])
    await end(next.run, page)
    later(4 * conversationWindow.quietMs)
    const third = await say('something else', first.session)
    expect((await rowOf(third.run))?.label).toEqual(operatorLabel)
    expect(await shown(third.session, third.run)).toEqual(['something else'])
  })

  it('stays what it was where a run is still at work after the silence', async () => {
    const first = await say('read the page')
    later(2 * conversationWindow.quietMs)
    const queued = await lanes.admit(operator, {
      key: randomUUIDv7(),
      session: first.session,
      text: 'and this',
      mode: 'queue',
      requester: { kind: 'operator', id: 'desk' },
    })
    expect(queued.run).toBeNull()
    await end(first.run, page)
    const session = await store.read(operator, (db) =>
      db.selectFrom('sessions').select('active_run_id').executeTakeFirstOrThrow(),
    )
    expect(session.active_run_id).not.toBeNull()
    expect((await rowOf(session.active_run_id as RunId))?.label).toEqual(page)
  })
})

describe('what is archived', () => {
  const archiveTo = (session: SessionId, position: number) =>
    store.within(operator, (unit) => sessionsIn(unit).archiveTo(session, position))
  const positions = async (run: RunId) =>
    (
      await store.read(operator, (db) =>
        db.selectFrom('messages').select('position').where('run_id', '=', run).execute(),
      )
    ).map(({ position }) => position)

  it('no longer counts, and what is left does', async () => {
    const first = await say('read the page')
    await end(first.run, page)
    const own: Label = { ...operatorLabel, confidentiality: 'private' }
    const second = await say('look at my notes', first.session)
    await end(second.run, own)
    const labelNow = async () =>
      (
        await store.read(operator, (db) =>
          db.selectFrom('sessions').select('label').executeTakeFirstOrThrow(),
        )
      ).label
    await archiveTo(first.session, Math.max(...(await positions(first.run))))
    expect(await labelNow()).toEqual(own)
    await archiveTo(first.session, Math.max(...(await positions(second.run))))
    expect(await labelNow()).toEqual(operatorLabel)
  })
})
