/** `countersign tool`: what the agent can do, what is switched on, and what a call would need, before anything runs. */
import { readFile } from 'node:fs/promises'
import {
  type ApprovalView,
  addKeyCommand,
  type Card,
  CountersignError,
  chatCard,
  errorCatalogue,
  missingKeyText,
  type ToolView,
  type TriedCall,
} from '@countersign/contract'
import { fullCard } from '../card.ts'
import type { Context, Handler, OptionValues } from '../context.ts'
import { type CommandAnswer, done, failed } from '../output/answer.ts'
import { columns, indent } from '../output/columns.ts'
import { usage } from '../output/failure.ts'
import { ledgerMark } from '../output/receipt.ts'
import { line, lines } from '../output/safe-text.ts'
import { tierDetail, tierLabel } from '../output/tier.ts'
import { ago } from '../output/time.ts'
import { settledDirectRun } from './direct-run.ts'

export const list: Handler = async (context, [words = ''], options) => {
  const { client } = await context.gateway()
  const [tools, groups] = await Promise.all([client.tools(), client.toolGroups()])
  const wanted = words.toLowerCase()
  const shown = tools
    .filter((tool) => options.all === true || tool.enabled)
    .filter((tool) =>
      `${tool.name} ${tool.group} ${tool.category} ${tool.description}`.toLowerCase().includes(wanted),
    )
  const off = tools.filter((tool) => !tool.enabled).length
  return done({ tools: shown, groups }, () => {
    if (shown.length === 0)
      return `No tool matches “${line(words)}”. See them all with \`countersign tool list --all\`.`
    const sections = groups.flatMap((group) => {
      const rows = shown.filter((tool) => tool.group === group.name).map((tool) => rowOf(tool, context))
      if (rows.length === 0) return []
      const state = group.enabled ? '' : context.paint('quiet', '  off')
      return [`${context.paint('strong', group.title)} (${group.name})${state}`, indent(columns(rows)), '']
    })
    const own = shown.filter((tool) => tool.source === 'custom').map((tool) => rowOf(tool, context))
    const made = own.length === 0 ? [] : [context.paint('strong', 'Made by you'), indent(columns(own)), '']
    const lacking = shown.flatMap((tool) => {
      const text = missingKeyText(lackedBy(tool))
      return text === '' ? [] : [`${line(tool.name)}: ${line(text)}`]
    })
    const hidden = off > 0 && options.all !== true ? `, ${off} disabled (--all shows them)` : ''
    return [
      ...sections,
      ...made,
      ...(lacking.length === 0 ? [] : [...lacking, '']),
      `${shown.length} ${shown.length === 1 ? 'tool' : 'tools'}${hidden}.${useOf(shown)}`,
    ].join('\n')
  })
}

/** Secrets that a tool needs and that are not kept. */
function lackedBy({ keys = [] }: Pick<ToolView, 'keys'>): string[] {
  return keys.filter(({ kept }) => !kept).map(({ name }) => name)
}

/** All of them together. */
function useOf(tools: readonly ToolView[]): string {
  const used = tools.filter(({ use }) => use.calls > 0)
  const sum = (count: (tool: ToolView) => number) => used.reduce((total, tool) => total + count(tool), 0)
  if (used.length === 0) return ' None was used in the last 30 days.'
  return ` In the last 30 days ${used.length} of them were used, in ${sum(({ use }) => use.calls)} calls of which ${sum(({ use }) => use.failures)} failed.`
}

function rowOf(tool: ToolView, context: Context): string[] {
  const [first = ''] = line(tool.description).split(/(?<=\.)\s/)
  return [
    tool.enabled ? line(tool.name) : context.paint('quiet', `${line(tool.name)} (off)`),
    tierLabel(tool.floor, context.paint),
    tool.use.calls === 0 ? '' : `${tool.use.calls}×`,
    first,
  ]
}

export const show: Handler = async (context, [name = '']) => {
  const tool = await (await context.gateway()).client.tool(name)
  return done({ tool }, () => {
    const { use, rate } = tool
    const used =
      use.calls === 0
        ? 'not in the last 30 days'
        : `${use.calls === 1 ? 'once' : `${use.calls} times`} in 30 days, ${use.failures} failed, half within ${use.medianMs ?? 0} ms, last ${ago(use.lastAt ?? '', context.moment())}`
    return [
      `${context.paint('strong', line(tool.name))}  ${tool.enabled ? 'on' : 'off'}`,
      indent(lines(tool.description)),
      '',
      columns([
        ['Tier', `at least ${tierDetail(tool.floor, context.paint)}`],
        ['Group', `${line(tool.group)}, category ${line(tool.category)}`],
        ['From', line(tool.source)],
        ['After a crash', crashWords[tool.effect]],
        ['Undo', tool.undo === null ? 'none' : `by ${line(tool.undo)}`],
        ['Rate', rate === null ? 'no own limit' : `${rate.calls} in ${rate.seconds} s`],
        ['Used', used],
        ...(tool.keys ?? []).map((key) => ['Secret', keyWords(key)]),
        ['Definition', `version ${line(tool.version)}, ${tool.definition.slice(0, 16)}…`],
      ]),
      '',
      context.paint('strong', 'Takes'),
      indent(JSON.stringify(tool.schema, null, 2)),
    ].join('\n')
  })
}

