/** `countersign agent`: who works for you, with which words, tools and limits. */
import type { Agent, AgentChange, AgentPrompt, Answering } from '@countersign/contract'
import type { Client } from '@countersign/contract/client'
import type { Context, Handler } from '../context.ts'
import { type CommandAnswer, done } from '../output/answer.ts'
import { columns, indent } from '../output/columns.ts'
import { counted } from '../output/counted.ts'
import { usage } from '../output/failure.ts'
import { ledgerMark } from '../output/receipt.ts'
import { line, lines } from '../output/safe-text.ts'
import { table } from '../output/table.ts'
import { ago } from '../output/time.ts'
import { changeOf, pipedPrompt } from './agent-settings.ts'

export { file } from './agent-file.ts'
export { learnings } from './agent-learnings.ts'
export { profile } from './agent-profile.ts'
export { team } from './agent-team.ts'

export const list: Handler = async (context) => {
  const agents = await (await context.gateway()).client.agents()
  return done({ agents }, () => {
    const rows = agents.map((agent) => [
      line(agent.id),
      titleOf(agent),
      agent.kind,
      line(agent.model),
      stateWords(agent),
      line(agent.description),
    ])
    return [
      table(['Agent', 'Name', 'Kind', 'Model', 'State', 'What it does'], rows, context.host.output.columns),
      '',
      'Create one with `countersign agent add Cook --prompt "You plan meals."`.',
    ].join('\n')
  })
}

export const add: Handler = async (context, [name = ''], options) => {
  const read = await withPrompt(context, changeOf({ ...options, name }), options['prompt'], 'agent add')
  if ('answer' in read) return read.answer
  const { systemPrompt, ...rest } = read.change
  if (systemPrompt === undefined)
    return usage('Give its instructions: --prompt "You …", or --prompt - to read stdin.', 'agent add')
  const settings = Object.fromEntries(Object.entries({ ...rest, name, systemPrompt }).filter(isGiven))
  const added = await (await context.gateway()).client.addAgent(settings as Parameters<Client['addAgent']>[0])
  return done({ ...added }, () =>
    [
      `Added ${titleOf(added.agent)}: ${line(added.agent.id)}.${ledgerMark(added.ledger)}`,
      `See its prompt with \`countersign agent prompt ${line(added.agent.id)}\`.`,
    ].join('\n'),
  )
}

export const show: Handler = async (context, [ref = '']) => {
  const agent = await (await context.gateway()).client.agent(ref)
  return done({ agent }, () => agentText(agent, context))
}

export const set: Handler = async (context, [ref = ''], options) => {
  const read = await withPrompt(context, changeOf(options), options['prompt'], 'agent set')
  if ('answer' in read) return read.answer
  if (Object.keys(read.change).length === 0)
    return usage('Say what to change, for example --prompt, --model, --groups, --on or --off.', 'agent set')
  const changed = await (await context.gateway()).client.changeAgent(ref, read.change)
  return done({ ...changed }, () =>
    [
      `Changed ${titleOf(changed.agent)}.${ledgerMark(changed.ledger)}`,
      agentText(changed.agent, context),
    ].join('\n'),
  )
}

export const remove: Handler = async (context, [ref = '']) => {
  const removed = await (await context.gateway()).client.removeAgent(ref)
  const words = removed.restored
    ? `${line(removed.id)} was restored.`
    : `Removed ${line(removed.id)}. Its conversations stay in the history.`
  return done({ ...removed }, `${words}${ledgerMark(removed.ledger)}`)
}

export const use: Handler = async (context, [ref], options) => {
  const { team, keywords } = options
  if (keywords !== undefined && keywords !== 'on' && keywords !== 'off')
    return usage('--keywords is on or off.', 'agent use')
  const { client } = await context.gateway()
  if (ref !== undefined && team === undefined && keywords === undefined) {
    const chosen = await client.useAgent(ref)
    return done(
      { ...chosen },
      `${titleOf(chosen.agent)} is the default agent now.${ledgerMark(chosen.ledger)}`,
    )
  }
  const change = {
    ...(ref === undefined ? {} : { agent: ref }),
    ...(typeof team === 'string' ? { team: team === '' ? null : team } : {}),
    ...(keywords === undefined ? {} : { byKeywords: keywords === 'on' }),
  }
  if (Object.keys(change).length === 0) {
    const answering = await client.answering()
    return done({ answering }, answeringText(answering))
  }
  const changed = await client.setAnswering(change)
  return done({ ...changed }, `${answeringText(changed.answering)}${ledgerMark(changed.ledger)}`)
}

function answeringText({ agent, team, byKeywords }: Answering): string {
  if (team !== null) return `The team ${line(team)} answers when you name nobody; without it, ${line(agent)}.`
  return byKeywords
    ? `The agent whose keywords are in your first message answers; without a match, ${line(agent)}.`
    : `${line(agent)} answers when you name nobody.`
}

export const reset: Handler = async (context, [ref = '']) => {
  const { id, conversations, ledger } = await (await context.gateway()).client.resetAgent(ref)
  const words =
    conversations === 0
      ? `${line(id)} had no open conversation.`
      : `${line(id)} starts a new conversation; ${counted(conversations, 'conversation')} moved to the history.`
  return done({ id, conversations, ledger }, `${words}${ledgerMark(ledger)}`)
}

