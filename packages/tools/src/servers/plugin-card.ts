/**
 * Owns what a card shows of a plugin, and whether that is the plugin: its manifest, its files, what it is given of what it
 * asks for, and what would change. Refuses more than it asks for.
 */
import {
  askedHosts,
  type PluginLaunch,
  type PluginManifest,
  pluginFile,
  pluginHead,
  pluginRights,
  readPluginManifest,
  type ServerHost,
  type Tier,
} from '@countersign/contract'
import { sha256Hex, treeHash, treeProblem } from '@countersign/contract/node'
import { skillLimits } from '@countersign/contract/skills'
import { barred } from '../extensions/strangers-words.ts'
import { type ShownSkill, skillCard } from '../skills/skill-card.ts'
import { sameName } from './server-tool.ts'

export interface ShownPlugin
  extends ShownSkill,
    Pick<PluginLaunch, 'folders' | 'hosts' | 'secrets' | 'data'> {
  readonly name: string
  readonly source: string
  readonly tiers: Readonly<Record<string, Tier>>
}

/** The manifest, or why these files are no such plugin. */
export function manifestOf(shown: ShownPlugin): PluginManifest | string {
  const { name, files, text } = shown
  const file = files.find(({ path }) => path === pluginFile)
  if (!file) return `There is no ${pluginFile} in it.`
  if (file.sha256 !== sha256Hex(text)) return `The text of ${pluginFile} is not the one that its hash says.`
  const problem = treeProblem(files, skillLimits)
  if (problem !== undefined) return problem
  const read = readPluginManifest(text)
  if (read.kind === 'refused') return read.reason
  const { manifest } = read
  if (manifest.name !== name) return `It calls itself ${manifest.name}, and is to be let in as ${name}.`
  if (!files.some(({ path }) => path === manifest.main)) return `There is no file ${manifest.main} in it.`
  return rightsProblem(shown, manifest) ?? manifest
}

function rightsProblem(
  { name, hosts, secrets, data, tiers }: ShownPlugin,
  manifest: PluginManifest,
): string | undefined {
  const asked = askedHosts(manifest)
  const isAsked = (wanted: ServerHost) =>
    asked.some(({ host, port }) => host === wanted.host && port === wanted.port)
  const host = hosts.find((each) => !isAsked(each))
  if (host) return `It does not ask for the host ${host.host}:${host.port}.`
  const variable = Object.keys(secrets).find((each) => !Object.hasOwn(manifest.secrets, each))
  if (variable !== undefined) return `It does not ask for a secret as ${variable}.`
  if (Object.keys(secrets).length > 0 && hosts.length === 0)
    return 'A plugin without a host has nowhere to use a secret.'
  if (data && !manifest.data) return 'It does not ask for a folder of its own.'
  const names = manifest.tools.map((tool) => tool.name)
  if (Object.keys(tiers).toSorted().join() !== names.toSorted().join())
    return 'Not each of its tools has a tier, or a tool is named that it has not.'
  const same = sameName(name, names)
  return same && `Its tools ${same[0]} and ${same[1]} would have one name here.`
}

export function launchOfPlugin(shown: ShownPlugin, manifest: PluginManifest): PluginLaunch {
  const { files, source, folders, hosts, secrets, data } = shown
  return {
    kind: 'plugin',
    manifest: pluginHead(manifest),
    tree: treeHash(files),
    files: [...files],
    source,
    folders,
    hosts,
    secrets,
    data,
  }
}

export function shownRights(shown: ShownPlugin, manifest: PluginManifest): string {
  return pluginRights(
    launchOfPlugin(shown, manifest),
    manifest.tools.map(({ name }) => ({ name, tier: shown.tiers[name] ?? 4 })),
  )
}

interface Replaced {
  readonly rights: string
  readonly changes: string
}

/** What comes from the plugin stands behind a bar, so that none of it can pass for what we say of it. */
export function pluginCard(shown: ShownPlugin, replaces: Replaced | null): string {
  const manifest = manifestOf(shown)
  // A card of what is refused is never shown; it only has to be the same each time.
  if (typeof manifest === 'string') return manifest
  const { author, description } = manifest
  return [
    'What it is for, in its own words:',
    barred(`${description}\nBy ${author}`),
    'What it may do:',
    shownRights(shown, manifest),
    ...notGiven(shown, manifest),
    ...(replaces === null
      ? []
      : replaces.rights === ''
        ? ['It may do just what it may do now.']
        : ['What it may do changes:', replaces.rights]),
    skillCard(shown, { source: shown.source, changes: replaces?.changes ?? null, file: pluginFile }),
  ].join('\n')
}

function notGiven({ hosts, secrets, data }: ShownPlugin, manifest: PluginManifest): string[] {
  const left = [
    ...askedHosts(manifest).flatMap(({ host, port }) =>
      hosts.some((each) => each.host === host && each.port === port) ? [] : [`the host ${host}:${port}`],
    ),
    ...Object.entries(manifest.secrets).flatMap(([variable, about]) =>
      Object.hasOwn(secrets, variable) ? [] : [`a secret as ${variable}: ${about}`],
    ),
    ...(manifest.data && !data ? ['a folder of its own'] : []),
  ]
  return left.length === 0 ? [] : ['What it asks for and is not given:', barred(left.join('\n'))]
}
