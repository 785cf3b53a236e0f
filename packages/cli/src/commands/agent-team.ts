/** `countersign agent team`: agents that share one door, and who opens it. */
import { type AgentTeam, type TeamChange, TeamRouter } from '@countersign/contract'
import type { Client } from '@countersign/contract/client'
import type { Context, Handler, OptionValues } from '../context.ts'
import { type CommandAnswer, done } from '../output/answer.ts'
import { columns } from '../output/columns.ts'
import { usage } from '../output/failure.ts'
import { ledgerMark } from '../output/receipt.ts'
import { line } from '../output/safe-text.ts'
import { table } from '../output/table.ts'
import { listOf } from './agent-settings.ts'

const command = 'agent team'

export const team: Handler = async (context, [action = 'list', ref, text], options) => {
  if (action === 'list') return list(context)
  if (ref === undefined)
    return usage('Give the name of the team; `countersign agent team` lists them.', command)
  const { client } = await context.gateway()
  switch (action) {
    case 'add':
      return add(client, ref, options)
    case 'set':
      return set(client, ref, options)
    case 'rm': {
      const { id, ledger } = await client.removeAgentTeam(ref)
      return done({ id, ledger }, `Removed the team ${line(ref)}; its agents stay.${ledgerMark(ledger)}`)
    }
    case 'route':
      return route(client, ref, text)
    default: {
      const found = await client.agentTeam(ref)
      return done({ team: found }, () => teamText(found))
    }
  }
}

async function list(context: Context): Promise<CommandAnswer> {
  const teams = await (await context.gateway()).client.agentTeams()
  return done({ teams }, () => {
    if (teams.length === 0)
      return 'No team yet. Create one with `countersign agent team add Office --agents writer,organiser`.'
    const rows = teams.map((each) => [
      line(each.id),
      line(each.name),
      each.router.kind,
      each.agents.map(line).join(', '),
      line(each.fallback ?? each.agents[0] ?? ''),
    ])
    return table(['Team', 'Name', 'By', 'Agents', 'Otherwise'], rows, context.host.output.columns)
  })
}

async function add(client: Client, name: string, options: OptionValues): Promise<CommandAnswer> {
  const change = changeOf(options)
  if (typeof change === 'string') return usage(change, command)
  const { agents, router, fallback, description, sharedContext } = change
  if (agents === undefined || agents.length === 0)
    return usage(
      'Give its agents: --agents writer,organiser. `countersign agent list` shows the ids.',
      command,
    )
  const added = await client.addAgentTeam({
    name,
    agents,
    ...(router === undefined ? {} : { router }),
    ...(description === undefined ? {} : { description }),
    ...(typeof fallback === 'string' ? { fallback } : {}),
    ...(typeof sharedContext === 'string' ? { sharedContext } : {}),
  })
  return done({ ...added }, () =>
    [
      `Added the team ${line(added.team.name)}: ${line(added.team.id)}.${ledgerMark(added.ledger)}`,
      `See who would answer with \`countersign agent team route ${line(added.team.id)} "…"\`.`,
    ].join('\n'),
  )
}

async function set(client: Client, ref: string, options: OptionValues): Promise<CommandAnswer> {
  const change = changeOf(options)
  if (typeof change === 'string') return usage(change, command)
  if (Object.keys(change).length === 0)
    return usage(
      'Say what to change: --name, --agents, --router, --fallback, --context or --description.',
      command,
    )
  const changed = await client.changeAgentTeam(ref, change)
  return done({ ...changed }, () =>
    [`Changed ${line(changed.team.name)}.${ledgerMark(changed.ledger)}`, teamText(changed.team)].join('\n'),
  )
}

async function route(client: Client, ref: string, text: string | undefined): Promise<CommandAnswer> {
  if (text === undefined || text === '')
    return usage('Give the message: `countersign agent team route Office "Write a letter"`.', command)
  const found = await client.routeInTeam(ref, text)
  const why = {
    keywords: `it matches ${found.matched.map(line).join(', ')}`,
    model: 'the model chose it',
    first: 'it is the first',
    fallback: 'nobody else fits',
  }[found.by]
  return done({ ...found }, `${line(found.agent)} would answer: ${why}. Nothing was sent.`)
}

function changeOf(options: OptionValues): TeamChange | string {
  const { name, description, agents, router, fallback, context: shared } = options
  const kind = TeamRouter.shape.kind.safeParse(router ?? 'keywords')
  if (!kind.success) return `--router is one of ${TeamRouter.shape.kind.options.join(', ')}.`
  return {
    ...(typeof name === 'string' ? { name } : {}),
    ...(typeof description === 'string' ? { description } : {}),
    ...(typeof agents === 'string' ? { agents: listOf(agents) } : {}),
    ...(router === undefined ? {} : { router: { kind: kind.data } }),
    ...(typeof fallback === 'string' ? { fallback: fallback === '' ? null : fallback } : {}),
    ...(typeof shared === 'string' ? { sharedContext: shared === '' ? null : shared } : {}),
  }
}

function teamText(found: AgentTeam): string {
  return columns([
    ['Id', line(found.id)],
    ['Name', line(found.name)],
    ...(found.description === '' ? [] : [['About', line(found.description)]]),
    ['Agents', found.agents.map(line).join(', ')],
    ['By', found.router.kind],
    ['Otherwise', line(found.fallback ?? found.agents[0] ?? '')],
    ...(found.sharedContext === undefined ? [] : [['Told to all', line(found.sharedContext)]]),
  ])
}
