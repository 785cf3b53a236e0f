import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { approve, type GatewayProcess, settledRun } from '@countersign/harness'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type AssistantScenario, openAssistantScenario, waitFor } from './assistant-scenario.ts'

type Steps = NonNullable<Parameters<GatewayProcess['client']['addPlan']>[0]['steps']>

let scenario: AssistantScenario
const outside = () => join(scenario.installation.home, 'outside.txt')

/** Twelve steps; two of them hold others. */
const tour = (): Steps => [
  { type: 'tool_call', id: 'look', name: 'Look around', tool: 'list_directory', args: {} },
  {
    type: 'tool_call',
    id: 'outside',
    name: 'Read outside',
    tool: 'read_file',
    args: { path: outside() },
    dependsOn: ['look'],
  },
  { type: 'parallel', id: 'both', name: 'Both', steps: ['late', 'early'], dependsOn: ['outside'] },
  {
    type: 'tool_call',
    id: 'late',
    name: 'Read what is written beside it',
    tool: 'read_file',
    args: { path: 'made.txt' },
    retries: { most: 2, baseMs: 20 },
  },
  {
    type: 'tool_call',
    id: 'early',
    name: 'Write it',
    tool: 'write_file',
    args: { path: 'made.txt', content: 'made' },
  },
  {
    type: 'user_input',
    id: 'ask',
    name: 'Ask for a colour',
    question: 'Which colour for {{outside.result}}?',
    choices: ['red', 'blue'],
    dependsOn: ['both'],
  },
  {
    type: 'llm_decision',
    id: 'judge',
    name: 'Judge it',
    prompt: 'Is this warm? {{ask.result}}',
    choices: ['warm', 'cold'],
  },
  {
    type: 'condition',
    id: 'warm',
    name: 'Is it warm',
    left: '{{judge.result}}',
    operator: 'equals',
    right: 'warm',
    onTrue: ['rounds', 'ship'],
    onFalse: ['drop'],
  },
  { type: 'tool_call', id: 'drop', name: 'Drop it', tool: 'delete_file', args: { path: 'made.txt' } },
  { type: 'loop', id: 'rounds', name: 'Three rounds', over: ['a', 'b', 'c'], steps: ['each'] },
  {
    type: 'tool_call',
    id: 'each',
    name: 'Keep a note',
    tool: 'add_note',
    args: { title: 'Round {{rounds.number}}', content: '{{rounds.item}} {{ask.result}}' },
  },
  {
    type: 'tool_call',
    id: 'ship',
    name: 'Ship it',
    tool: 'execute_shell',
    args: { command: 'echo shipped >> effects.log; ln -sfn /etc/hostname door' },
    dependsOn: ['rounds'],
  },
]

beforeAll(async () => {
  scenario = await openAssistantScenario(({ system, lastUser, lastResults }) => {
    if (system.includes('You decide one step of a plan')) {
      const [, colour] = /<result>\n(\w+)\n<\/result>/.exec(lastUser) ?? []
      return { text: colour === 'red' ? 'Warm.' : 'cold' }
    }
    const steps = [
      {
        id: 'one',
        type: 'tool_call',
        name: 'One',
        tool: 'add_note',
        args: { title: 'By plan', content: 'x' },
      },
    ]
    const made = lastResults.at(-1)?.text ?? ''
    const [, plan] = /(plan_[0-9a-f]{32})/.exec(made) ?? []
    if (lastUser !== 'Plan it.' || made.startsWith('Began')) return { text: 'Done.' }
    if (plan === undefined) return { calls: [{ name: 'create_plan', args: { name: 'Short', steps } }] }
    return { calls: [{ name: 'execute_plan', args: { planId: plan } }] }
  })
  writeFileSync(outside(), 'a door')
  await scenario.start()
  // Without that word the file counts as strangers' text, after which every change of the plan would ask.
  await scenario.client().trustFile(outside())
})
afterAll(() => scenario.close())

const statesOf = async (id: string) =>
  Object.fromEntries((await scenario.client().plan(id)).states.map(({ step, state }) => [step, state]))

async function notes(title: string): Promise<number> {
  const { run } = await scenario.client().callTool('list_notes', '{"limit":50}')
  const [listed] = (await settledRun(scenario.client(), run)).calls
  return listed?.result.split(`"title":"${title}`).length ?? 0
}

