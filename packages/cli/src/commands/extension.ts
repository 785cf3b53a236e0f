/** `countersign extension`: servers of the Model Context Protocol and plugins that the operator lets in, and what is accepted of them. */
import {
  type InstalledServer,
  isStrayed,
  kindOf,
  type ListedTool,
  type ServerLaunch,
  serverPresets,
  suggestedTool,
  type Tier,
  type ToolSuggestion,
} from '@countersign/contract'
import type { Client } from '@countersign/contract/client'
import type { Context, Handler, OptionValues } from '../context.ts'
import { type CommandAnswer, done } from '../output/answer.ts'
import { columns, indent } from '../output/columns.ts'
import { usage } from '../output/failure.ts'
import { line, lines } from '../output/safe-text.ts'
import { tierLabel } from '../output/tier.ts'
import { settledDirectRun } from './direct-run.ts'
import { launchOf, listOf, presetOf } from './extension-launch.ts'
import { pinnedAnswer } from './extension-pinned.ts'
import { addPlugin, findingsOfPlugin, showPlugin } from './extension-plugin.ts'
import {
  briefOfProposal,
  fetchSkill,
  meantProposal,
  noneWaits,
  removeProposal,
  showProposal,
  waitingTable,
} from './extension-proposal.ts'
import { addSkill, briefOfSkill, placeOf, showSkill, skillNamed } from './extension-skill.ts'

export const list: Handler = async (context) => {
  const { servers, skills, proposals } = await (await context.gateway()).client.extensions()
  const ofKind = (kind: 'server' | 'plugin') =>
    servers.filter((server) => kindOf(server) === kind).map(briefOf)
  const briefs = {
    servers: ofKind('server'),
    plugins: ofKind('plugin'),
    skills: skills.map(briefOfSkill),
    waiting: proposals.map(briefOfProposal),
  }
  return done(briefs, () => {
    if (servers.length + skills.length + proposals.length === 0)
      return `No server, no plugin and no skill is let in. Add one: \`countersign extension add --help\`. Reviewed: ${Object.keys(serverPresets).join(', ')}.`
    const tables = [
      [
        ['Server', 'State', 'Accepted', 'Offered', 'From'],
        ...briefs.servers.map(({ name, state, accepted, offered, from }) => [
          line(name),
          state,
          String(accepted),
          String(offered),
          line(from),
        ]),
      ],
      [
        ['Plugin', 'State', 'Tools', 'From'],
        ...briefs.plugins.map(({ name, state, accepted, from }) => [
          line(name),
          state,
          String(accepted),
          line(from),
        ]),
      ],
      [
        ['Skill', 'State', 'Files', 'From'],
        ...briefs.skills.map(({ name, state, files, from }) => [
          line(name),
          state,
          String(files),
          line(from),
        ]),
      ],
      waitingTable(briefs.waiting),
    ]
    return tables.flatMap((rows) => (rows.length > 1 ? [columns(rows)] : [])).join('\n\n')
  })
}

function briefOf(server: InstalledServer) {
  const { name, launch, tools, offered, pinned } = server
  const state = stateOf(server)
  return {
    name,
    state: pinned ? `${state}, pinned` : state,
    accepted: tools.length,
    offered: offered.length,
    from: fromText(launch),
  }
}

function stateOf(server: InstalledServer): string {
  const { tools, offered, gone, paused } = server
  if (paused) return 'paused'
  if (kindOf(server) === 'plugin')
    return isStrayed(server) ? 'stopped: it is not what its manifest says' : 'on'
  const changed = offered.filter((tool) => tools.some(({ listed }) => listed.name === tool.name)).length
  const waits = changed + gone.length
  return waits > 0 ? `${waits} changed` : tools.length === 0 ? 'no tools' : 'on'
}

function fromText(launch: ServerLaunch): string {
  if (launch.kind === 'http') return launch.url
  if (launch.kind === 'plugin') return `${launch.manifest.version}, ${launch.source}`
  return launch.package ? `${launch.package.name} ${launch.package.version}` : launch.argv.join(' ')
}

