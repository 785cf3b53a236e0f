import { describe, expect, it } from 'vitest'
import type { ToolCatalogue, ToolFacts } from '../tool.ts'
import { PlanStep, PlanSteps } from './step.ts'
import { planProblemText, validatePlan } from './validate.ts'

const call = (id: string, more: object = {}) => ({ type: 'tool_call', id, name: id, tool: 'look', ...more })
const tool = (name: string, more: Partial<ToolFacts> = {}): ToolFacts =>
  ({
    name,
    hidden: false,
    category: 'files',
    runs: 'executor',
    parse: (value: { path?: unknown; [name: string]: unknown }) => {
      const unknown = Object.keys(value).filter((each) => each !== 'path')
      const problems = [
        ...(typeof value.path === 'string' && value.path.startsWith('/') ? [] : ['path: must begin with /']),
        ...unknown.map((each) => `Unrecognized key: "${each}"`),
      ]
      return problems.length === 0 ? { kind: 'args', args: {} } : { kind: 'invalid', problems }
    },
    ...more,
  }) as ToolFacts
const tools = [
  tool('look'),
  tool('secret_tool', { hidden: true }),
  tool('execute_plan', { category: 'plans' }),
  tool('use_tool', { category: 'meta', runs: 'unwrapped' }),
  tool('ask_operator', { runs: 'operator' }),
]
const catalogue: ToolCatalogue = {
  find: (name) => tools.find((each) => each.name === name),
  list: () => tools,
  missing: (name) => `There is no tool ${name}.`,
}

const problemsOf = (steps: readonly unknown[], known?: ToolCatalogue) =>
  validatePlan({ steps: PlanSteps.parse(steps) }, known).map(planProblemText)
const only = (steps: readonly unknown[], known?: ToolCatalogue) => {
  const problems = problemsOf(steps, known)
  expect(problems).toHaveLength(1)
  return problems[0]
}