test('a plan of twelve steps says where it stops, and comes to its end over two kills with each effect once', async () => {
  const { plan } = await scenario.client().addPlan({ name: 'Tour', steps: tour() })
  const preview = await scenario.client().previewPlan(plan.id)
  expect(preview.problems).toEqual([])
  // What a program changes is judged when it has run.
  expect(preview.stops).toMatch(
    /^2 stops for you: Read outside \(Crosses a boundary\), Ask for a colour \(a question\)\. 1 more may stop: Keep a note/,
  )
  expect(preview.lease).toMatchObject([{ step: 'outside', tool: 'read_file' }])
  const { session, ahead } = await scenario.client().executePlan(plan.id, preview.digest)
  expect(ahead).toBe(1)

  const asking = await scenario.parkedIn(session)
  expect(asking.run.parkedOn).toBe('question')
  expect(asking.calls.filter(({ tool }) => tool === 'read_file')).toMatchObject([
    { tier: 2, outcome: 'ok', decision: { kind: 'allow', grant: expect.any(String) as string } },
    { outcome: expect.not.stringMatching(/^ok$/) as string },
    { outcome: 'ok' },
  ])
  expect(await statesOf(plan.id)).toMatchObject({ late: 'done', early: 'done', ask: 'waits', judge: 'later' })
  const [question] = await scenario.client().questions()
  expect(question).toMatchObject({ text: 'Which colour for a door?', choices: ['red', 'blue'] })
  await scenario.client().answer(question?.id ?? '', { answer: 'red' })

  const waiting = await waitFor(async () => {
    const detail = await scenario.parkedIn(session)
    expect(detail.run.parkedOn).toBe('approval')
    return detail
  })
  expect(await statesOf(plan.id)).toMatchObject({
    warm: 'done',
    drop: 'skipped',
    rounds: 'done',
    ship: 'waits',
  })
  await scenario.killAndStart()
  expect(await statesOf(plan.id)).toMatchObject({ rounds: 'done', ship: 'waits' })
  expect(scenario.linesOf('effects.log')).toEqual([])
  const code = waiting.approvals.find(({ state }) => state === 'pending')?.code ?? ''
  expect(await approve(scenario.installation, scenario.client(), code)).toMatchObject({
    card: { tier: 3 },
    state: 'approved',
  })
  await scenario.killAndStart()

  await waitFor(async () => {
    await answerWhatIsUnknown(waiting.run.id)
    expect((await scenario.client().plan(plan.id)).plan.status).toBe('completed')
  })
  expect(scenario.linesOf('effects.log')).toEqual(['shipped'])
  expect(await notes('Round ')).toBe(3 + 1)
  const { plan: ended, states } = await scenario.client().plan(plan.id)
  expect(ended.result).toBe('13 done, 1 skipped')
  expect(states.find(({ step }) => step === 'late')).toMatchObject({ state: 'done', attempts: 2 })
  expect(states.find(({ step }) => step === 'each')).toMatchObject({ state: 'done', times: 3 })
  expect(
    scenario.asked.filter(({ system }) => system.includes('You decide one step of a plan')),
  ).toHaveLength(1)
  const { calls } = await scenario.client().run(ended.run ?? '')
  expect(new Set(calls.map(({ tool }) => tool))).not.toContain('delete_file')
  expect(await scenario.client().verifyLedger()).toMatchObject({ ok: true })
})

/** A kill in the middle of an effect that may happen once is for the operator to settle, who looks. */
async function answerWhatIsUnknown(run: string): Promise<void> {
  const unknown = (await scenario.client().questions()).find((open) => open.run === run)
  if (!unknown) return
  const answer = scenario.linesOf('effects.log').length === 1 ? 'done' : 'try again'
  await scenario.client().answer(unknown.id, { answer })
  if (answer === 'done') return
  const { approvals } = await settledRun(scenario.client(), run, 'parked')
  await approve(
    scenario.installation,
    scenario.client(),
    approvals.find(({ state }) => state === 'pending')?.code ?? '',
  )
}

test('a plan takes the other branch for another answer, and a digest of another plan starts nothing', async () => {
  const { plan } = await scenario.client().addPlan({ name: 'Cold tour', steps: tour() })
  await expect(scenario.client().executePlan(plan.id, 'f'.repeat(64))).rejects.toMatchObject({
    code: 'conflict',
  })
  const { session } = await scenario.client().executePlan(plan.id)
  const reading = await scenario.parkedIn(session)
  expect(reading.approvals).toMatchObject([{ card: { tier: 2 }, state: 'pending' }])
  await approve(scenario.installation, scenario.client(), reading.approvals[0]?.code ?? '')
  const question = await waitFor(async () => {
    const [open] = await scenario.client().questions()
    expect(open).toBeDefined()
    return open
  })
  await scenario.client().answer(question?.id ?? '', { answer: 'blue' })
  await waitFor(async () => expect((await scenario.client().plan(plan.id)).plan.status).toBe('completed'))
  expect(await statesOf(plan.id)).toMatchObject({ drop: 'done', rounds: 'skipped', ship: 'skipped' })
  expect(scenario.linesOf('effects.log')).toEqual(['shipped'])
})

test('a model makes a plan and has it carried out', async () => {
  const { run } = await scenario.say('Plan it.')
  const { calls } = await settledRun(scenario.client(), run)
  expect(calls.map(({ tool, outcome }) => [tool, outcome])).toEqual([
    ['create_plan', 'ok'],
    ['execute_plan', 'ok'],
  ])
  await waitFor(async () => {
    const { plans } = await scenario.client().plans({ status: 'completed' })
    expect(plans.map(({ name }) => name)).toContain('Short')
  })
  expect(await notes('By plan')).toBe(1 + 1)
})
