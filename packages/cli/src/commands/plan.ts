/** `countersign plan`: steps that are carried out in order, and where they stop for you. */
import { readFile } from 'node:fs/promises'
import {
  AddPlan,
  CountersignError,
  type PlanDetail,
  type PlanPreview,
  PlanStatus,
  type PlanView,
  planProblemText,
} from '@countersign/contract'
import type { Client } from '@countersign/contract/client'
import type { Context, Handler } from '../context.ts'
import { done } from '../output/answer.ts'
import { columns, indent } from '../output/columns.ts'
import { counted } from '../output/counted.ts'
import { usage } from '../output/failure.ts'
import { ledgerMark } from '../output/receipt.ts'
import { line } from '../output/safe-text.ts'
import { table } from '../output/table.ts'
import { tierLabel } from '../output/tier.ts'
import { ago } from '../output/time.ts'
import { graphText } from './plan-graph.ts'

/** As much of a digest as nobody can make another plan fit. */
const shortDigest = 32
const statusWords: Readonly<Record<PlanStatus, string>> = {
  pending: 'not begun',
  in_progress: 'in progress',
  paused: 'paused',
  completed: 'completed',
  failed: 'failed',
  cancelled: 'stopped',
}

export const list: Handler = async (context, _args, options) => {
  const status = PlanStatus.optional().safeParse(options['status'])
  if (!status.success) return usage(`--status is one of ${PlanStatus.options.join(', ')}.`, 'plan list')
  const { client } = await context.gateway()
  const { plans, total } = await client.plans(status.data === undefined ? {} : { status: status.data })
  return done({ plans, total }, () => {
    if (plans.length === 0)
      return status.data === undefined
        ? 'No plan yet. Ask the agent to make one, or add your own with `countersign plan add plan.json`.'
        : `No plan is ${statusWords[status.data]}. See all with \`countersign plan list\`.`
    const rows = plans.map((plan) => [
      plan.id,
      line(plan.name),
      statusWords[plan.status],
      `${plan.steps.length}`,
      plan.startedAt === null ? 'never' : ago(plan.startedAt, context.moment()),
      line(plan.result),
    ])
    const shown = table(
      ['Plan', 'Name', 'State', 'Steps', 'Begun', 'Result'],
      rows,
      context.host.output.columns,
    )
    return total > plans.length ? `${shown}\n\n${plans.length} of ${total}.` : shown
  })
}

export const show: Handler = async (context, [ref = '']) => {
  const { client } = await context.gateway()
  const detail = await client.plan(await idOf(client, ref))
  return done({ ...detail }, () => {
    const { plan } = detail
    const facts = [
      ['Plan', `${line(plan.name)}  ${plan.id}`],
      ...(plan.goal === '' ? [] : [['For', line(plan.goal)]]),
      ['State', [statusWords[plan.status], line(plan.result)].filter((part) => part !== '').join(': ')],
      ...(plan.session === null ? [] : [['Session', plan.session]]),
      ...(plan.run === null ? [] : [['Run', plan.run]]),
      ['Version', `${plan.version}`],
    ]
    return [
      columns(facts),
      '',
      graphText(detail, undefined, context.paint),
      ...resultsOf(detail, context),
      ...problemsOf(detail.problems, context),
      '',
      nextFor(plan),
    ].join('\n')
  })
}

export const add: Handler = async (context, [file = ''], options) => {
  const given = await planIn(context, file)
  if (typeof given === 'string') return usage(given, 'plan add')
  const { client } = await context.gateway()
  const replaced = options['replace']
  const changed =
    typeof replaced === 'string'
      ? await client.changePlan(await idOf(client, replaced), given)
      : await client.addPlan(given)
  const { plan, ledger } = changed
  const { problems } = await client.plan(plan.id)
  return done({ plan, problems, ledger }, () =>
    [
      `Kept ${line(plan.name)} with ${counted(plan.steps.length, 'step')} as ${plan.id}.${ledgerMark(ledger)}`,
      ...problemsOf(problems, context),
      problems.length > 0
        ? `Fix the file, then \`countersign plan add <file> --replace ${plan.id}\`.`
        : `See where it stops with \`countersign plan preview ${plan.id}\`.`,
    ].join('\n'),
  )
}

export const preview: Handler = async (context, [ref = '']) => {
  const { client } = await context.gateway()
  const shown = await client.previewPlan(await idOf(client, ref))
  return done({ ...shown }, () => previewText(shown, context))
}

export const run: Handler = async (context, [ref = ''], options) => {
  const { client } = await context.gateway()
  const id = await idOf(client, ref)
  const { ahead } = options
  const digest = typeof ahead === 'string' ? await digestFor(client, id, ahead) : undefined
  const started = await client.executePlan(id, digest)
  return done({ ...started }, () =>
    [
      `Began ${line(started.plan.name)}.${ledgerMark(started.ledger)}`,
      ...(started.ahead > 0 ? [`${counted(started.ahead, 'call')} approved ahead.`] : []),
      `Follow it with \`countersign plan graph ${id}\`; pending decisions are in \`countersign approval list\` and \`countersign question list\`.`,
    ].join('\n'),
  )
}

export const pause: Handler = async (context, [ref = '']) => {
  const { client } = await context.gateway()
  const { plan, ledger } = await client.pausePlan(await idOf(client, ref))
  const words = `Paused ${line(plan.name)}.${ledgerMark(ledger)}\nResume it with \`countersign plan resume ${plan.id}\`.`
  return done({ plan, ledger }, words)
}

export const resume: Handler = async (context, [ref = '']) => {
  const { client } = await context.gateway()
  const { plan, ledger } = await client.resumePlan(await idOf(client, ref))
  return done({ plan, ledger }, `${line(plan.name)} goes on.${ledgerMark(ledger)}`)
}