export const show: Handler = async (context, [name = ''], options) => {
  const { client } = await context.gateway()
  const proposal = await meantProposal(client, name, options)
  if (proposal) return showProposal(context, client, proposal, options)
  if (options['waiting'] === true) return noneWaits(name, 'extension show')
  const skill = await skillNamed(client, name)
  if (skill) return showSkill(context, client, skill, options)
  const server = await serverNamed(client, name)
  if (!server) return missing(name, 'extension show')
  if (typeof options['tool'] === 'string') return oneTool(server, options['tool'])
  if (server.launch.kind === 'plugin')
    return showPlugin(
      context,
      client,
      { plugin: server, launch: server.launch, state: briefOf(server).state },
      options,
    )
  const changed = server.offered.filter((tool) =>
    server.tools.some(({ listed }) => listed.name === tool.name),
  )
  const fresh = server.offered.filter((tool) => !changed.includes(tool))
  return done({ server }, () =>
    [
      `${context.paint('strong', line(server.name))}  ${briefOf(server).state}`,
      indent(launchText(server.launch)),
      '',
      ...section(
        context,
        'Accepted',
        server.tools.map(({ listed, ...counts }) => rowOf(context, listed, counts)),
      ),
      ...section(
        context,
        'Described in other words by now: stopped until you accept',
        changed.map((tool) => [line(tool.name)]),
      ),
      ...section(
        context,
        'Accepted, and offered no more',
        server.gone.map((tool) => [line(tool)]),
      ),
      ...section(
        context,
        'Offered',
        fresh.map((tool) => rowOf(context, tool, undefined)),
      ),
      nextStep(server, changed.length + fresh.length),
    ].join('\n'),
  )
}

function nextStep({ name, listedAt, tools }: InstalledServer, waiting: number): string {
  if (listedAt === null) return `It was not asked yet: \`countersign extension look ${line(name)}\`.`
  if (waiting > 0) return `Accept with \`countersign extension accept ${line(name)} --tool NAME=TIER\`.`
  return `Its tools are found by their words, and called ${line(name).replaceAll('-', '_')}__….${tools.length > 0 ? '' : ' None is accepted.'}`
}

function section(context: Context, title: string, rows: readonly (readonly string[])[]): string[] {
  return rows.length === 0
    ? []
    : [context.paint('strong', title), indent(columns(rows.map((row) => [...row]))), '']
}

/** What it says of itself is a stranger's: cut, and on one line. */
function rowOf(
  { paint }: Pick<Context, 'paint'>,
  tool: ListedTool,
  counts: Pick<ToolSuggestion, 'tier' | 'cases'> | undefined,
): string[] {
  const tier = counts ? tierLabel(counts.tier, paint) : ''
  const cases = counts && counts.cases.length > 0 ? `, ${counts.cases.length} less` : ''
  return [line(tool.name), `${tier}${cases}`, line(tool.description.replaceAll(/\s+/g, ' ').slice(0, 90))]
}

function oneTool(server: InstalledServer, wanted: string): CommandAnswer {
  const accepted = server.tools.find(({ listed }) => listed.name === wanted)
  const offered = server.offered.find((tool) => tool.name === wanted)
  if (!accepted && !offered)
    return usage(`The ${kindOf(server)} ${line(server.name)} has no tool ${line(wanted)}.`, 'extension show')
  return done({ accepted: accepted ?? null, offered: offered ?? null }, () =>
    [
      ...(accepted
        ? [`Accepted as T${accepted.tier}:`, indent(lines(JSON.stringify(accepted.listed, null, 2)))]
        : []),
      ...(offered ? ['Offered now:', indent(lines(JSON.stringify(offered, null, 2)))] : []),
    ].join('\n'),
  )
}

export function launchText(launch: ServerLaunch): string {
  if (launch.kind === 'http')
    return columns([
      ['At', line(launch.url)],
      ['Secret', launch.secret ?? 'none'],
      ...(launch.oauth ? [['Signs in at', line(launch.oauth.provider)]] : []),
    ])
  const { tree, folders, hosts, secrets, data } = launch
  const text = (items: readonly string[]) => items.map(line).join(', ') || 'none'
  return columns([
    ...(launch.kind === 'plugin'
      ? [['Runs', line(`${launch.manifest.main}, version ${launch.manifest.version}`)]]
      : [
          ['Starts', line(launch.argv.join(' '))],
          ['Package', launch.package ? line(`${launch.package.name} ${launch.package.version}`) : 'none'],
          ['Variables', text(Object.keys(launch.environment))],
          ...(launch.sockets ? [['Sockets', 'between programs of its own']] : []),
        ]),
    ['Files', tree === null ? 'none' : `${tree.slice(0, 16)}…`],
    ['Folders', text(folders.map(({ path, write }) => `${path}${write ? ' (writes)' : ''}`))],
    ['Hosts', text(hosts.map(({ host, port }) => `${host}:${port}`))],
    ['Secrets', text(Object.entries(secrets).map(([variable, secret]) => `${secret} as ${variable}`))],
    ['Own files', data ? 'yes' : 'no'],
  ])
}