export const resync: Handler = async (context) => {
  const came = await (await context.gateway()).client.resyncAgents()
  const rows = [
    ['Added', came.added],
    ['Updated', came.updated],
    ['Kept with your changes', came.kept],
    ['As they were', came.unchanged],
  ] as const
  return done({ ...came }, () => {
    const told = rows
      .filter(([, ids]) => ids.length > 0)
      .map(([what, ids]) => [what, ids.map(line).join(', ')])
    const next =
      came.kept.length > 0
        ? ['For the new version of one, run `countersign agent rm <agent>`, then resync.']
        : []
    return [
      `Compared with the agents of this version.${ledgerMark(came.ledger)}`,
      columns(told),
      ...next,
    ].join('\n')
  })
}

export const prompt: Handler = async (context, [ref = ''], options) => {
  const about = Object.fromEntries(
    ['goal', 'session', 'text'].flatMap((name) => {
      const value = options[name]
      return typeof value === 'string' ? [[name, value]] : []
    }),
  )
  const told = await (await context.gateway()).client.agentPrompt(ref, about)
  return done({ ...told }, () => promptText(told, context))
}

export function titleOf({ emoji, name }: Pick<Agent, 'emoji' | 'name'>): string {
  return emoji === undefined ? line(name) : `${line(emoji)} ${line(name)}`
}

function promptText(told: AgentPrompt, context: Pick<Context, 'paint'>): string {
  const { label, tools } = told
  const from = label.sources.length === 0 ? '' : ` from ${label.sources.map(line).join(', ')}`
  return [
    lines(told.text),
    '',
    context.paint('strong', `${told.length} of ${told.longest} characters, about ${told.tokens} tokens`),
    columns([
      ['Sections', told.sections.map(({ name, length }) => `${line(name)} ${length}`).join(', ')],
      ['Dropped', told.dropped.length === 0 ? 'nothing' : told.dropped.map(line).join(', ')],
      ...(told.cut.length === 0
        ? []
        : [['Cut', told.cut.map(({ list: what, kept, of }) => `${line(what)} ${kept} of ${of}`).join(', ')]]),
      ['Worth', `${label.integrity}, ${label.confidentiality}${from}`],
      ['Tools', `${tools.has}, of which shown: ${tools.shown.map(line).join(', ') || 'none'}`],
      ['Model', line(told.model)],
    ]),
  ].join('\n')
}

function agentText(agent: Agent, context: Context): string {
  const listed = (names: readonly string[]) => names.map(line).join(', ')
  const rows: (readonly [string, string])[] = [
    ['Id', line(agent.id)],
    ['Kind', `${agent.kind}${agent.builtIn ? ', comes with the product' : ''}`],
    ['State', stateWords(agent)],
    ['Model', line(agent.model)],
    ...((agent.leaveOut ?? []).length === 0 ? [] : [['Not told', listed(agent.leaveOut ?? [])] as const]),
    ...(agent.historyTokens === undefined ? [] : [['History', `${agent.historyTokens} tokens`] as const]),
    ['Tools', toolWords(agent)],
    ...(agent.dataAccess === undefined ? [] : [['Data', listed(agent.dataAccess) || 'none'] as const]),
    ...(agent.triggers.keywords.length === 0 ? [] : [['Keywords', listed(agent.triggers.keywords)] as const]),
    ...(agent.folder === undefined ? [] : [['Folder', line(agent.folder)] as const]),
    ['Limits', limitWords(agent)],
    ...(agent.temperature === undefined ? [] : [['Wording', `temperature ${agent.temperature}`] as const]),
    ...(agent.category === undefined ? [] : [['Category', line(agent.category)] as const]),
    ...(agent.label === null
      ? []
      : [['Worth', `${agent.label.integrity}: untrusted content led to it`] as const]),
    ...(agent.updatedAt === null ? [] : [['Changed', ago(agent.updatedAt, context.moment())] as const]),
  ]
  return [
    context.paint('strong', titleOf(agent)),
    ...(agent.description === '' ? [] : [lines(agent.description)]),
    columns(rows),
    '',
    indent(lines(agent.systemPrompt)),
  ].join('\n')
}

function stateWords(agent: Agent): string {
  return [
    agent.enabled ? 'on' : 'off',
    ...(agent.isDefault ? ['answers'] : []),
    ...(agent.changed ? ['changed'] : []),
    ...(agent.conversational ? [] : ['does not talk']),
  ].join(', ')
}

function toolWords({ tools, toolGroups }: Agent): string {
  if (tools.length === 0 && toolGroups.length === 0) return 'all that its kind allows'
  return [...tools, ...toolGroups.map((name) => `group ${name}`)].map(line).join(', ')
}

function limitWords({ maxTurns, maxToolCalls, maxTokens }: Agent): string {
  const own = [
    ...(maxTurns === undefined ? [] : [counted(maxTurns, 'turn')]),
    ...(maxToolCalls === undefined ? [] : [counted(maxToolCalls, 'call')]),
    ...(maxTokens === undefined ? [] : [`${counted(maxTokens, 'token')} a reply`]),
  ]
  return own.length === 0 ? 'those of its kind' : own.join(', ')
}

async function withPrompt(
  context: Context,
  change: AgentChange | string,
  given: string | boolean | undefined,
  command: string,
): Promise<{ readonly change: AgentChange } | { readonly answer: CommandAnswer }> {
  if (typeof change === 'string') return { answer: usage(change, command) }
  if (typeof given !== 'string') return { change }
  const systemPrompt = given === '-' ? await pipedPrompt(context.host.input) : given
  if (systemPrompt === undefined || systemPrompt.trim() === '')
    return { answer: usage('The prompt is empty.', command) }
  return { change: { ...change, systemPrompt } }
}

const isGiven = ([, value]: [string, unknown]): boolean => value !== null
