import { AddPlan } from '@countersign/contract'
import type { Actor } from '@countersign/kernel'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openPlanHouse, type PlanHouse } from './testing/house.ts'

const desk: Actor = { kind: 'operator', id: 'desk' }
let house: PlanHouse
beforeAll(async () => {
  house = await openPlanHouse()
})
afterAll(() => house.close())
beforeEach(() => {
  house.permits.length = 0
  house.answer = (permit) => `did ${permit.subject.args}`
})

const call = (id: string, tool: string, more: object = {}) => ({
  type: 'tool_call',
  id,
  name: id,
  tool,
  args: { of: id },
  ...more,
})
const trip = [
  call('a', 'look'),
  call('b', 'change'),
  { type: 'user_input', id: 'ask', name: 'ask', question: 'Go on? {{a.result}}', dependsOn: ['b'] },
  { type: 'llm_decision', id: 'judge', name: 'judge', prompt: '{{ask.result}}', choices: ['yes', 'no'] },
  {
    type: 'condition',
    id: 'if',
    name: 'if',
    left: '{{judge.result}}',
    operator: 'equals',
    right: 'yes',
    onTrue: ['c'],
    onFalse: ['d'],
  },
  call('c', 'fetch'),
  call('d', 'send'),
]
const add = async (steps: readonly unknown[], name = 'Trip') =>
  (await house.plans().add(AddPlan.parse({ name, steps }), desk)).plan.id
const toolsUsed = () => house.permits.map(({ subject }) => subject.tool.name)
const statesOf = async (id: string) =>
  Object.fromEntries((await house.plans().detail(id)).states.map(({ step, state }) => [step, state]))

describe('a plan in the kernel', () => {
  it('stops for a question and an approval, survives a restart, and ends with its states', async () => {
    const id = await add(trip)
    const { session } = await house.plans().execute(id, undefined, desk)
    await house.reaches(id, 'question')
    expect(await statesOf(id)).toEqual({
      a: 'done',
      b: 'done',
      ask: 'waits',
      judge: 'later',
      if: 'later',
      c: 'later',
      d: 'later',
    })
    await house.reopen()
    await house.answerQuestion('yes, go')
    await house.reaches(id, 'approval')
    expect(await statesOf(id)).toMatchObject({
      ask: 'done',
      judge: 'done',
      if: 'done',
      c: 'waits',
      d: 'skipped',
    })
    await expect(house.plans().change(id, { name: 'Other' }, desk)).rejects.toMatchObject({
      code: 'conflict',
    })
    await expect(house.plans().remove(id, desk)).rejects.toMatchObject({ code: 'conflict' })
    await house.reopen()
    await house.decide('approve')
    await house.reaches(id, 'completed')
    expect(toolsUsed()).toEqual(['look', 'change', 'fetch'])
    const { plan } = await house.plans().detail(id)
    expect(plan).toMatchObject({ session, result: '6 done, 1 skipped' })
    expect(plan.endedAt).not.toBeNull()
  })

  it('fails where the operator denies, and can be run again', async () => {
    const id = await add([call('c', 'fetch', { retries: { most: 3 } })])
    await house.plans().execute(id, undefined, desk)
    await house.reaches(id, 'approval')
    await house.decide('deny')
    await house.reaches(id, 'failed')
    expect((await house.plans().detail(id)).plan.result).toBe('1 failed, stopped at “c”')
    const again = await house.plans().execute(id, undefined, desk)
    await house.reaches(id, 'approval')
    expect(again.plan.status).toBe('in_progress')
    const { plan } = await house.plans().detail(id)
    if (plan.run) await house.kernel().stopRun(house.operator, plan.run, desk)
    await house.reaches(id, 'cancelled')
    expect(toolsUsed()).toEqual([])
  })

  it('does not stop for what was approved ahead, and only for that', async () => {
    const id = await add([call('c', 'fetch'), call('d', 'send', { dependsOn: ['c'] })])
    const preview = await house.plans().preview(id)
    expect(preview.stops).toBe('2 stops for you: c (T2), d (T3).')
    expect(preview.lease).toMatchObject([{ step: 'c', tool: 'fetch', args: '{"of":"c"}' }])
    await expect(house.plans().execute(id, 'f'.repeat(64), desk)).rejects.toMatchObject({ code: 'conflict' })
    expect(await house.plans().execute(id, preview.digest, desk)).toMatchObject({ ahead: 1 })
    await house.reaches(id, 'approval')
    expect(toolsUsed()).toEqual(['fetch'])
    expect(await statesOf(id)).toEqual({ c: 'done', d: 'waits' })
    await house.decide('approve')
    await house.reaches(id, 'completed')
  })

  it('refuses a digest of what the plan was before it was changed', async () => {
    const id = await add([call('c', 'fetch')])
    const { digest } = await house.plans().preview(id)
    await house.plans().change(id, { goal: 'other' }, desk)
    await expect(house.plans().execute(id, digest, desk)).rejects.toMatchObject({ code: 'conflict' })
    await expect(house.plans().change(id, { goal: 'x', version: 1 }, desk)).rejects.toMatchObject({
      code: 'conflict',
    })
  })

  it('is held and goes on where it was', async () => {
    const id = await add([
      call('a', 'look', { retries: { most: 5, baseMs: 30_000 } }),
      { type: 'user_input', id: 'ask', name: 'ask', question: 'Now?', dependsOn: ['a'] },
      call('b', 'change', { dependsOn: ['ask'] }),
    ])
    await expect(house.plans().pause(id, desk)).rejects.toMatchObject({ code: 'conflict' })
    await house.plans().execute(id, undefined, desk)
    await house.reaches(id, 'question')
    expect((await house.plans().pause(id, desk)).plan.status).toBe('paused')
    await house.answerQuestion('yes')
    await house.reaches(id, 'held')
    expect(toolsUsed()).toEqual(['look'])
    await house.plans().resume(id, desk)
    await house.reaches(id, 'completed')
    expect(toolsUsed()).toEqual(['look', 'change'])
  })

  it('does not begin with a problem, and answers a message after its end with words', async () => {
    const bad = await add([call('a', 'fly')])
    await expect(house.plans().execute(bad, undefined, desk)).rejects.toMatchObject({
      code: 'usage',
      message: expect.stringContaining('There is no tool fly.'),
    })
    const id = await add([call('a', 'look')])
    const { session } = await house.plans().execute(id, undefined, desk)
    await house.reaches(id, 'completed')
    await house.kernel().admit(house.operator, {
      key: 'after',
      session,
      text: 'And now?',
      mode: 'auto',
      requester: { kind: 'operator', id: 'desk' },
    })
    await expect.poll(async () => lastWords(session)).toContain('Only a plan is carried out here')
    expect((await house.plans().detail(id)).plan.status).toBe('completed')
    await house.plans().remove(id, desk)
    await expect(house.plans().detail(id)).rejects.toMatchObject({ code: 'not_found' })
  })
})

async function lastWords(session: string): Promise<string> {
  const rows = await house
    .kernel()
    .readOnly(house.operator, (db) =>
      db.selectFrom('messages').select(['session_id', 'text']).orderBy('position', 'desc').limit(5).execute(),
    )
  return rows.find((row) => row.session_id === session)?.text ?? ''
}
