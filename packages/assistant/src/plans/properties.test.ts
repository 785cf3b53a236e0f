import type { ModelMessage, RawCall } from '@countersign/agent'
import { planLimits } from '@countersign/agent'
import { type PlanStep, validatePlan } from '@countersign/contract'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { planPort } from './port.ts'
import { stepStates } from './states.ts'
import {
  call,
  carryOut,
  modelOf,
  next,
  type PlanWorld,
  type TestPlan,
  testPlan,
} from './testing/carry-out.ts'

type OnFailure = PlanStep['onFailure']
interface Node {
  readonly id: string
  readonly dependsOn: readonly string[]
  readonly fails: boolean
  readonly onFailure: OnFailure
}

/** Graphs without rings, with the steps listed in any order. */
const graphs = fc
  .array(
    fc.record({
      edges: fc.array(fc.nat({ max: 100 }), { maxLength: 4 }),
      fails: fc.boolean(),
      onFailure: fc.constantFrom<OnFailure>('stop', 'skip', 'continue'),
      place: fc.nat(),
    }),
    { minLength: 1, maxLength: 30 },
  )
  .map((nodes) =>
    nodes
      .map(({ edges, ...rest }, at) => ({
        ...rest,
        id: `s${at}`,
        dependsOn: at === 0 ? [] : [...new Set(edges.map((edge) => `s${edge % at}`))],
      }))
      .toSorted((left, right) => left.place - right.place)
      .map(({ id, dependsOn, fails, onFailure }): Node => ({ id, dependsOn, fails, onFailure })),
  )

const planOf = (nodes: readonly Node[]) =>
  testPlan(nodes.map(({ id, dependsOn, onFailure }) => call(id, { dependsOn, onFailure })))
/** The step of a call, from its id. */
const stepOfCall = (callId: string) => /^plan:([a-z][a-z0-9_]*):[\d.]+:\d+$/.exec(callId)?.[1]
const stepsIn = (turn: readonly RawCall[]) => turn.map(({ id }) => stepOfCall(id) ?? '')

describe('any graph without failures', () => {
  it('has every step once, none before what it depends on, and each as soon as it can be', async () => {
    await fc.assert(
      fc.asyncProperty(graphs, async (nodes) => {
        const plan = planOf(nodes)
        expect(validatePlan(plan)).toEqual([])
        const { turns, text } = await carryOut(plan)
        const over = new Set<string>()
        for (const turn of turns) {
          const ready = nodes.filter(
            ({ id, dependsOn }) => !over.has(id) && dependsOn.every((each) => over.has(each)),
          )
          expect(new Set(stepsIn(turn))).toEqual(
            new Set(ready.slice(0, planLimits.callsPerTurn).map(({ id }) => id)),
          )
          for (const id of stepsIn(turn)) over.add(id)
        }
        expect(turns.flat()).toHaveLength(nodes.length)
        expect(text).toContain(`is carried out: ${nodes.length} done.`)
      }),
      { numRuns: 300 },
    )
  })
})

describe('any graph with failures', () => {
  it('leaves out what the failures say, and nothing else', async () => {
    await fc.assert(
      fc.asyncProperty(graphs, async (nodes) => {
        const byId = new Map(nodes.map((node) => [node.id, node]))
        const { turns, text } = await carryOut(planOf(nodes), failingWorld(nodes))
        const made = turns.flatMap(stepsIn)
        expect(new Set(made).size).toBe(made.length)
        // What may not run: everything behind a failure that does not let it pass.
        const barred = (id: string): boolean =>
          byId.get(id)?.dependsOn.some((each) => barred(each) || blocks(byId.get(each))) ?? false
        for (const id of made) expect(barred(id), id).toBe(false)
        const halting = turns.findIndex((turn) =>
          stepsIn(turn).some((id) => byId.get(id)?.fails && byId.get(id)?.onFailure === 'stop'),
        )
        if (halting >= 0) {
          expect(turns).toHaveLength(halting + 1)
          expect(text).toContain('{"ended":"failed",')
        } else {
          expect(new Set(made)).toEqual(new Set(nodes.flatMap(({ id }) => (barred(id) ? [] : [id]))))
          expect(text).toContain('{"ended":"completed",')
        }
      }),
      { numRuns: 300 },
    )
  })
})

/** Plans with everything in them: rounds, branches, questions, decisions, retries and failures. */
const richPlans = fc
  .record({
    shape: fc.array(
      fc.record({
        kind: fc.constantFrom('tool_call', 'llm_decision', 'user_input', 'condition', 'parallel', 'loop'),
        holder: fc.nat({ max: 20 }),
        edges: fc.array(fc.nat({ max: 100 }), { maxLength: 3 }),
        refers: fc.boolean(),
        needs: fc.constantFrom('all', 'any'),
        onFailure: fc.constantFrom<OnFailure>('stop', 'skip', 'continue'),
        retries: fc.nat({ max: 2 }),
        rounds: fc.integer({ min: 1, max: 3 }),
      }),
      { minLength: 2, maxLength: 14 },
    ),
    seed: fc.nat(),
  })
  .map(({ shape, seed }) => ({ plan: richPlan(shape), world: worldOf(seed) }))
  .filter(({ plan }) => validatePlan(plan).length === 0)

