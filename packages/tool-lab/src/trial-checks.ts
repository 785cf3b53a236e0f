/** Runs the examples of a tool and judges them twice: whether its effects told the truth, and whether its undo undoes. */
import type { ToolDefinition } from '@countersign/tools'
import { type Check, type Findings, openCheck } from './check.ts'
import type { Example } from './example.ts'
import { resultProblem, type Trial, type TrialEnvironment } from './trial.ts'

export interface TrialPlan {
  readonly definition: ToolDefinition
  readonly environment: TrialEnvironment | undefined
  readonly examples: readonly Example[]
  readonly step: (done: number) => Promise<void>
}

type FinishedTrial = Extract<Trial, { kind: 'done' }>

export async function checkTrials({
  definition,
  environment,
  examples,
  step,
}: TrialPlan): Promise<readonly Check[]> {
  const effects = openCheck('effects')
  const undo = openCheck('undo')
  const skipped = (why: string) => [effects.skip(why), undo.skip(why)]
  if (!environment) return skipped('it does no work of its own')
  if (examples.length === 0)
    return skipped('not run: no examples. Give --args, or export `examples` from its file')
  let ran = 0
  let changed = 0
  let takenBack = 0
  for (const [place, example] of examples.entries()) {
    const trial = await environment.attempt(example)
    if (trial.kind === 'stopped') effects.problem(`did not run: ${trial.reason}`, trial.fix, example.args)
    else {
      ran += 1
      if (trial.changed.length > 0) changed += 1
      judgeEffects(trial, example, effects)
      judgeUndo(trial, definition, example, undo)
      if (trial.taking.kind === 'restored') takenBack += 1
    }
    await step(place + 1)
  }
  const counted = `${ran} of ${examples.length} ${examples.length === 1 ? 'example' : 'examples'}`
  const summary = `${counted} run in ${environment.where}, ${changed === 0 ? 'nothing changed' : `${changed} changed something`}`
  return [effects.end(summary), undoEnd(undo, definition, takenBack, changed)]
}

function judgeEffects(trial: FinishedTrial, { args }: Example, findings: Findings): void {
  const { result, threw, difference } = trial
  for (const { sentence, fix } of difference.problems) findings.problem(sentence, fix, args)
  for (const note of difference.notes) findings.note(note)
  const misshapen = resultProblem(result)
  if (threw !== null)
    findings.problem(
      `threw in \`run\`: ${threw}`,
      'End with a result whose `ok` is false, and say what to do next.',
      args,
    )
  else if (misshapen !== undefined)
    findings.problem(
      `ended with a result of another shape: ${misshapen}`,
      'Give `ok`, `text`, `summary` and `undo`.',
      args,
    )
  else if (!result.ok) findings.note(`An example ended without success: ${result.text}`)
}

const giveUndo =
  'Return the call that takes it back as `undo` of the result, or let the effect say `reversible: false`.'

function judgeUndo(
  trial: FinishedTrial,
  definition: ToolDefinition,
  { args }: Example,
  findings: Findings,
): void {
  const { result, taking, changed, effects } = trial
  const promised = effects.some(
    ({ verb, reversible }) => reversible && (verb === 'write' || verb === 'delete'),
  )
  if (result.undo !== null && result.undo.tool !== definition.undo)
    findings.problem(
      `ends with the undo ${result.undo.tool}, and its definition names ${definition.undo ?? 'none'}`,
      `Write \`undo: '${result.undo.tool}'\` in the definition.`,
      args,
    )
  if (taking.kind === 'none' && promised && result.ok && changed.length > 0)
    findings.problem('says that its change can be taken back, and does not say how', giveUndo, args)
  if (taking.kind === 'failed') findings.problem(`cannot be taken back: ${taking.reason}`, giveUndo, args)
  if (taking.kind === 'restored' && taking.left.length > 0)
    findings.note(
      `What a program of it wrote was not compared: ${taking.left.length} paths are not as before.`,
    )
  if (taking.kind === 'differs')
    findings.problem(
      `is not fully taken back: ${taking.what.join(', ')}`,
      'Undo must leave everything as it was, folders and permissions too.',
      args,
    )
}

function undoEnd(findings: Findings, definition: ToolDefinition, takenBack: number, changed: number): Check {
  if (takenBack > 0)
    return findings.end(`${takenBack} of ${changed} changes taken back, and all that it names was as before`)
  if (definition.undo === undefined) return findings.skip('it declares none, and promised none')
  return findings.skip('no example changed anything')
}