export const add: Handler = async (context, [name = '', ...words], options) =>
  changed(context, { name, words, options, isNew: true })

export const update: Handler = async (context, [name = '', ...words], options) =>
  changed(context, { name, words, options, isNew: false })

async function changed(
  context: Context,
  {
    name,
    words,
    options,
    isNew,
  }: {
    readonly name: string
    readonly words: readonly string[]
    readonly options: OptionValues
    readonly isNew: boolean
  },
): Promise<CommandAnswer> {
  const command = isNew ? 'extension add' : 'extension update'
  const { client } = await context.gateway()
  if (typeof options['plugin'] === 'string')
    return addPlugin(context, client, { name, place: options['plugin'], options, isNew })
  if (typeof options['server'] === 'string') return fetchSkill(context, client, { name, options, isNew })
  if (typeof options['skill'] === 'string')
    return addSkill(context, client, {
      name,
      place: placeOf(options['skill'], options),
      publisher: typeof options['publisher'] === 'string' ? options['publisher'] : undefined,
      isNew,
    })
  if (await skillNamed(client, name))
    return usage(`${line(name)} is a skill. Name its new files with --skill.`, command)
  const before = await serverNamed(client, name)
  if (before && kindOf(before) === 'plugin')
    return usage(`${line(name)} is a plugin. Name its new files with --plugin.`, command)
  if (isNew && before)
    return usage(
      `There is a server ${line(name)} already. Change it with \`countersign extension update ${line(name)}\`.`,
      command,
    )
  if (!isNew && !before) return missing(name, command)
  if (before?.pinned) return pinnedAnswer(name, command)
  const wish = await launchOf(context, words, options, before?.launch)
  if (typeof wish === 'string') return usage(wish, command)
  const args = { name, launch: wish.launch, from: wish.from, replaces: before?.launchHash ?? null }
  if (wish.from?.includes('countersign-extension-'))
    context.note(`Its files wait in ${line(wish.from)}; you can delete them when this is decided.`)
  return made(context, client, 'add_server', args)
}

export const look: Handler = async (context, [name = '']) => {
  const { client } = await context.gateway()
  const server = await serverNamed(client, name)
  if (!server) return missing(name, 'extension look')
  if (kindOf(server) === 'plugin') return heldToManifest(name, 'extension look')
  return made(context, client, 'look_at_server', { server: name, launch: server.launchHash })
}

/** A card that nobody reads to its end protects nobody, and a call has an end as well. */
const mostWords = 120_000

export const accept: Handler = async (context, [name = ''], options) => {
  const preset = presetOf(options)
  if (typeof preset === 'string') return usage(preset, 'extension accept')
  const { client } = await context.gateway()
  const server = await serverNamed(client, name)
  if (!server) return missing(name, 'extension accept')
  if (kindOf(server) === 'plugin') return heldToManifest(name, 'extension accept')
  const drop = listOf(options['drop'])
  const wished = new Map(listOf(options['tool']).map((text) => [text.replace(/=[0-4]$/, ''), tierIn(text)]))
  const known = new Map(server.tools.map((tool) => [tool.listed.name, tool]))
  const listed = new Map([
    ...server.tools.map((tool) => [tool.listed.name, tool.listed] as const),
    ...server.offered.map((tool) => [tool.name, tool] as const),
  ])
  const unknown = [...wished.keys()].find((each) => !listed.has(each))
  if (unknown !== undefined)
    return usage(
      `The server ${line(name)} offers no tool ${line(unknown)}. See what it offers with \`countersign extension look ${line(name)}\`.`,
      'extension accept',
    )
  const isAll = wished.size === 0 && drop.length === 0
  const chosen = isAll ? server.offered : [...wished.keys()].flatMap((each) => listed.get(each) ?? [])
  if (chosen.length + drop.length === 0)
    return usage(`The server ${line(name)} offers nothing that is not accepted.`, 'extension accept')
  const tools = chosen.map((tool) => {
    const before = known.get(tool.name)
    // What was decided before stays, where nothing else is said.
    const usual = before && !preset ? before : suggestedTool(tool, preset)
    const { tier, cases, undo } = usual
    const given = wished.get(tool.name)
    return {
      tool,
      tier: given ?? tier,
      cases: given === undefined ? cases : [],
      undo,
      before: before
        ? { tool: before.listed, tier: before.tier, cases: before.cases, undo: before.undo }
        : null,
    }
  })
  if (JSON.stringify(tools).length > mostWords)
    return usage(
      'These are more definitions than can be read on one card. Name some of them with --tool.',
      'extension accept',
    )
  return made(context, client, 'accept_server_tools', { server: name, tools, drop })
}

