/**
 * Owns what must be right about a plan before it starts. Every problem names the step and what to do about it.
 * Refuses nothing that depends on results, which nobody knows yet.
 */
import type { ToolCatalogue } from '../tool.ts'
import {
  type PlanGraph,
  planGraph,
  planLoopsAround,
  planOrder,
  planStepReferences,
  planStepsIn,
  planUntilReferences,
} from './graph.ts'
import { planReferenceOnly, planReferencesIn, type ReadReference } from './reference.ts'
import { deepestPlanNesting, mostPlanSteps, type PlanStep } from './step.ts'

export interface PlanProblem {
  /** Null where the whole plan is meant. */
  readonly step: string | null
  readonly problem: string
  readonly fix: string
}

/** Without a catalogue only the steps themselves are looked at. */
export function validatePlan(
  { steps }: { readonly steps: readonly PlanStep[] },
  catalogue?: ToolCatalogue,
): PlanProblem[] {
  const whole = sizeProblems(steps)
  if (whole.length > 0) return whole
  const graph = planGraph(steps)
  return [
    ...steps.flatMap((step) => [
      ...holdingProblems(step, steps, graph),
      ...orderProblems(step, graph),
      ...referenceProblems(step, graph),
      ...kindProblems(step, graph),
      ...(catalogue && step.type === 'tool_call' ? toolProblems(step, catalogue) : []),
    ]),
    ...ringProblems(steps, graph),
  ]
}

export function planProblemText({ step, problem, fix }: PlanProblem): string {
  return `${step === null ? '' : `${step}: `}${problem} ${fix}`
}

function sizeProblems(steps: readonly PlanStep[]): PlanProblem[] {
  if (steps.length === 0)
    return [{ step: null, problem: 'The plan has no steps.', fix: 'Add one with add_plan_step.' }]
  if (steps.length > mostPlanSteps)
    return [
      {
        step: null,
        problem: `The plan has ${steps.length} steps; ${mostPlanSteps} is the most.`,
        fix: 'Make two plans of it, or a loop of what repeats.',
      },
    ]
  const seen = new Set<string>()
  return steps.flatMap(({ id }) => {
    if (!seen.has(id)) {
      seen.add(id)
      return []
    }
    return [{ step: id, problem: 'Two steps have this id.', fix: 'Give one of them another id.' }]
  })
}

function holdingProblems(step: PlanStep, steps: readonly PlanStep[], graph: PlanGraph): PlanProblem[] {
  const { id } = step
  const problems: PlanProblem[] = planStepsIn(step)
    .filter((held) => !graph.steps.has(held))
    .map((held) => unknown(id, held, 'steps'))
  const holders = steps.filter((each) => planStepsIn(each).includes(id))
  if (holders.length > 1) {
    const fix = 'Name it in the steps of one of them only.'
    problems.push({ step: id, problem: `It is in ${wordsFor(holders.map((each) => each.id))} at once.`, fix })
  }
  const chain = [id]
  for (let at = graph.within.get(id); at; at = graph.within.get(at)) {
    if (chain.includes(at)) {
      problems.push({
        step: id,
        problem: 'It is inside itself.',
        fix: `Take ${id} out of the steps of ${at}.`,
      })
      return problems
    }
    chain.push(at)
  }
  if (planStepsIn(step).includes(id))
    problems.push({ step: id, problem: 'It is inside itself.', fix: `Take ${id} out of its own steps.` })
  if (chain.length > deepestPlanNesting)
    problems.push({
      step: id,
      problem: `It lies ${chain.length} deep; ${deepestPlanNesting} is the most.`,
      fix: 'Put some of what is around it beside each other instead.',
    })
  return problems
}

function orderProblems(step: PlanStep, graph: PlanGraph): PlanProblem[] {
  const { id } = step
  const problems = step.dependsOn.flatMap((before) => {
    if (!graph.steps.has(before)) return [unknown(id, before, 'dependsOn')]
    return unreachable(id, before, graph).map(({ problem, fix }) => ({ step: id, problem, fix }))
  })
  if (step.type !== 'condition') return problems
  for (const target of new Set([...step.onTrue, ...step.onFalse])) {
    if (!graph.steps.has(target)) {
      problems.push(unknown(id, target, step.onTrue.includes(target) ? 'onTrue' : 'onFalse'))
    } else if ((graph.within.get(target) ?? null) !== (graph.within.get(id) ?? null)) {
      problems.push({
        step: id,
        problem: `It decides about ${target}, which does not stand beside it.`,
        fix: `Put ${id} and ${target} into the same steps, or name what holds ${target}.`,
      })
    }
    if (step.onTrue.includes(target) && step.onFalse.includes(target))
      problems.push({
        step: id,
        problem: `${target} is in onTrue and in onFalse.`,
        fix: 'Name it in one of them, or in neither and let it depend on the condition.',
      })
  }
  return problems
}