function keyWords({ name, displayName, docsUrl, kept }: NonNullable<ToolView['keys']>[number]): string {
  const said = [displayName, docsUrl].flatMap((each) => each ?? []).map(line)
  const about = said.length === 0 ? '' : ` (${said.join(', ')})`
  return `${line(name)}${about}: ${kept ? 'kept' : `missing; add it with \`${addKeyCommand(name)}\``}`
}

const crashWords = {
  pure: 'retried; it changes nothing',
  idempotent: 'retried; repeating it has no further effect',
  once: 'never retried automatically; you are asked',
} as const

const turn =
  (enabled: boolean): Handler =>
  async (context, [name = '']) => {
    const { tools, ledger } = await (await context.gateway()).client.switchTool(name, enabled)
    const state = enabled ? 'on' : 'off'
    const words =
      tools.length === 0
        ? `Nothing changed: ${line(name)} is already ${state}.`
        : `Switched ${state}: ${tools.map(line).join(', ')}.`
    return done({ name, enabled, tools, ledger }, `${words}${ledgerMark(ledger)}`)
  }

export const enable = turn(true)
export const disable = turn(false)

/** Shows what a call would need. With `--run` it is made, through the same door as a model's. */
export const tryTool: Handler = async (context, [name = ''], options) => {
  const args = await argsOf(options)
  if (typeof args !== 'string') return args
  const { client } = await context.gateway()
  if (options.run === true) return settledDirectRun(context, client, await client.callTool(name, args))
  const tried = await client.tryTool(name, args)
  const impossible = tried.find((one) => one.kind === 'impossible')
  if (impossible?.kind === 'impossible') return impossibleAnswer(impossible.reason, name)
  return done({ tool: name, tried }, () => tried.map((one) => triedText(one, context)).join('\n\n'))
}

const verdicts = {
  allow: 'It would run without asking.',
  ask: 'It would wait for your approval.',
  deny: 'It would be refused.',
} as const

function triedText(tried: TriedCall, context: Context): string {
  if (tried.kind === 'impossible') return line(tried.reason)
  const { card } = tried
  const confined = [
    tried.sandbox === 'none' ? 'no sandbox needed' : `sandbox ${line(tried.sandbox.split(':')[0] ?? '')}`,
    tried.egress === 'none' ? 'no network' : 'network through the checked client',
  ]
  return [
    `${tierLabel(card.tier, context.paint)}  ${context.paint('strong', line(card.headline))}`,
    indent(`${verdicts[tried.decision]} ${line(card.why.reason)}`),
    indent(`Runs with ${confined.join(', ')}.`),
    ...card.effects.map((effect) =>
      indent(`${effect.verb} ${line(effect.object)}${effect.reversible ? '' : ', cannot be undone'}`),
    ),
    indent(context.paint('quiet', 'Nothing was done. Add --run to make the call.')),
  ].join('\n')
}

export const previewCard: Handler = async (context, [name = ''], options) => {
  const args = await argsOf(options)
  if (typeof args !== 'string') return args
  const surfaces = (typeof options.surface === 'string' ? options.surface : 'terminal,chat').split(',')
  const unknown = surfaces.find((surface) => surface !== 'terminal' && surface !== 'chat')
  if (unknown !== undefined)
    return usage(`There is no surface ${line(unknown)}: terminal or chat.`, 'tool preview-card')
  const tried = await (await context.gateway()).client.tryTool(name, args)
  const cards = tried.flatMap((one) => (one.kind === 'judged' ? [one.card] : []))
  const impossible = tried.find((one) => one.kind === 'impossible')
  if (impossible?.kind === 'impossible') return impossibleAnswer(impossible.reason, name)
  return done({ tool: name, cards }, () =>
    cards.flatMap((card) => surfaces.map((surface) => specimenText(card, surface, context))).join('\n\n'),
  )
}

function specimenText(card: Card, surface: string, context: Context): string {
  const specimen = specimenOf(card, context.moment().now)
  const body =
    surface === 'terminal'
      ? fullCard(specimen, { paint: context.paint, moment: context.moment() })
      : chatCard(specimen, { now: context.moment().now, review: 'https://your.gateway/approvals/K7Q2' })
  return `${context.paint('quiet', `On ${surface}:`)}\n${indent(body)}`
}

/** An approval that nobody asked for, to see what its card looks like. */
function specimenOf(card: Card, now: Date): ApprovalView {
  const id = '0'.repeat(32)
  return {
    id: `apr_${id}` as ApprovalView['id'],
    code: 'K7Q2',
    state: 'pending',
    digest: '0'.repeat(64),
    card,
    asks: { en: { why: card.why.reason, stops: '' }, de: { why: card.why.reason, stops: '' } },
    agentSays: '',
    asked: [],
    replaces: null,
    options: [{ scope: 'once', sentence: 'this call, once' }],
    session: `ses_${id}` as ApprovalView['session'],
    run: `run_${id}` as ApprovalView['run'],
    call: `call_${id}` as ApprovalView['call'],
    createdAt: now.toISOString(),
    expiresAt: new Date(now.getTime() + 30 * 60_000).toISOString(),
    decidedAt: null,
    decidedBy: null,
    reason: null,
    receipt: null,
  }
}

function impossibleAnswer(reason: string, name: string): CommandAnswer {
  return failed({
    type: 'usage',
    message: line(reason),
    next: `See what it takes with \`countersign tool show ${line(name)}\`, or which tools there are with \`countersign tool list --all\`.`,
    exit: errorCatalogue.usage.exit,
  })
}

/** Arguments come as JSON text or from a file, and are not parsed here: the gateway reads them as it reads a model's. */
async function argsOf(options: OptionValues): Promise<string | CommandAnswer> {
  const given = options.args
  if (typeof given !== 'string') return '{}'
  if (!given.startsWith('@')) return given
  try {
    return await readFile(given.slice(1), 'utf8')
  } catch (cause) {
    throw new CountersignError('usage', `${given.slice(1)} cannot be read.`, { cause })
  }
}