function tierIn(text: string): Tier | undefined {
  const [, tier] = /=([0-4])$/.exec(text) ?? []
  return tier === undefined ? undefined : (Number(tier) as Tier)
}

const turned =
  (paused: boolean): Handler =>
  async (context, [name = '']) => {
    const { client } = await context.gateway()
    return (await skillNamed(client, name))
      ? made(context, client, 'switch_skill', { name, enabled: !paused })
      : made(context, client, 'switch_server', { server: name, paused, ...(await pluginWord(client, name)) })
  }

export const pause = turned(true)
export const resume = turned(false)

export const remove: Handler = async (context, [name = ''], options) => {
  const { client } = await context.gateway()
  if (await meantProposal(client, name, options)) return removeProposal(context, client, name)
  if (options['waiting'] === true) return noneWaits(name, 'extension remove')
  return (await skillNamed(client, name))
    ? made(context, client, 'remove_skill', { name })
    : made(context, client, 'remove_server', { server: name, ...(await pluginWord(client, name)) })
}

/** What servers and plugins share is asked for with the word for it on the card. */
export async function pluginWord(client: Client, name: string): Promise<{ readonly plugin?: true }> {
  const server = await serverNamed(client, name)
  return server && kindOf(server) === 'plugin' ? { plugin: true } : {}
}

function heldToManifest(name: string, command: string): CommandAnswer {
  return usage(
    `${line(name)} is a plugin: its tools are those of its manifest. See them with \`countersign extension show ${line(name)}\`; update it for others.`,
    command,
  )
}

export function findingsOf(server: InstalledServer): string[] {
  const { launch, tools, offered, gone, paused } = server
  const low = tools.filter(({ tier, cases }) => Math.min(tier, ...cases.map((each) => each.tier)) < 2)
  const changedTools = offered.filter((tool) => tools.some(({ listed }) => listed.name === tool.name))
  const harm = low.filter(({ listed }) => listed.annotations['destructiveHint'] === true)
  const names = (items: readonly { readonly listed: ListedTool }[]) =>
    items.map(({ listed }) => listed.name).join(', ')
  return [
    ...(paused ? ['is paused'] : []),
    ...(changedTools.length > 0
      ? [`describes in other words: ${changedTools.map(({ name }) => name).join(', ')}`]
      : []),
    ...(gone.length > 0 ? [`offers no more: ${gone.join(', ')}`] : []),
    ...(low.length > 0 ? [`runs without asking: ${names(low)}`] : []),
    ...(harm.length > 0 ? [`calls itself destructive and runs without asking: ${names(harm)}`] : []),
    ...(launch.kind === 'http'
      ? [
          `is elsewhere, at ${launch.url}: what it does changes without a new version`,
          ...(launch.secret === null ? [] : [`is sent the secret ${launch.secret}`]),
        ]
      : [
          ...(launch.kind === 'plugin' ? findingsOfPlugin(server, launch) : []),
          ...(launch.tree === null ? ['has no pinned files: it is a program of this host'] : []),
          ...Object.entries(launch.secrets).map(
            ([variable, secret]) => `is given the secret ${secret} as ${variable}`,
          ),
          ...(launch.hosts.length > 0 ? [`reaches ${launch.hosts.map(({ host }) => host).join(', ')}`] : []),
          ...launch.folders.filter(({ write }) => write).map(({ path }) => `writes in ${path}`),
        ]),
  ]
}

export async function made(
  context: Context,
  client: Client,
  tool: string,
  args: object,
): Promise<CommandAnswer> {
  return settledDirectRun(context, client, await client.callTool(tool, JSON.stringify(args)))
}

export async function serverNamed(client: Client, name: string): Promise<InstalledServer | undefined> {
  return (await client.extensions()).servers.find((server) => server.name === name)
}

export function missing(name: string, command: string): CommandAnswer {
  return usage(
    `There is no server, plugin or skill ${line(name)}. See them with \`countersign extension list\`.`,
    command,
  )
}