function referenceProblems(step: PlanStep, graph: PlanGraph): PlanProblem[] {
  const { id } = step
  const check = (read: ReadReference, fromInside: boolean): PlanProblem[] => {
    if (read.kind === 'unread')
      return [
        {
          step: id,
          problem: `${read.text} is no reference.`,
          fix: 'Write {{step.result}}, {{step.json.name}}, {{step.lines}}, or in a loop {{loop.item}} or {{loop.number}}.',
        },
      ]
    const { step: target, part, text } = read.reference
    if (!graph.steps.has(target)) return [unknown(id, target, text)]
    if (part === 'item' || part === 'number') {
      const around = fromInside ? [id, ...planLoopsAround(graph, id)] : planLoopsAround(graph, id)
      if (around.includes(target)) return []
      const fix = 'Refer to a loop that the step is in.'
      return [{ step: id, problem: `${text} stands outside of the loop ${target}.`, fix }]
    }
    if (fromInside && planLoopsAround(graph, target)[0] === id) return []
    return unreachable(id, target, graph).map(({ problem, fix }) => ({
      step: id,
      problem: `${text}: ${problem}`,
      fix,
    }))
  }
  return [
    ...planStepReferences(step).flatMap((read) => check(read, false)),
    ...planUntilReferences(step).flatMap((read) => check(read, true)),
  ]
}

function kindProblems(step: PlanStep, graph: PlanGraph): PlanProblem[] {
  const problems: PlanProblem[] = []
  const { id } = step
  if (step.retries && step.retries.most > 0 && step.type !== 'tool_call' && step.type !== 'llm_decision')
    problems.push({
      step: id,
      problem: `A step of type ${step.type} is not tried again.`,
      fix: 'Give retries to the tool calls and decisions only.',
    })
  if (step.timeoutSeconds !== undefined && step.type !== 'tool_call' && step.type !== 'llm_decision')
    problems.push({
      step: id,
      problem: `A step of type ${step.type} has no time limit.`,
      fix: 'Give timeoutSeconds to tool calls and decisions only.',
    })
  for (const test of testsOf(step)) {
    if (test.operator !== 'exists' && test.right === undefined)
      problems.push({ step: id, problem: `${test.operator} needs a right side.`, fix: 'Add right.' })
    if (test.operator === 'exists' && planReferencesIn(test.left).length === 0)
      problems.push({ step: id, problem: 'exists needs a reference.', fix: 'Write left as {{step.result}}.' })
  }
  if (step.type !== 'loop') return problems
  if ((step.over === undefined) === (step.count === undefined))
    problems.push({ step: id, problem: 'It needs either over or count.', fix: 'Give one of the two.' })
  if (typeof step.over === 'string' && planReferenceOnly(step.over) === undefined)
    problems.push({
      step: id,
      problem: 'over is neither a list nor a reference to one.',
      fix: 'Write over as {{step.json}}, {{step.lines}} or a list.',
    })
  if (planStepsIn(step).every((held) => !graph.steps.has(held)))
    problems.push({ step: id, problem: 'There is nothing in it.', fix: 'Name the steps that it repeats.' })
  return problems
}

function toolProblems(
  step: Extract<PlanStep, { type: 'tool_call' }>,
  catalogue: ToolCatalogue,
): PlanProblem[] {
  const { id, args } = step
  const tool = catalogue.find(step.tool)
  if (!tool || tool.hidden)
    return [{ step: id, problem: catalogue.missing(step.tool), fix: 'Name a tool that search_tools finds.' }]
  if (tool.category === 'plans')
    return [
      {
        step: id,
        problem: `A plan cannot use ${tool.name}, which works on plans.`,
        fix: 'Put the steps of the other plan into this one.',
      },
    ]
  if (tool.category === 'meta')
    return [
      {
        step: id,
        problem: `${tool.name} stands for other tools.`,
        fix: 'Name the tool itself; steps that are to run together go into a parallel.',
      },
    ]
  if (tool.runs === 'operator')
    return [
      {
        step: id,
        problem: `${tool.name} is no step of this type.`,
        fix: 'Make it a step of type user_input.',
      },
    ]
  const parsed = tool.parse(args)
  if (parsed.kind === 'args') return []
  // A reference may stand for any value, so only what no reference can mend is a problem.
  const open = Object.entries(args).flatMap(([name, value]) =>
    planReferencesIn(value).length > 0 ? [name] : [],
  )
  return parsed.problems
    .filter((problem) => {
      if (open.some((name) => problem.startsWith(`${name}:`) || problem.startsWith(`${name}.`))) return false
      return open.length === 0 || /^[\w.]+: |^Unrecognized/.test(problem)
    })
    .map((problem) => unfit(id, tool.name, problem))
}

