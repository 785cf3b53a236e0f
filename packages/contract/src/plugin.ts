/**
 * Owns what a plugin says of itself: a static file in its folder, read without running anything. What runs is held to it.
 * All words in it are those of its author.
 */
import { z } from 'zod'
import { holdsHiddenSignsWithin } from './display/hidden-signs.ts'
import {
  type ListedTool,
  longestToolDefinition,
  PluginHead,
  type PluginLaunch,
  type ServerHost,
} from './extension.ts'
import { parseStrict } from './json/strict.ts'
import type { JsonObject } from './json/value.ts'
import { type PluginChannel, pluginChannelKind } from './plugin-channel.ts'
import { Tier, tierName } from './trust.ts'

export const pluginFile = 'countersign.plugin.json'
/** In characters. */
export const longestPluginFile = 200_000
export const mostPluginTools = 50

const JsonRecord = z.record(z.string(), z.unknown()) as unknown as z.ZodType<JsonObject>

export const PluginTool = z.strictObject({
  name: z
    .string()
    .max(40)
    .regex(/^[a-z][a-z0-9]*(_[a-z0-9]+)*$/, 'lower case words with an underscore between two'),
  description: z.string().min(1).max(2_000),
  /** A JSON Schema of an object. */
  input: JsonRecord,
  /** What its author takes a call of it for. The operator decides what it counts for. */
  tier: Tier,
  /** Arguments with which it can be tried. */
  example: JsonRecord,
})
export type PluginTool = z.infer<typeof PluginTool>

/** `api.example.com`, or with `:port` where it is another one than 443. */
const AskedHost = z
  .string()
  .max(260)
  .regex(/^[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?(?::\d{1,5})?$/, 'a host in lower case, or host:port')

export const PluginManifest = z
  .strictObject({
    ...PluginHead.shape,
    hosts: z.array(AskedHost).max(20).default([]),
    tools: z.array(PluginTool).max(mostPluginTools).default([]),
  })
  .superRefine(({ tools, hosts, channel }, context) => {
    if (channel && hosts.length === 0) context.addIssue('a channel that asks for no host reaches no platform')
    const names = tools.map(({ name }) => name)
    if (new Set(names).size < names.length) context.addIssue('two tools have one name')
  })
export type PluginManifest = z.infer<typeof PluginManifest>

export function askedHosts({ hosts }: Pick<PluginManifest, 'hosts'>): ServerHost[] {
  return hosts.map((text) => {
    const [host = '', port = '443'] = text.split(':')
    return { host, port: Number(port) }
  })
}

/** What the running plugin has to list for a tool of its manifest, to the letter. */
export function listedAs({ name, description, input }: Omit<PluginTool, 'tier' | 'example'>): ListedTool {
  return { name, title: null, description, input, output: null, annotations: {} }
}

export function pluginHead(manifest: PluginManifest): PluginHead {
  const { hosts: _, tools: __, ...head } = manifest
  return head
}

export type ReadPluginManifest =
  | { readonly kind: 'manifest'; readonly manifest: PluginManifest }
  | { readonly kind: 'refused'; readonly reason: string }

/** Refuses what two readers could take differently, and what a reader would not see. */
export function readPluginManifest(text: string): ReadPluginManifest {
  const refused = (reason: string) => ({ kind: 'refused', reason: `${pluginFile}: ${reason}` }) as const
  if (text.length > longestPluginFile) return refused(`It has more than ${longestPluginFile} characters.`)
  const strict = parseStrict(text)
  if (strict.kind !== 'value')
    return refused(`It is no strict JSON (${strict.reason}, at character ${strict.position}).`)
  if (holdsHiddenSignsWithin(strict.value)) return refused('It contains an invisible character.')
  const parsed = PluginManifest.safeParse(strict.value)
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    const where = issue?.path.map(String).join('.') ?? ''
    return refused(`${where === '' ? '' : `${where}: `}${issue?.message ?? 'is not of the format'}.`)
  }
  const { data: manifest } = parsed
  const long = manifest.tools.find((tool) => JSON.stringify(listedAs(tool)).length > longestToolDefinition)
  if (long)
    return refused(`The definition of ${long.name} is longer than ${longestToolDefinition} characters.`)
  const shapeless = manifest.tools.find(({ input }) => input['type'] !== 'object')
  if (shapeless) return refused(`The input of ${shapeless.name} is no schema of an object.`)
  return { kind: 'manifest', manifest }
}

/** Whoever writes there is let in by the operator, and speaks through the code of the plugin. */
function channelRights(plugin: string, { title, secret, settings, proves }: PluginChannel): string[] {
  const fields = Object.keys(settings)
  return [
    `Is the channel ${pluginChannelKind(plugin)}, ${JSON.stringify(title)}, once you add one: it reads what is written and answered there, and can speak as whoever you let in there`,
    proves === 'sender' ? 'Says that its platform shows who wrote' : 'Cannot tell who wrote',
    ...(secret === null
      ? []
      : [`Is given one credential when you add the channel: ${JSON.stringify(secret)}`]),
    ...(fields.length === 0 ? [] : [`Takes the settings ${fields.join(', ')}`]),
  ]
}

type GivenRights = Pick<PluginLaunch, 'manifest' | 'folders' | 'hosts' | 'secrets' | 'data'>

/** What a plugin may do, a line for each right, so that two states of it can be compared line by line. */
export function pluginRights(
  { manifest, folders, hosts, secrets, data }: GivenRights,
  tools: readonly { readonly name: string; readonly tier: Tier }[],
): string {
  const { name: plugin, version, main, sections, channel } = manifest
  const each = <T>(items: readonly T[], say: (item: T) => string) => items.map(say)
  const lines = [
    `Version: ${version}`,
    `Runs: ${main}, loaded by our own runner in the sandbox`,
    ...each(folders, ({ path, write }) => `${write ? 'Reads and writes' : 'Reads'} the folder ${path}`),
    ...each(hosts, ({ host, port }) => `Reaches ${host}:${port}`),
    ...each(Object.entries(secrets), ([variable, secret]) => `Is given the secret ${secret}, as ${variable}`),
    ...(data ? ['Keeps files of its own, until it is removed'] : []),
    ...(channel ? channelRights(plugin, channel) : []),
    ...each(
      sections,
      ({ title }) => `Words for the prompt, once you have reviewed them: ${JSON.stringify(title)}`,
    ),
    ...each(tools, ({ name, tier }) => `Tool ${name}: “${tierName[tier]}” (T${tier})`),
  ]
  const reachesNothing = folders.length + hosts.length + Object.keys(secrets).length === 0 && !data
  return [...lines, ...(reachesNothing ? ['Reaches no host, no folder and no secret'] : [])].join('\n')
}