describe('any plan', () => {
  it('goes on in the same way from every point at which it was cut off', async () => {
    await fc.assert(
      fc.asyncProperty(richPlans, async ({ plan, world }) => {
        const { messages, turns } = await carryOut(plan, world)
        expect(new Set(turns.flat().map(({ id }) => id)).size).toBe(turns.flat().length)
        for (const [at, message] of messages.entries()) {
          if (message.role !== 'assistant') continue
          const chunk = await next(portFor(plan, world), messages.slice(0, at))
          if (chunk.type !== 'end') throw new Error('It broke off.')
          expect({ role: 'assistant', text: chunk.reply.text, calls: chunk.reply.calls }).toEqual(message)
        }
      }),
      { numRuns: 200 },
    )
  })

  it('is shown at every point without an exception, and over at its end', async () => {
    await fc.assert(
      fc.asyncProperty(richPlans, async ({ plan, world }) => {
        const { messages } = await carryOut(plan, world)
        for (let at = 0; at <= messages.length; at += 1) {
          const states = stepStates(plan, messages.slice(0, at))
          expect(states.map(({ step }) => step)).toEqual(plan.steps.map(({ id }) => id))
        }
        const last = stepStates(plan, messages)
        if (completed(messages))
          for (const { state } of last)
            expect(['done', 'failed', 'skipped', 'dropped', 'later']).toContain(state)
      }),
      { numRuns: 100 },
    )
  })
})

describe('a ring', () => {
  it('is refused wherever it is closed, and the step is named', () => {
    fc.assert(
      fc.property(graphs, fc.nat(), fc.nat(), (nodes, from, to) => {
        const sorted = nodes.toSorted((left, right) => numberOf(left.id) - numberOf(right.id))
        const chain = sorted.map((node, at) => ({
          ...node,
          dependsOn: at === 0 ? [] : [...new Set([...node.dependsOn, `s${at - 1}`])],
        }))
        const [early, late] = [from % chain.length, to % chain.length].toSorted((left, right) => left - right)
        const ringed = chain.map((node, at) =>
          at === early ? { ...node, dependsOn: [...node.dependsOn, `s${late}`] } : node,
        )
        const problems = validatePlan(planOf(ringed))
        expect(problems.length).toBeGreaterThan(0)
        for (const { step, fix } of problems) {
          expect(chain.map(({ id }) => id)).toContain(step)
          expect(fix).not.toBe('')
        }
        expect(problems.some(({ step }) => numberOf(step ?? '') >= (early ?? 0))).toBe(true)
      }),
      { numRuns: 200 },
    )
  })
})

const numberOf = (id: string) => Number(id.slice(1))
const blocks = (node: Node | undefined) => node?.fails === true && node.onFailure !== 'continue'
const completed = (messages: readonly ModelMessage[]) => {
  const last = messages.at(-1)
  return last?.role === 'assistant' && last.text.includes('{"ended":"completed",')
}

function failingWorld(nodes: readonly Node[]): PlanWorld {
  const failing = new Set(nodes.flatMap(({ id, fails }) => (fails ? [id] : [])))
  return {
    tool: ({ id }) => {
      if (failing.has(stepOfCall(id) ?? '')) throw new Error('broken')
      return 'fine'
    },
  }
}

interface Piece {
  readonly kind: string
  readonly holder: number
  readonly edges: readonly number[]
  readonly refers: boolean
  readonly needs: string
  readonly onFailure: OnFailure
  readonly retries: number
  readonly rounds: number
}

function richPlan(shape: readonly Piece[]): TestPlan {
  const holderOf = shape.map(({ holder }, at) => {
    const before = shape.flatMap(({ kind }, place) =>
      place < at && (kind === 'parallel' || kind === 'loop') ? [place] : [],
    )
    // Half of the steps lie beside each other.
    return holder % 2 === 0 ? undefined : before[holder % Math.max(1, before.length)]
  })
  const steps = shape.map(({ kind, edges, refers, needs, onFailure, retries, rounds }, at) => {
    const id = `s${at}`
    const siblings = shape.flatMap((_, place) =>
      place < at && holderOf[place] === holderOf[at] ? [`s${place}`] : [],
    )
    const named =
      siblings.length === 0 ? [] : [...new Set(edges.map((edge) => siblings[edge % siblings.length] ?? ''))]
    const held = shape.flatMap((_, place) => (holderOf[place] === at ? [`s${place}`] : []))
    const text = refers && named[0] ? `see {{${named[0]}.result}}` : 'see'
    const base = { id, name: id, dependsOn: named, needs, onFailure }
    if ((kind === 'parallel' || kind === 'loop') && held.length === 0) return call(id, base)
    switch (kind) {
      case 'parallel':
        return { ...base, type: kind, steps: held }
      case 'loop':
        return { ...base, type: kind, count: rounds, steps: held }
      case 'llm_decision':
        return { ...base, type: kind, prompt: text }
      case 'user_input':
        return { ...base, type: kind, question: text }
      case 'condition': {
        const later = shape.flatMap((_, place) =>
          place > at && holderOf[place] === holderOf[at] ? [`s${place}`] : [],
        )
        return {
          ...base,
          type: kind,
          left: text,
          operator: 'contains',
          right: 'e',
          onTrue: later.slice(0, 1),
          onFalse: later.slice(1, 2),
        }
      }
      default:
        return call(id, { ...base, args: { text }, retries: { most: retries } })
    }
  })
  return testPlan(steps)
}

/** Every third call fails the first time, by chance of its id. */
function worldOf(seed: number): PlanWorld {
  const chance = (text: string) => {
    let sum = seed
    for (const letter of text) sum = (sum * 31 + (letter.codePointAt(0) ?? 0)) % 9_973
    return sum
  }
  return {
    tool: ({ id }) => {
      if (chance(id) % 3 === 0) throw new Error(`broken ${chance(id)}`)
      return `{"n":${chance(id)}}`
    },
    model: (request) => `answer ${chance(JSON.stringify(request.messages))}`,
  }
}

function portFor(plan: TestPlan, world: PlanWorld) {
  return planPort({
    plan,
    model: modelOf(world.model ?? (() => 'yes')),
    clock: () => new Date(0),
    wait: () => Promise.resolve(),
  })
}