function unfit(step: string, tool: string, problem: string): PlanProblem {
  return {
    step,
    problem: `The arguments do not fit ${tool}: ${problem}.`,
    fix: 'See what it takes with get_tool_help.',
  }
}

function ringProblems(steps: readonly PlanStep[], graph: PlanGraph): PlanProblem[] {
  const problems: PlanProblem[] = []
  for (const [holder, ids] of graph.inside) {
    if (holder !== null && !graph.steps.has(holder)) continue
    const { ring } = planOrder(ids, graph.waits)
    if (ring.length === 0) continue
    const turning = ringIn(ring, graph)
    const [first = '', second = first] = turning
    problems.push({
      step: first,
      problem:
        turning.length === 1
          ? 'It waits for itself.'
          : `It can never begin: ${turning.join(' waits for ')} waits for ${first}.`,
      fix: `Take ${second} out of what ${first} depends on or refers to.`,
    })
    const stuck = ring.filter((id) => !turning.includes(id))
    for (const id of stuck) {
      const before = [...(graph.waits.get(id) ?? [])].find((each) => ring.includes(each)) ?? first
      problems.push({
        step: id,
        problem: `It can never begin, since ${before} never does.`,
        fix: `Mend ${first} first.`,
      })
    }
  }
  const itself = steps.filter((step) => graph.waits.get(step.id)?.has(step.id) || refersToItself(step))
  return [
    ...problems,
    ...itself.map(({ id }) => ({
      step: id,
      problem: 'It waits for itself.',
      fix: 'Take the step out of its own dependsOn and references.',
    })),
  ]
}

function refersToItself(step: PlanStep): boolean {
  return (
    step.dependsOn.includes(step.id) ||
    (step.type === 'condition' && [...step.onTrue, ...step.onFalse].includes(step.id)) ||
    planStepReferences(step).some((read) => read.kind === 'reference' && read.reference.step === step.id)
  )
}

/** One ring among steps that wait for each other, each before what it waits for. */
function ringIn(stuck: readonly string[], graph: PlanGraph): string[] {
  const walked: string[] = []
  for (let at = stuck[0]; at !== undefined; ) {
    const seen = walked.indexOf(at)
    if (seen >= 0) return walked.slice(seen)
    walked.push(at)
    at = [...(graph.waits.get(at) ?? [])].find((before) => stuck.includes(before))
  }
  return walked
}

/** Why a step cannot count on another to be over: one holds the other, or the other happens many times elsewhere. */
function unreachable(id: string, target: string, graph: PlanGraph): Pick<PlanProblem, 'problem' | 'fix'>[] {
  if (id === target) return []
  const around = (of: string) => {
    const chain: string[] = []
    for (let at = graph.within.get(of); at && !chain.includes(at); at = graph.within.get(at)) chain.push(at)
    return chain
  }
  if (around(id).includes(target) || around(target).includes(id))
    return [
      {
        problem: `${target} ${around(id).includes(target) ? 'holds it' : 'is inside it'}, so neither waits for the other.`,
        fix: `Take ${target} out.`,
      },
    ]
  const foreign = planLoopsAround(graph, target).find((loop) => !planLoopsAround(graph, id).includes(loop))
  if (foreign === undefined) return []
  return [
    {
      problem: `${target} is carried out in every round of ${foreign}.`,
      fix: `Name ${foreign} instead; {{${foreign}.json}} has the results of each round.`,
    },
  ]
}

function testsOf(step: PlanStep): { operator: string; left: string | number | boolean; right?: unknown }[] {
  if (step.type === 'condition') return [step]
  return step.type === 'loop' && step.until ? [step.until] : []
}

function unknown(step: string, named: string, where: string): PlanProblem {
  return {
    step,
    problem: `${where} names ${named}, which is no step of this plan.`,
    fix: `Add a step ${named}, or name one that is there.`,
  }
}

function wordsFor(names: readonly string[]): string {
  return names.length <= 1 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1) ?? ''}`
}
