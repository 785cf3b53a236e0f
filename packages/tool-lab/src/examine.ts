/** Examines tools: puts the checks in order, gives each what it needs, and makes the report. */
import { randomInt } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import { builtinTools, type ToolDefinition } from '@countersign/tools'
import { type Ambient, watchAmbient } from './ambient.ts'
import { checkArguments } from './argument-check.ts'
import { checkCards } from './card-check.ts'
import { type Check, type CheckName, firstLineOf } from './check.ts'
import { checkDefinition } from './definition-check.ts'
import { checkDisplay } from './display-check.ts'
import { entryUrls } from './entry.ts'
import { openExecutorTrial } from './executor-tool-trial.ts'
import { checkImports } from './import-check.ts'
import { type LoadedTool, loadTools, type ToolNotFound, targetOf } from './loaded-tool.ts'
import { openRecordTrial } from './record-tool-trial.ts'
import type { TestRequest } from './request.ts'
import { createSeededRandom, mostSeed } from './seeded-random.ts'
import type { TrialEnvironment } from './trial.ts'
import { checkTrials } from './trial-checks.ts'

export interface ToolReport {
  readonly tool: string
  readonly version: string
  /** Null for a built-in tool. */
  readonly file: string | null
  readonly seed: number
  readonly count: number
  readonly ok: boolean
  readonly checks: readonly Check[]
  readonly ms: number
}

export interface Progress {
  readonly tool: string
  readonly check: CheckName
  readonly done: number
  readonly of: number
}

export type ExaminationResult =
  | { readonly kind: 'examined'; readonly reports: readonly ToolReport[] }
  | ToolNotFound

export async function examine(
  request: TestRequest,
  say: (progress: Progress) => void,
): Promise<ExaminationResult> {
  const target = targetOf(request.target, request.folder)
  if (target.kind === 'failed') return target
  const file = target.kind === 'file' ? target.file : null
  const ambient = watchAmbient({ file, entries: entryUrls() })
  try {
    const loaded =
      target.kind === 'file'
        ? await loadTools(target.file, ambient)
        : { kind: 'loaded' as const, specimens: [{ definition: target.definition, file, examples: [] }] }
    if (loaded.kind === 'failed') return loaded
    const chosen = chooseFrom(loaded.specimens, request)
    if ('kind' in chosen) return chosen
    const own = loaded.specimens.map(({ definition }) => definition)
    const tools =
      target.kind === 'file'
        ? [...builtinTools.filter((tool) => !own.some(({ name }) => name === tool.name)), ...own]
        : builtinTools
    const clashing = target.kind === 'file' ? [...builtinTools, ...own] : builtinTools
    const reports: ToolReport[] = []
    for (const loaded of chosen)
      reports.push(await examineOne(loaded, { request, ambient, tools, clashing, say }))
    return { kind: 'examined', reports }
  } finally {
    ambient.close()
  }
}

function chooseFrom(
  specimens: readonly LoadedTool[],
  { tool, args }: TestRequest,
): readonly LoadedTool[] | ToolNotFound {
  const chosen =
    tool === undefined ? specimens : specimens.filter(({ definition }) => definition.name === tool)
  const names = specimens.map(({ definition }) => definition.name).join(', ')
  if (chosen.length === 0)
    return { kind: 'failed', message: `The file exports no tool ${tool}.`, next: `It exports ${names}.` }
  const shown = chosen.filter(({ definition }) => definition.hidden !== true)
  if (args === undefined || chosen.length === 1) return chosen
  if (shown.length === 1) return shown
  return {
    kind: 'failed',
    message: `The file exports several tools (${names}), and the arguments can be for one only.`,
    next: 'Add `--tool <name>`.',
  }
}

interface Examination {
  readonly request: TestRequest
  readonly ambient: Ambient
  readonly tools: readonly ToolDefinition[]
  /** All of them, two of one name included. */
  readonly clashing: readonly ToolDefinition[]
  readonly say: (progress: Progress) => void
}

async function examineOne(loaded: LoadedTool, examination: Examination): Promise<ToolReport> {
  const began = performance.now()
  const { definition, file } = loaded
  const { request, ambient, say } = examination
  const seed = request.seed ?? randomInt(mostSeed)
  const examples = request.args === undefined ? loaded.examples : [{ args: request.args }]
  const reportOf = (checks: readonly Check[]): ToolReport => ({
    tool: String(definition.name),
    version: String(definition.version),
    file,
    seed,
    count: request.count,
    ok: checks.every(({ state }) => state !== 'failed'),
    checks,
    ms: Math.round(performance.now() - began),
  })
  const stepOf = (check: CheckName, of: number) => async (done: number) => {
    if (done % reportEvery !== 0 && done !== of) return
    say({ tool: definition.name, check, done, of })
    await setImmediate()
  }
  const { check: first, facts } = checkDefinition(definition, examination.clashing)
  if (!facts) return reportOf([first, checkImports(ambient, file === null)])
  const environment = await openTrial(definition, examination)
  try {
    const subject = {
      definition,
      facts,
      ambient,
      effects: (args: Parameters<TrialEnvironment['effects']>[0]) =>
        environment ? environment.effects(args) : Promise.reject(new Error('It does no work of its own.')),
    }
    const { check: second, taken } = await checkArguments({
      facts,
      examples,
      count: request.count,
      random: createSeededRandom(seed),
      limited: definition.limit?.param,
      step: stepOf('arguments', request.count),
    })
    const cards = await checkCards({ subject, taken, step: stepOf('cards', taken.length) })
    const display = await checkDisplay({ subject, taken, step: stepOf('display', 0) })
    const trials = await checkTrials({
      definition,
      environment,
      examples,
      step: stepOf('effects', examples.length),
    })
    return reportOf([first, second, cards, display, checkImports(ambient, file === null), ...trials])
  } finally {
    await environment?.close().catch((error: unknown) => process.stderr.write(`${firstLineOf(error)}\n`))
  }
}

const reportEvery = 20

async function openTrial(
  definition: ToolDefinition,
  { request, ambient, tools }: Examination,
): Promise<TrialEnvironment | undefined> {
  switch (definition.runs) {
    case 'executor': {
      const { open, files: from, scratch } = request
      return openExecutorTrial({ definition, tools, ambient, open, from, scratch })
    }
    case 'gateway':
      return openRecordTrial({ definition, tools, ambient })
    default:
      return undefined
  }
}