export const skip: Handler = async (context, [ref = '', step = '']) => {
  const { client } = await context.gateway()
  const { plan, ledger } = await client.skipPlanStep(await idOf(client, ref), step)
  return done({ plan, ledger }, `Skips ${line(step)} in ${line(plan.name)}.${ledgerMark(ledger)}`)
}

export const graph: Handler = async (context, [ref = '']) => {
  const { client } = await context.gateway()
  const detail = await client.plan(await idOf(client, ref))
  const shown = detail.problems.length > 0 ? undefined : await client.previewPlan(detail.plan.id)
  return done({ ...detail, preview: shown ?? null }, () => {
    const { plan } = detail
    return [
      `${context.paint('strong', line(plan.name))}  ${statusWords[plan.status]}`,
      '',
      plan.steps.length === 0 ? 'It has no steps.' : graphText(detail, shown, context.paint),
      ...(shown === undefined ? [] : ['', line(shown.stops)]),
      ...problemsOf(detail.problems, context),
    ].join('\n')
  })
}

export const remove: Handler = async (context, [ref = '']) => {
  const { client } = await context.gateway()
  const id = await idOf(client, ref)
  const { ledger } = await client.removePlan(id)
  return done({ plan: id, ledger }, `Removed ${id}.${ledgerMark(ledger)}`)
}

/** By its id, or by a name that only one plan has. */
async function idOf(client: Pick<Client, 'plans'>, ref: string): Promise<string> {
  if (/^plan_[0-9a-f]{32}$/.test(ref)) return ref
  const { plans } = await client.plans({ limit: '200' })
  const found = plans.filter(({ id, name }) => name.toLowerCase() === ref.toLowerCase() || id.startsWith(ref))
  const [only] = found
  if (only && found.length === 1) return only.id
  const problem =
    found.length === 0
      ? `There is no plan ${line(ref)}.`
      : `${counted(found.length, 'plan')} match ${line(ref)}; give the id.`
  throw new CountersignError(found.length === 0 ? 'not_found' : 'usage', problem, {
    next: 'See them with `countersign plan list`.',
  })
}

/** What is approved is what the gateway lists now, and only if it is what was shown. */
async function digestFor(client: Pick<Client, 'previewPlan'>, id: string, given: string): Promise<string> {
  const { digest } = await client.previewPlan(id)
  if (given.length >= shortDigest && digest.startsWith(given)) return digest
  throw new CountersignError('conflict', `${line(given)} is not the digest of the current preview.`, {
    next: `See \`countersign plan preview ${id}\`, and give the digest it shows.`,
  })
}

async function planIn(context: Context, file: string): Promise<AddPlan | string> {
  let text: string
  try {
    text = file === '-' ? await pipedIn(context) : await readFile(file, 'utf8')
  } catch {
    return `${line(file)} cannot be read.`
  }
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    return `${line(file)} is not JSON: ${error instanceof Error ? line(error.message) : ''}`
  }
  const parsed = AddPlan.safeParse(value)
  if (parsed.success) return parsed.data
  const wrong = parsed.error.issues.map(({ path, message }) =>
    indent(line(`${path.map(String).join('.')}: ${message}`)),
  )
  return `${line(file)} is no plan:\n${wrong.join('\n')}`
}

async function pipedIn({ host }: Context): Promise<string> {
  let text = ''
  for await (const chunk of host.input) text += String(chunk)
  return text
}

function previewText(shown: PlanPreview, context: Context): string {
  if (shown.problems.length > 0) return problemsOf(shown.problems, context).join('\n').trimStart()
  const rows = shown.steps
    .filter(({ decision }) => decision !== 'allow')
    .map((step) => [
      line(step.step),
      step.tier === null || step.decision === 'question' ? '' : tierLabel(step.tier, context.paint),
      line(step.headline),
      line(step.why),
    ])
  const ahead =
    shown.lease.length === 0
      ? []
      : [
          '',
          `You can approve ${counted(shown.lease.length, 'call')} in advance, exactly as shown, once each:`,
          ...shown.lease.map(({ headline, tool, args }) =>
            indent(`${line(headline)}\n${indent(`${line(tool)} ${line(args)}`)}`),
          ),
          `\`countersign plan run ${shown.plan} --ahead ${shown.digest.slice(0, shortDigest)}\``,
        ]
  return [
    line(shown.stops),
    ...(rows.length === 0
      ? []
      : ['', table(['Step', 'Tier', 'What', 'Why'], rows, context.host.output.columns)]),
    ...ahead,
    ...(shown.lease.length > 0 ? [] : ['', `Start it with \`countersign plan run ${shown.plan}\`.`]),
  ].join('\n')
}

function resultsOf({ states }: PlanDetail, context: Context): string[] {
  const told = states.filter(({ words }) => words !== '')
  if (told.length === 0) return []
  const rows = told.map(({ step, state, words }) => [step, state, line(words)])
  return ['', table(['Step', 'State', 'Result'], rows, context.host.output.columns)]
}

function problemsOf(problems: PlanDetail['problems'], context: Context): string[] {
  if (problems.length === 0) return []
  return [
    '',
    context.paint('bad', 'It cannot begin:'),
    ...problems.map((problem) => indent(line(planProblemText(problem)))),
  ]
}

function nextFor({ id, status, run: own }: PlanView): string {
  if (status === 'in_progress') return `Pause it with \`countersign plan pause ${id}\`.`
  if (status === 'paused') return `Resume it with \`countersign plan resume ${id}\`.`
  const before = own === null ? '' : ` See what it did with \`countersign run show ${own}\`.`
  return `Run it with \`countersign plan run ${id}\`.${before}`
}
