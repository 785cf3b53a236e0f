import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { answerQuestion } from '../dispatch/operator-answers.ts'
import { type MadeCall, type MadeStore, openMadeStore } from '../testing/made-store.ts'
import { serverAsks } from '../testing/server-asks.ts'
import { openQuestions } from './questions.ts'
import { replyToServer, withdrawServerQuestions } from './server-questions.ts'

const actor = { kind: 'operator', id: 'desk' } as const
const accept = { action: 'accept', values: { city: 'Graz' } } as const
let store: MadeStore
let call: MadeCall

beforeAll(async () => {
  store = await openMadeStore()
})
afterAll(() => store.close())
beforeEach(async () => {
  call = await store.newCall(await store.newOperator())
  store.clear()
})

const reply = (
  id: Awaited<ReturnType<typeof serverAsks>>['id'],
  said: Parameters<typeof replyToServer>[3],
  by: Parameters<typeof replyToServer>[4] = actor,
) => {
  if (!id) throw new Error('nothing is asked')
  return replyToServer(store, call.operator, id, said, by)
}

const rows = async () =>
  JSON.stringify(await store.read(call.operator, (db) => db.selectFrom('questions').selectAll().execute()))

describe('a question of a server', () => {
  it('is shown with whose it is, and its answer is kept out of the ledger', async () => {
    const asked = await serverAsks(store, call)
    expect(store.events).toMatchObject([
      { type: 'question.asked', kind: 'server', server: { server: 'booking', tool: 'book' } },
    ])
    await reply(asked.id, accept)
    expect(await asked.end()).toEqual({ kind: 'accepted', values: { city: 'Graz' } })
    expect(store.entries.map(({ type }) => type)).toEqual(['server.asked', 'server.told'])
    expect(store.entries[1]?.data).toMatchObject({
      action: 'accept',
      hash: expect.stringMatching(/^[0-9a-f]{64}$/),
    })
    expect(JSON.stringify([store.entries, store.events])).not.toContain('Graz')
    expect(await rows()).not.toContain('Graz')
  })

  it('is declined and put aside as the operator says', async () => {
    const one = await serverAsks(store, call)
    await reply(one.id, { action: 'decline' })
    expect(await one.end()).toMatchObject({ kind: 'declined' })
    const other = await serverAsks(store, call)
    await reply(other.id, { action: 'cancel' })
    expect(await other.end()).toMatchObject({ kind: 'cancelled' })
  })

  it('takes no answer that does not fit, no second one, and none of anybody else', async () => {
    const asked = await serverAsks(store, call)
    await expect(reply(asked.id, { action: 'accept', values: {} })).rejects.toThrow(/does not fit/)
    await expect(reply(asked.id, accept, { kind: 'agent', id: call.run })).rejects.toThrow(
      /Only the operator/,
    )
    await reply(asked.id, { action: 'decline' })
    await expect(reply(asked.id, accept)).rejects.toThrow(/already answered/)
    await asked.end()
  })

  it('is taken back when nobody waits for it', async () => {
    const asked = await serverAsks(store, call)
    expect(await asked.end()).toMatchObject({ kind: 'cancelled' })
    expect(store.events.at(-1)).toMatchObject({ type: 'question.closed', how: 'withdrawn' })
    await expect(reply(asked.id, accept)).rejects.toThrow(/already withdrawn/)
  })

  it('is taken back when its call is sent anew', async () => {
    const asked = await serverAsks(store, call)
    await store.within(call.operator, (unit) => withdrawServerQuestions(unit, call.run))
    await expect(reply(asked.id, accept)).rejects.toThrow(/already withdrawn/)
    await asked.end()
  })

  it('keeps no answer for a call that is sent anew', async () => {
    const asked = await serverAsks(store, call)
    // As a kill leaves it between the answer and whoever waited for it.
    await store.within(call.operator, ({ db }) =>
      db
        .updateTable('questions')
        .set({ state: 'answered', reply: JSON.stringify(accept) })
        .execute(),
    )
    await store.within(call.operator, (unit) => withdrawServerQuestions(unit, call.run))
    expect(await rows()).not.toContain('Graz')
    expect(await asked.end()).toMatchObject({ kind: 'cancelled' })
  })

  it('is answered by no words', async () => {
    const asked = await serverAsks(store, call)
    expect(await store.read(call.operator, (db) => openQuestions({ db }, call.run))).toEqual([])
    const ports = { store, resume: async () => undefined }
    if (asked.id)
      await expect(answerQuestion(call.operator, asked.id, 'Graz', actor, ports)).rejects.toThrow(
        /words do not/,
      )
    await asked.end()
  })

  it.each([
    ['an unattended run', { unattended: true }],
    ['a guest', { requester: { kind: 'peer' as const, id: 'chat/1' } }],
    ['a schedule', { requester: { kind: 'schedule' as const, id: 'sch_1' } }],
  ])('is declined at once for %s', async (_, change) => {
    const asked = await serverAsks(store, call, change)
    expect(asked.id).toBeUndefined()
    expect(await asked.reply).toMatchObject({ kind: 'declined' })
    expect(store.entries).toMatchObject([
      { type: 'server.refused', data: { server: 'booking', tool: 'book' } },
    ])
    expect(store.events).toEqual([])
  })

  it('that may not be shown is recorded with its reason', async () => {
    const asked = await serverAsks(store, call, { asked: { kind: 'refused', reason: 'it asks for a key.' } })
    expect(await asked.reply).toMatchObject({ kind: 'declined' })
    expect(store.entries).toMatchObject([{ type: 'server.refused', data: { reason: 'it asks for a key.' } }])
  })
})