describe('a plan before it starts', () => {
  it('has steps, each with its own id', () => {
    expect(only([])).toBe('The plan has no steps. Add one with add_plan_step.')
    expect(only([call('a'), call('a')])).toBe('a: Two steps have this id. Give one of them another id.')
  })

  it('names only steps that are there', () => {
    expect(only([call('a', { dependsOn: ['b'] })])).toContain('a: dependsOn names b, which is no step')
    expect(only([call('a', { args: { x: '{{b.result}}' } })])).toContain('{{b.result}} names b')
    expect(only([{ type: 'parallel', id: 'p', name: 'p', steps: ['a', 'b'] }, call('a')])).toContain(
      'p: steps names b',
    )
    expect(problemsOf([call('a'), call('b', { args: { deep: [{ x: 'see {{ a.json.0.id }}' }] } })])).toEqual(
      [],
    )
  })

  it('has references that can be read; the handle of a secret is none', () => {
    expect(only([call('a'), call('b', { args: { x: '{{a}}' } })])).toContain('b: {{a}} is no reference.')
    expect(problemsOf([call('a', { args: { key: '{{secret:github}}' } })])).toEqual([])
  })

  it('has no step that waits for itself, over however many others', () => {
    expect(only([call('a', { dependsOn: ['a'] })])).toContain('a: It waits for itself.')
    const ring = [
      call('a', { dependsOn: ['c'] }),
      call('b', { args: { x: '{{a.result}}' } }),
      call('c', { dependsOn: ['b'] }),
    ]
    expect(only(ring)).toBe(
      'a: It can never begin: a waits for c waits for b waits for a. Take c out of what a depends on or refers to.',
    )
    expect(problemsOf([...ring, call('d', { dependsOn: ['b'] })])).toContain(
      'd: It can never begin, since b never does. Mend a first.',
    )
  })

  it('has no ring through a condition or through what holds a step', () => {
    const condition = {
      type: 'condition',
      id: 'if',
      name: 'if',
      left: '{{a.result}}',
      operator: 'exists',
      onTrue: ['a'],
    }
    expect(only([condition, call('a')])).toContain('can never begin')
    const held = [
      { type: 'parallel', id: 'p', name: 'p', steps: ['a'] },
      call('a', { dependsOn: ['b'] }),
      call('b', { args: { x: '{{a.result}}' } }),
    ]
    expect(problemsOf(held).some((problem) => problem.includes('can never begin'))).toBe(true)
    expect(problemsOf([...held.slice(0, 2), call('b')])).toEqual([])
  })

  it('nests five deep at most, and nothing in two places or in itself', () => {
    const nest = (depth: number) => [
      ...Array.from({ length: depth - 1 }, (_, at) => ({
        type: 'loop',
        id: `l${at}`,
        name: 'l',
        count: 2,
        steps: [at === depth - 2 ? 'a' : `l${at + 1}`],
      })),
      call('a'),
    ]
    expect(problemsOf(nest(5))).toEqual([])
    expect(only(nest(6))).toContain('a: It lies 6 deep; 5 is the most.')
    const twice = ['p', 'q'].map((id) => ({ type: 'parallel', id, name: id, steps: ['a'] }))
    expect(only([...twice, call('a')])).toContain('a: It is in p and q at once.')
    expect(problemsOf([{ type: 'parallel', id: 'p', name: 'p', steps: ['p'] }])[0]).toContain(
      'p: It is inside itself.',
    )
    const mutual = [
      { type: 'parallel', id: 'p', name: 'p', steps: ['q'] },
      { type: 'parallel', id: 'q', name: 'q', steps: ['p'] },
    ]
    expect(problemsOf(mutual)[0]).toContain('inside itself')
  })

  it('refers to a round from inside of it only', () => {
    const loop = { type: 'loop', id: 'l', name: 'l', count: 2, steps: ['a'] }
    expect(
      problemsOf([
        loop,
        call('a', { args: { n: '{{l.number}}' } }),
        call('b', { args: { x: '{{l.json}}' } }),
      ]),
    ).toEqual([])
    expect(only([loop, call('a'), call('b', { args: { n: '{{l.number}}' } })])).toContain(
      'stands outside of the loop l',
    )
    expect(only([loop, call('a'), call('b', { args: { x: '{{a.result}}' } })])).toContain('Name l instead')
    expect(only([loop, call('a'), call('b', { dependsOn: ['a'] })])).toContain(
      'is carried out in every round of l',
    )
    expect(only([loop, call('a', { args: { x: '{{l.result}}' } })])).toContain('l holds it')
    const until = { ...loop, until: { left: '{{a.result}}', operator: 'equals', right: 'x' } }
    expect(problemsOf([until, call('a')])).toEqual([])
  })

  it('has whole conditions and loops', () => {
    const condition = (more: object) => ({
      type: 'condition',
      id: 'if',
      name: 'if',
      left: '1',
      operator: 'equals',
      ...more,
    })
    expect(only([condition({})])).toContain('equals needs a right side')
    expect(only([condition({ operator: 'exists' })])).toContain('exists needs a reference')
    expect(only([condition({ right: 1, onTrue: ['a'], onFalse: ['a'] }), call('a')])).toContain(
      'a is in onTrue and in onFalse',
    )
    const loop = (more: object) => ({ type: 'loop', id: 'l', name: 'l', steps: ['a'], ...more })
    expect(only([loop({}), call('a')])).toContain('either over or count')
    expect(only([loop({ over: 'everything' }), call('a')])).toContain('neither a list nor a reference')
    expect(only([condition({ right: 1, retries: { most: 1 } })])).toContain('is not tried again')
  })

  it('uses tools that there are, with arguments that fit as far as they are known', () => {
    const fits = (step: object) => problemsOf([call('a', step)], catalogue)
    expect(fits({ args: { path: '/x' } })).toEqual([])
    expect(fits({ args: { path: 'x' } })[0]).toContain(
      'a: The arguments do not fit look: path: must begin with /.',
    )
    expect(fits({ tool: 'fly' })[0]).toBe('a: There is no tool fly. Name a tool that search_tools finds.')
    expect(fits({ tool: 'secret_tool' })[0]).toContain('There is no tool secret_tool.')
    expect(fits({ tool: 'execute_plan' })[0]).toContain('A plan cannot use execute_plan')
    expect(fits({ tool: 'use_tool' })[0]).toContain('stands for other tools')
    expect(fits({ tool: 'ask_operator' })[0]).toContain('user_input')
    const open = validatePlan(
      {
        steps: PlanSteps.parse([
          call('b', { args: { path: '/b' } }),
          call('a', { args: { path: '{{b.result}}' } }),
        ]),
      },
      catalogue,
    )
    expect(open).toEqual([])
    const extra = validatePlan(
      {
        steps: PlanSteps.parse([
          call('b', { args: { path: '/b' } }),
          call('a', { args: { path: '{{b.result}}', more: 1 } }),
        ]),
      },
      catalogue,
    )
    expect(extra.map(planProblemText)[0]).toContain('Unrecognized key: "more"')
  })
})

describe('a step', () => {
  it('takes no field of another type, no more than its bounds, and only JSON', () => {
    expect(PlanStep.safeParse(call('a', { prompt: 'x' })).success).toBe(false)
    expect(PlanStep.safeParse(call('A')).success).toBe(false)
    expect(PlanStep.safeParse(call('a', { retries: { most: 6 } })).success).toBe(false)
    expect(PlanStep.safeParse(call('a', { args: { x: undefined } })).success).toBe(false)
    expect(PlanStep.safeParse({ type: 'loop', id: 'l', name: 'l', count: 101, steps: ['a'] }).success).toBe(
      false,
    )
    expect(PlanStep.parse(call('a'))).toMatchObject({
      dependsOn: [],
      needs: 'all',
      onFailure: 'stop',
      args: {},
    })
  })
})
