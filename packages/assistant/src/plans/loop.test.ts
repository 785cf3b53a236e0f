import {
  type CallReply,
  type LoopState,
  type ModelMessage,
  noStreak,
  planLimits,
  type RawCall,
  runTurns,
} from '@countersign/agent'
import { validatePlan } from '@countersign/contract'
import { expect, it } from 'vitest'
import { planPort } from './port.ts'
import { stepStates } from './states.ts'
import { call, freeMeter, modelOf, testPlan } from './testing/carry-out.ts'

const plan = testPlan([
  call('find', { tool: 'list_tasks' }),
  call('weather', { tool: 'http_request', retries: { most: 2, baseMs: 10 } }),
  {
    type: 'llm_decision',
    id: 'judge',
    name: 'Judge',
    prompt: 'Rain? {{weather.result}}',
    choices: ['wet', 'dry'],
  },
  {
    type: 'condition',
    id: 'if_wet',
    name: 'If wet',
    left: '{{judge.result}}',
    operator: 'equals',
    right: 'wet',
    onTrue: ['umbrella'],
    onFalse: ['picnic'],
  },
  call('umbrella', { tool: 'add_task', args: { title: 'Umbrella' } }),
  call('picnic', { tool: 'add_task', args: { title: 'Picnic' } }),
  {
    type: 'parallel',
    id: 'both',
    name: 'Both',
    steps: ['note', 'ask'],
    dependsOn: ['umbrella', 'picnic'],
    needs: 'any',
  },
  call('note', { tool: 'add_note', args: { content: '{{find.result}}' } }),
  { type: 'user_input', id: 'ask', name: 'Ask', question: 'Send to whom?' },
  { type: 'loop', id: 'each', name: 'Each', over: '{{find.json}}', steps: ['mark'] },
  call('mark', { tool: 'complete_task', args: { taskId: '{{each.item.id}}' } }),
  call('send', {
    tool: 'send_mail',
    args: { to: '{{ask.result}}', text: '{{note.result}}' },
    dependsOn: ['both', 'each'],
  }),
])

/** The kernel's side: calls that are over, a question and an approval that wait, and what was journalled. */
function testLoop() {
  const messages: ModelMessage[] = [{ role: 'user', text: 'Carry out the plan.' }]
  const over = new Map<string, CallReply>()
  const made: string[] = []
  let turn = 0
  let weather = 0

  function resultOf({ id: callId, name }: RawCall): CallReply | 'question' | 'approval' {
    const ok = (text: string): CallReply => ({ callId, name, text, isError: false })
    if (name === 'ask_operator') return 'question'
    if (name === 'send_mail') return 'approval'
    if (name === 'http_request') {
      weather += 1
      return weather === 1 ? { callId, name, text: 'timed out', isError: true } : ok('heavy rain')
    }
    return ok(name === 'list_tasks' ? '[{"id":"t1"},{"id":"t2"}]' : `did ${name}`)
  }

  async function segment() {
    const last = messages.at(-1)
    const state: LoopState = {
      system: '',
      purpose: 'planning',
      tools: [],
      messages: [...messages],
      turn,
      toolCalls: made.length,
      activeMs: 0,
      streak: noStreak,
      hasOpenCalls: last?.role === 'assistant' && last.calls.length > 0,
      control: { stop: false, pause: false, steering: [] },
    }
    return runTurns(
      state,
      {
        // A new port for each segment, as after a crash.
        model: planPort({
          plan,
          model: modelOf(() => 'wet'),
          clock: () => new Date(0),
          wait: () => Promise.resolve(),
        }),
        meter: freeMeter,
        retrying: () => Promise.resolve(),
        clock: () => 0,
        wait: () => Promise.resolve(),
        show: () => undefined,
        replied: (at, { text, calls }) => {
          turn = at
          messages.push({ role: 'assistant', text, calls })
          made.push(...calls.map(({ id }) => id))
          return Promise.resolve(calls.length)
        },
        finishTurn: () => {
          const asked = messages.at(-1)
          const calls = asked?.role === 'assistant' ? asked.calls : []
          for (const each of calls) {
            if (over.has(each.id)) continue
            const result = resultOf(each)
            if (result === 'question' || result === 'approval')
              return Promise.resolve({ kind: 'parked', on: result })
            over.set(each.id, result)
          }
          const replies = calls.flatMap(({ id }) => over.get(id) ?? [])
          messages.push({ role: 'tool', results: replies })
          return Promise.resolve({
            kind: 'results',
            replies,
            control: { stop: false, pause: false, steering: [] },
          })
        },
      },
      planLimits,
      new AbortController().signal,
    )
  }

  const answer = (step: string, text: string, isError = false) =>
    over.set(`plan:${step}:0:1`, { callId: `plan:${step}:0:1`, name: '', text, isError })
  return { segment, answer, made, messages }
}

const stateOf = (messages: readonly ModelMessage[], step: string, waiting: readonly string[] = []) =>
  stepStates(plan, messages, new Set(waiting)).find((each) => each.step === step)?.state

it('carries out twelve steps with a branch, a retry, a question, an approval and a loop, over parks and restarts', async () => {
  expect(plan.steps).toHaveLength(12)
  expect(validatePlan(plan)).toEqual([])
  const { segment, answer, made, messages } = testLoop()

  expect(await segment()).toEqual({ kind: 'parked', on: 'question' })
  expect(made).toEqual([
    'plan:find:0:1',
    'plan:weather:0:1',
    'plan:weather:0:2',
    'plan:mark:1:1',
    'plan:umbrella:0:1',
    'plan:mark:2:1',
    'plan:note:0:1',
    'plan:ask:0:1',
  ])
  expect(stateOf(messages, 'ask', ['plan:ask:0:1'])).toBe('waits')
  expect(stateOf(messages, 'picnic')).toBe('skipped')
  expect(stateOf(messages, 'send')).toBe('later')

  expect(await segment()).toEqual({ kind: 'parked', on: 'question' })
  answer('ask', 'ana@example.org')
  expect(await segment()).toEqual({ kind: 'parked', on: 'approval' })
  const last = messages.at(-1)
  expect(last?.role === 'assistant' ? last.calls : []).toEqual([
    { id: 'plan:send:0:1', name: 'send_mail', args: '{"text":"did add_note","to":"ana@example.org"}' },
  ])
  answer('send', 'sent')
  expect(await segment()).toEqual({ kind: 'completed' })
  expect(new Set(made).size).toBe(made.length)
  const end = messages.at(-1)
  expect(end?.role === 'assistant' ? end.text : '').toContain('is carried out: 12 done, 1 skipped.')
  expect(stepStates(plan, messages).map(({ state }) => state)).toEqual(
    plan.steps.map(({ id }) => (id === 'picnic' ? 'skipped' : 'done')),
  )
  expect(stepStates(plan, messages).find(({ step }) => step === 'mark')?.times).toBe(2)
})

it('fails where the operator denies, without asking again', async () => {
  const { segment, answer, messages, made } = testLoop()
  await segment()
  answer('ask', 'ana@example.org')
  await segment()
  answer('send', 'The operator denied this: not yet', true)
  expect(await segment()).toEqual({ kind: 'completed' })
  const end = messages.at(-1)
  expect(end?.role === 'assistant' ? end.text : '').toContain('{"ended":"failed",')
  expect(made.filter((id) => id.startsWith('plan:send:'))).toHaveLength(1)
})
