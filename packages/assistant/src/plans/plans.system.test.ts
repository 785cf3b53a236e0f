import { AddPlan } from '@countersign/contract'
import type { Actor } from '@countersign/kernel'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openPlanTestKernel, type PlanTestKernel } from './testing/test-kernel.ts'

const desk: Actor = { kind: 'operator', id: 'desk' }
let testKernel: PlanTestKernel
beforeAll(async () => {
  testKernel = await openPlanTestKernel()
})
afterAll(() => testKernel.close())
beforeEach(() => {
  testKernel.permits.length = 0
  testKernel.answer = (permit) => `did ${permit.subject.args}`
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
  (await testKernel.plans().add(AddPlan.parse({ name, steps }), desk)).plan.id
const toolsUsed = () => testKernel.permits.map(({ subject }) => subject.tool.name)
const statesOf = async (id: string) =>
  Object.fromEntries((await testKernel.plans().detail(id)).states.map(({ step, state }) => [step, state]))

describe('a plan in the kernel', () => {
  it('stops for a question and an approval, survives a restart, and ends with its states', async () => {
    const id = await add(trip)
    const { session } = await testKernel.plans().execute(id, undefined, desk)
    await testKernel.reaches(id, 'question')
    expect(await statesOf(id)).toEqual({
      a: 'done',
      b: 'done',
      ask: 'waits',
      judge: 'later',
      if: 'later',
      c: 'later',
      d: 'later',
    })
    await testKernel.reopen()
    await testKernel.answerQuestion('yes, go')
    await testKernel.reaches(id, 'approval')
    expect(await statesOf(id)).toMatchObject({
      ask: 'done',
      judge: 'done',
      if: 'done',
      c: 'waits',
      d: 'skipped',
    })
    await expect(testKernel.plans().change(id, { name: 'Other' }, desk)).rejects.toMatchObject({
      code: 'conflict',
    })
    await expect(testKernel.plans().remove(id, desk)).rejects.toMatchObject({ code: 'conflict' })
    await testKernel.reopen()
    await testKernel.decide('approve')
    await testKernel.reaches(id, 'completed')
    expect(toolsUsed()).toEqual(['look', 'change', 'fetch'])
    const { plan } = await testKernel.plans().detail(id)
    expect(plan).toMatchObject({ session, result: '6 done, 1 skipped' })
    expect(plan.endedAt).not.toBeNull()
  })

  it('fails where the operator denies, and can be run again', async () => {
    const id = await add([call('c', 'fetch', { retries: { most: 3 } })])
    await testKernel.plans().execute(id, undefined, desk)
    await testKernel.reaches(id, 'approval')
    await testKernel.decide('deny')
    await testKernel.reaches(id, 'failed')
    expect((await testKernel.plans().detail(id)).plan.result).toBe('1 failed, stopped at “c”')
    const again = await testKernel.plans().execute(id, undefined, desk)
    await testKernel.reaches(id, 'approval')
    expect(again.plan.status).toBe('in_progress')
    const { plan } = await testKernel.plans().detail(id)
    if (plan.run) await testKernel.kernel().stopRun(testKernel.operator, plan.run, desk)
    await testKernel.reaches(id, 'cancelled')
    expect(toolsUsed()).toEqual([])
  })

  it('does not stop for what was approved ahead, and only for that', async () => {
    const id = await add([call('c', 'fetch'), call('d', 'send', { dependsOn: ['c'] })])
    const preview = await testKernel.plans().preview(id)
    expect(preview.stops).toBe('2 stops for you: c (Crosses a boundary), d (Leaves your hands).')
    expect(preview.lease).toMatchObject([{ step: 'c', tool: 'fetch', args: '{"of":"c"}' }])
    await expect(testKernel.plans().execute(id, 'f'.repeat(64), desk)).rejects.toMatchObject({
      code: 'conflict',
    })
    expect(await testKernel.plans().execute(id, preview.digest, desk)).toMatchObject({ ahead: 1 })
    await testKernel.reaches(id, 'approval')
    expect(toolsUsed()).toEqual(['fetch'])
    expect(await statesOf(id)).toEqual({ c: 'done', d: 'waits' })
    await testKernel.decide('approve')
    await testKernel.reaches(id, 'completed')
  })

  it('refuses a digest of what the plan was before it was changed', async () => {
    const id = await add([call('c', 'fetch')])
    const { digest } = await testKernel.plans().preview(id)
    await testKernel.plans().change(id, { goal: 'other' }, desk)
    await expect(testKernel.plans().execute(id, digest, desk)).rejects.toMatchObject({ code: 'conflict' })
    await expect(testKernel.plans().change(id, { goal: 'x', version: 1 }, desk)).rejects.toMatchObject({
      code: 'conflict',
    })
  })

  it('is held and goes on where it was', async () => {
    const id = await add([
      call('a', 'look', { retries: { most: 5, baseMs: 30_000 } }),
      { type: 'user_input', id: 'ask', name: 'ask', question: 'Now?', dependsOn: ['a'] },
      call('b', 'change', { dependsOn: ['ask'] }),
    ])
    await expect(testKernel.plans().pause(id, desk)).rejects.toMatchObject({ code: 'conflict' })
    await testKernel.plans().execute(id, undefined, desk)
    await testKernel.reaches(id, 'question')
    expect((await testKernel.plans().pause(id, desk)).plan.status).toBe('paused')
    await testKernel.answerQuestion('yes')
    await testKernel.reaches(id, 'held')
    expect(toolsUsed()).toEqual(['look'])
    await testKernel.plans().resume(id, desk)
    await testKernel.reaches(id, 'completed')
    expect(toolsUsed()).toEqual(['look', 'change'])
  })

  it('does not begin with a problem, and answers a message after its end with words', async () => {
    const bad = await add([call('a', 'fly')])
    await expect(testKernel.plans().execute(bad, undefined, desk)).rejects.toMatchObject({
      code: 'usage',
      message: expect.stringContaining('There is no tool fly.'),
    })
    const id = await add([call('a', 'look')])
    const { session } = await testKernel.plans().execute(id, undefined, desk)
    await testKernel.reaches(id, 'completed')
    await testKernel.kernel().admit(testKernel.operator, {
      key: 'after',
      session,
      text: 'And now?',
      mode: 'auto',
      requester: { kind: 'operator', id: 'desk' },
    })
    await expect.poll(async () => lastWords(session)).toContain('only for a plan that has ended')
    expect((await testKernel.plans().detail(id)).plan.status).toBe('completed')
    await testKernel.plans().remove(id, desk)
    await expect(testKernel.plans().detail(id)).rejects.toMatchObject({ code: 'not_found' })
  })
})

async function lastWords(session: string): Promise<string> {
  const rows = await testKernel
    .kernel()
    .readOnly(testKernel.operator, (db) =>
      db.selectFrom('messages').select(['session_id', 'text']).orderBy('position', 'desc').limit(5).execute(),
    )
  return rows.find((row) => row.session_id === session)?.text ?? ''
}
