/**
 * Owns the part of `countersign extension` that is about plugins: finding their files, saying what they may do, and asking for
 * it. What the card shows is made here, and made again by the executor from the files themselves.
 */
import { stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import {
  askedHosts,
  definitionText,
  type InstalledServer,
  listedAs,
  type PluginLaunch,
  type PluginManifest,
  pluginFile,
  pluginRights,
  readPluginManifest,
  type Tier,
} from '@countersign/contract'
import type { Client } from '@countersign/contract/client'
import { rightsChanges } from '@countersign/contract/node'
import {
  filesInArchive,
  filesInFolder,
  longestChanges,
  type SkillFiles,
  skillChanges,
  skillReport,
  textIn,
  treeFilesOf,
} from '@countersign/contract/skills'
import type { Context, Handler, OptionValues } from '../context.ts'
import { type CommandAnswer, done } from '../output/answer.ts'
import { columns, indent } from '../output/columns.ts'
import { usage } from '../output/failure.ts'
import { line, lines } from '../output/safe-text.ts'
import { tierLabel } from '../output/tier.ts'
import { settledDirectRun } from './direct-run.ts'
import { listOf } from './extension-launch.ts'
import { pinnedAnswer } from './extension-pinned.ts'
import { filesKept, textOfFile, written } from './extension-skill.ts'

interface PluginWish {
  readonly name: string
  readonly place: string
  readonly options: OptionValues
  readonly isNew: boolean
}

export async function addPlugin(
  context: Context,
  client: Client,
  { name, place, options, isNew }: PluginWish,
): Promise<CommandAnswer> {
  const command = isNew ? 'extension add' : 'extension update'
  const before = await pluginNamed(client, name)
  if (isNew && before)
    return usage(
      `There is a plugin ${line(name)} already. Change it with \`countersign extension update ${line(name)} --plugin ${line(place)}\`.`,
      command,
    )
  if (!isNew && !before) return usage(`There is no plugin ${line(name)}. Add it first.`, command)
  if (before?.plugin.pinned) return pinnedAnswer(name, command)
  const wish = await wishAt(name, place, options, before)
  if (typeof wish === 'string') return usage(wish, command)
  const { files, folder, shown } = wish
  let replaces: object | null = null
  if (before) {
    const was = await filesKept(context, client, keptOf(before), files)
    if ('kind' in was) return was
    const changes = skillChanges(was, files)
    if (changes.length > longestChanges)
      return usage('More differs than can be read on one card. Remove the plugin and add it anew.', command)
    replaces = {
      launch: before.plugin.launchHash,
      rights: rightsChanges(before.plugin, rightsOf(wish)),
      changes,
    }
  }
  const from = folder ?? (await written(files, name))
  if (folder === undefined)
    context.note(`Its files wait in ${line(from)}; you can delete them when this is decided.`)
  return made(context, client, 'add_plugin', { name, ...shown, from, source: resolve(place), replaces })
}

/** What differs between the files of a plugin and those that are let in. Asks for nothing. */
export async function diffOfPlugin(
  context: Context,
  client: Client,
  plugin: InstalledServer,
  options: OptionValues,
): Promise<CommandAnswer> {
  const { launch, name } = plugin
  const place = options['plugin']
  if (typeof place !== 'string' || launch.kind !== 'plugin')
    return usage(`${line(name)} is a plugin. Name its other files with --plugin.`, 'extension diff')
  const before = { plugin, launch }
  const wish = await wishAt(name, place, options, before)
  if (typeof wish === 'string') return usage(wish, 'extension diff')
  const was = await filesKept(context, client, keptOf(before), wish.files)
  if ('kind' in was) return was
  const changes = skillChanges(was, wish.files)
  const rights = rightsChanges(before.plugin, rightsOf(wish))
  const { report } = wish.shown
  return done({ rights, changes, report }, () =>
    changes + rights === '' ? 'Nothing differs.' : lines([rights, changes, 'Report:', ...report].join('\n')),
  )
}

interface KnownPlugin {
  readonly plugin: InstalledServer
  readonly launch: PluginLaunch
}

async function pluginNamed(client: Client, name: string): Promise<KnownPlugin | undefined> {
  const plugin = (await client.extensions()).servers.find((server) => server.name === name)
  return plugin?.launch.kind === 'plugin' ? { plugin, launch: plugin.launch } : undefined
}

const keptOf = ({ plugin: { name }, launch: { files } }: KnownPlugin) =>
  ({ name, files, kind: 'plugin' }) as const

type Given = Pick<PluginLaunch, 'folders' | 'hosts' | 'secrets' | 'data'>

interface FoundPlugin {
  readonly files: SkillFiles
  /** Where they lie just as they are let in. */
  readonly folder: string | undefined
  readonly manifest: PluginManifest
  readonly shown: Given & {
    readonly text: string
    readonly report: readonly string[]
    readonly tiers: Readonly<Record<string, Tier>>
    readonly files: readonly object[]
  }
}

/** With what was given before where nothing else is said. A text says what is wrong. */
async function wishAt(
  name: string,
  place: string,
  options: OptionValues,
  before: KnownPlugin | undefined,
): Promise<FoundPlugin | string> {
  const found = await filesAt(place)
  if (typeof found === 'string') return found
  const { files, folder } = found
  const file = files.get(pluginFile)
  const text = file && textIn(file.bytes)
  if (text === undefined) return `There is no ${pluginFile} in ${line(place)}.`
  const read = readPluginManifest(text)
  if (read.kind === 'refused') return read.reason
  const { manifest } = read
  if (manifest.name !== name)
    return `It calls itself ${line(manifest.name)}. Let it in by that name, and not as ${line(name)}.`
  const given = givenOf(manifest, options, before)
  if (typeof given === 'string') return given
  const tiers = tiersOf(manifest, given, options, before)
  if (typeof tiers === 'string') return tiers
  const listed = treeFilesOf(files)
  return {
    files,
    folder,
    manifest,
    shown: { files: listed, text, report: skillReport(files), ...given, tiers },
  }
}

/** No part of a plugin, though it lies in the folder of its author. */
const leftOut = ['.git', 'node_modules']

async function filesAt(
  place: string,
): Promise<{ readonly files: SkillFiles; readonly folder: string | undefined } | string> {
  const path = resolve(place)
  const there = await stat(path).catch(() => undefined)
  if (!there)
    return /^(?:https?|git|ssh):|^git@/.test(place)
      ? 'A plugin comes from a folder or an archive of this computer. Fetch it first, and look at it.'
      : `There is nothing at ${line(place)}.`
  const found = there.isDirectory() ? await filesInFolder(path, leftOut) : await filesInArchive(path)
  if (found.kind === 'refused') return found.reason
  const isWhole = there.isDirectory() && found.leftOut !== true
  return { files: found.files, folder: isWhole ? path : undefined }
}

/** The hosts and the folder that it asks for, unless it is said otherwise; the secrets and folders that were named. */
function givenOf(
  manifest: PluginManifest,
  options: OptionValues,
  before: KnownPlugin | undefined,
): Given | string {
  const unfit = ['package', 'files', 'env', 'address', 'preset'].find((name) => options[name] !== undefined)
  if (unfit !== undefined) return `--${unfit} is for a server, and not for a plugin.`
  const hosts = hostsOf(manifest, options, before)
  const secrets = secretsOf(manifest, options, before)
  if (typeof secrets === 'string') return secrets
  const folders = listOf(options['folder']).map((text) => ({
    path: text.replace(/:write$/, ''),
    write: text.endsWith(':write'),
  }))
  return {
    hosts,
    secrets,
    folders: options['folder'] === undefined ? (before?.launch.folders ?? []) : folders,
    data: manifest.data,
  }
}

/** Of a plugin that is there, those that it was given before: an update takes back nothing that the operator kept from it. */
export function hostsOf(
  manifest: Pick<PluginManifest, 'hosts'>,
  options: OptionValues,
  before: { readonly launch: Pick<PluginLaunch, 'hosts'> } | undefined,
): Given['hosts'] {
  const asked = askedHosts(manifest)
  const named = listOf(options['host'])
  if (named.includes('none')) return []
  return asked.filter(({ host, port }) =>
    named.length > 0
      ? named.includes(host) || named.includes(`${host}:${port}`)
      : !before || before.launch.hosts.some((each) => each.host === host && each.port === port),
  )
}

function secretsOf(
  manifest: PluginManifest,
  options: OptionValues,
  before: KnownPlugin | undefined,
): Record<string, string> | string {
  const said = listOf(options['secret'])
  const bad = said.find((text) => !text.includes('='))
  if (bad !== undefined) return `--secret takes VARIABLE=secret, and not ${line(bad)}.`
  const given = said.map((text) => [text.split('=', 1)[0] ?? '', text.slice(text.indexOf('=') + 1)] as const)
  const other = given.find(([variable]) => !Object.hasOwn(manifest.secrets, variable))
  if (other) return `It does not ask for a secret as ${line(other[0])}.`
  const kept = Object.entries(before?.launch.secrets ?? {}).filter(([variable]) =>
    Object.hasOwn(manifest.secrets, variable),
  )
  return Object.fromEntries([...kept, ...given])
}

/** What its author says, and no less than asking a host where it may do that; what was decided before stays. */
export function tiersOf(
  { tools }: Pick<PluginManifest, 'tools'>,
  given: Given,
  options: OptionValues,
  before: { readonly plugin: Pick<InstalledServer, 'tools'>; readonly launch: Given } | undefined,
): Record<string, Tier> | string {
  const { hosts, folders } = given
  const least = folders.some(({ write }) => write) ? 3 : hosts.length > 0 ? 2 : 0
  const said = new Map(
    listOf(options['tool']).map((text) => [text.replace(/=[0-4]$/, ''), /=([0-4])$/.exec(text)?.[1]]),
  )
  // What was decided before held for what it could reach then, and for the tool as it was described.
  const stays = before !== undefined && !isWider(given, before.launch)
  const unknown = [...said].find(
    ([name, tier]) => tier === undefined || !tools.some((tool) => tool.name === name),
  )
  if (unknown) return `--tool takes NAME=TIER of a tool that it has, and not ${line(unknown[0])}.`
  return Object.fromEntries(
    tools.map((tool) => {
      const { name, tier } = tool
      const was = before?.plugin.tools.find(({ listed }) => listed.name === name)
      const chosen = said.get(name)
      if (chosen !== undefined) return [name, Number(chosen) as Tier]
      const isSame = was !== undefined && definitionText(was.listed) === definitionText(listedAs(tool))
      return [name, stays && isSame ? was.tier : (Math.max(was?.tier ?? 0, tier, least) as Tier)]
    }),
  )
}

/** Another host, folder or secret, or a folder that it may write in by now. */
function isWider(now: Given, before: Given): boolean {
  return (
    now.hosts.some(
      ({ host, port }) => !before.hosts.some((each) => each.host === host && each.port === port),
    ) ||
    now.folders.some(
      ({ path, write }) => !before.folders.some((each) => each.path === path && (each.write || !write)),
    ) ||
    Object.values(now.secrets).some((secret) => !Object.values(before.secrets).includes(secret))
  )
}

function rightsOf({ manifest, shown }: FoundPlugin): string {
  const tools = manifest.tools.map(({ name }) => ({ name, tier: shown.tiers[name] ?? 4 }))
  return pluginRights({ manifest, ...shown }, tools)
}

interface ShownPlugin extends KnownPlugin {
  readonly state: string
}

export async function showPlugin(
  context: Context,
  client: Client,
  { plugin, launch, state }: ShownPlugin,
  { file }: OptionValues,
): Promise<CommandAnswer> {
  const { name, tools, offered, gone, reviewed } = plugin
  if (typeof file === 'string') {
    const text = await textOfFile(context, client, keptOf({ plugin, launch }), file)
    return typeof text === 'string' ? done({ file, text }, () => lines(text)) : text
  }
  const { manifest, files, source } = launch
  const differs = [...offered.map((tool) => tool.name), ...gone]
  return done({ plugin }, () =>
    [
      `${context.paint('strong', line(name))}  ${state}`,
      indent(
        columns([
          ['Is for', line(manifest.description)],
          ['By', line(manifest.author)],
          ['From', line(source)],
        ]),
      ),
      '',
      context.paint('strong', 'May do'),
      indent(lines(pluginRights(launch, []))),
      '',
      context.paint('strong', 'Tools'),
      indent(
        columns(
          tools.map(({ listed, tier }) => [
            line(listed.name),
            tierLabel(tier, context.paint),
            line(listed.description.replaceAll(/\s+/g, ' ').slice(0, 90)),
          ]),
        ),
      ),
      ...(differs.length === 0
        ? []
        : ['', `It lists otherwise than its manifest: ${line(differs.join(', '))}. Update or remove it.`]),
      ...(manifest.sections.length === 0
        ? []
        : [
            '',
            reviewed
              ? 'Its words for the prompt are reviewed, and agents are told them.'
              : `Its words for the prompt are told to nobody. Read them with \`countersign extension review ${line(name)}\`.`,
          ]),
      '',
      `${files.length} files. Read one with \`countersign extension show ${line(name)} --file ${pluginFile}\`.`,
    ].join('\n'),
  )
}

export function findingsOfPlugin({ reviewed }: InstalledServer, { manifest }: PluginLaunch): string[] {
  const hasWords = manifest.sections.length > 0 && reviewed
  return hasWords ? ['has words in the prompt, which you reviewed'] : []
}

/** Of a plugin where it is one; undefined where it is none. */
export async function reviewPlugin(
  context: Context,
  client: Client,
  name: string,
): Promise<CommandAnswer | undefined> {
  const known = await pluginNamed(client, name)
  if (!known) return undefined
  const { sections } = known.launch.manifest
  if (sections.length === 0) return usage(`${line(name)} has no words for the prompt.`, 'extension review')
  return made(context, client, 'review_plugin', { plugin: name, launch: known.plugin.launchHash, sections })
}

export const review: Handler = async (context, args) => {
  const [name = ''] = args
  const { client } = await context.gateway()
  const { reviewProposal } = await import('./extension-proposal.ts')
  const answer = (await reviewPlugin(context, client, name)) ?? (await reviewProposal(context, client, name))
  return answer ?? (await import('./extension-skill.ts')).review(context, args, {})
}

async function made(context: Context, client: Client, tool: string, args: object): Promise<CommandAnswer> {
  return settledDirectRun(context, client, await client.callTool(tool, JSON.stringify(args)))
}
