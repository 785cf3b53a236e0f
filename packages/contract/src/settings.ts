/**
 * Owns the settings of the gateway as they stand in `config.json`: which there are, what each may be, and the words for
 * what is wrong. The gateway reads them with this, and the command line checks and changes them with it. Refuses what it
 * does not know, and says what was probably meant.
 */
import { z } from 'zod'
import { ProviderKind } from './api-models.ts'
import { CodingAgents } from './coding-agent.ts'
import { ConversationChoices } from './conversation-settings.ts'
import { AutomaticMemory } from './memory/memory.ts'
import { PublicOrigin } from './public-origin.ts'
import { usualRetention } from './retention.ts'
import { Autonomy } from './trust.ts'

const CallsPerMinute = z.int().min(1).max(1_000_000)
const usualCallsPerMinute = 60

const LocalTarget = z.strictObject({ host: z.string(), port: z.int().min(1).max(65535) })

const IpAddress = z.union([z.ipv4(), z.ipv6()], 'an address, such as 127.0.0.1')
const mostOrigins = 8

export const ConfigFile = z.strictObject({
  port: z.int().min(0).max(65535).optional(),
  /** Origins under which a proxy of the operator's serves the app elsewhere, such as `https://home.example.com`. */
  publicOrigins: z.array(PublicOrigin).max(mostOrigins).default([]),
  /** Addresses of proxies that are believed when they say from where a request came. */
  trustedProxies: z.array(IpAddress).max(mostOrigins).default([]),
  autonomy: Autonomy.default('medium'),
  model: z
    .strictObject({
      provider: ProviderKind,
      model: z.string().min(1),
      url: z.url().optional(),
    })
    .optional(),
  /** Where the operator's days begin, such as `Europe/Vienna`; the zone of this machine where nothing is said. */
  timeZone: z.string().refine(isZone, 'a time zone, such as Europe/Vienna').optional(),
  telemetry: z
    .strictObject({
      /** Spans of model and tool calls go here, by OTLP over HTTP, without their content. */
      traces: z.strictObject({ endpoint: z.url() }).optional(),
      /** Serves `/metrics` to whoever has the token. */
      metrics: z.boolean().default(false),
    })
    .default({ metrics: false }),
  /** Tools and groups that are on or off from the start; `countersign tool enable` stands above this. */
  tools: z
    .strictObject({ enable: z.array(z.string()).default([]), disable: z.array(z.string()).default([]) })
    .default({ enable: [], disable: [] }),
  /** Tools whose every call needs your passkey, such as `execute_shell`. */
  passkeyTools: z.array(z.string()).default([]),
  /** How often a person's runs call tools, in calls a minute. */
  rates: z
    .strictObject({
      /** All tools together. */
      all: CallsPerMinute.default(usualCallsPerMinute),
      /** In the place of a tool's own rate. */
      tools: z.record(z.string().regex(/^\w{1,100}$/), CallsPerMinute).default({}),
    })
    .default({ all: usualCallsPerMinute, tools: {} }),
  memory: z
    .strictObject({
      /** What is inferred from a conversation is dropped, shown to you first, or used at once. */
      automatic: AutomaticMemory.default('suggest'),
    })
    .default({ automatic: 'suggest' }),
  /** Days after which details of finished work are removed. Conversations, costs and the ledger are kept. */
  retention: z
    .strictObject({
      events: z.int().min(1).max(36_500).default(usualRetention.events),
      details: z.int().min(1).max(36_500).default(usualRetention.details),
      occurrences: z.int().min(30).max(36_500).default(usualRetention.occurrences),
    })
    .default(usualRetention),
  /** When a conversation ends by itself, and how much a prompt tells of those that ended. */
  conversations: ConversationChoices,
  /** Podman is the stronger wall and the slower one. */
  sandbox: z.enum(['bubblewrap', 'podman']).default('bubblewrap'),
  /** Where the key of the vault is kept; left out, the keyring if there is one, else a file. */
  vaultKey: z.enum(['keyring', 'file']).optional(),
  /** Targets on this machine or network that the operator lets tools reach, one by one. */
  localTargets: z.array(LocalTarget).default([]),
  /** Programs that speak the Agent Client Protocol, and the model service that each may reach. */
  codingAgents: CodingAgents.default({}),
})
export type ConfigFile = z.infer<typeof ConfigFile>

interface SettingRow {
  /** With dots, as in `retention.events`. */
  readonly name: string
  readonly about: string
  /** What stands above the file while it is set. */
  readonly variable?: string
}

export const settingRows: readonly SettingRow[] = [
  { name: 'port', about: 'where the gateway listens; 0 takes any free port', variable: 'COUNTERSIGN_PORT' },
  {
    name: 'publicOrigins',
    about: 'origins under which your proxy serves the app, such as https://home.example.com',
    variable: 'COUNTERSIGN_PUBLIC_ORIGINS',
  },
  {
    name: 'trustedProxies',
    about: 'addresses of proxies whose X-Forwarded headers are believed',
    variable: 'COUNTERSIGN_TRUSTED_PROXIES',
  },
  { name: 'timeZone', about: 'where your days begin', variable: 'COUNTERSIGN_TIME_ZONE' },
  { name: 'model.provider', about: 'kind of the provider', variable: 'COUNTERSIGN_MODEL_PROVIDER' },
  { name: 'model.model', about: 'name of the model', variable: 'COUNTERSIGN_MODEL' },
  { name: 'model.url', about: 'address of your own server', variable: 'COUNTERSIGN_MODEL_URL' },
  { name: 'rates.all', about: 'calls of all tools together in a minute', variable: 'COUNTERSIGN_RATES' },
  {
    name: 'rates.tools',
    about: 'calls of single tools in a minute, in the place of their own rates',
    variable: 'COUNTERSIGN_RATES',
  },
  { name: 'memory.automatic', about: 'off, suggest or on' },
  {
    name: 'conversations.silenceMinutes',
    about: 'minutes of silence after which a conversation ends, 10 to 240',
  },
  { name: 'conversations.summaries', about: 'summaries of earlier conversations in a prompt, 0 to 10' },
  { name: 'retention.events', about: 'days for which events are kept' },
  { name: 'retention.details', about: 'days for which details are kept' },
  { name: 'retention.occurrences', about: 'days for which the times of automations are kept' },
  { name: 'telemetry.metrics', about: 'serve /metrics: true or false' },
  {
    name: 'telemetry.traces.endpoint',
    about: 'where spans go, by OTLP over HTTP',
    variable: 'COUNTERSIGN_OTLP_ENDPOINT',
  },
  { name: 'vaultKey', about: 'keyring or file', variable: 'COUNTERSIGN_VAULT_KEY' },
  { name: 'sandbox', about: 'bubblewrap or podman', variable: 'COUNTERSIGN_SANDBOX' },
  {
    name: 'localTargets',
    about: 'places on this machine or network that tools may reach',
    variable: 'COUNTERSIGN_LOCAL_TARGETS',
  },
  { name: 'codingAgents', about: 'coding agents; see `countersign coding-agent`' },
  { name: 'autonomy', about: 'level of autonomy', variable: 'COUNTERSIGN_AUTONOMY' },
  {
    name: 'tools.enable',
    about: 'tools and groups that are on from the start',
    variable: 'COUNTERSIGN_TOOLS',
  },
  { name: 'tools.disable', about: 'tools and groups that are off from the start' },
  {
    name: 'passkeyTools',
    about: 'tools whose every call needs your passkey',
    variable: 'COUNTERSIGN_PASSKEY_TOOLS',
  },
]

/** A sentence for each thing that is wrong; none where the settings are right. */
export function settingProblems(value: unknown): string[] {
  const { error } = ConfigFile.safeParse(value)
  return (error?.issues ?? []).flatMap((issue) => {
    const place = issue.path.join('.')
    if (issue.code !== 'unrecognized_keys') return [`\`${place}\`: ${sentence(issue.message)}`]
    return issue.keys.map((key) => unknownSetting(place === '' ? key : `${place}.${key}`))
  })
}

export function unknownSetting(name: string): string {
  const meant = nearestSetting(name)
  return `\`${name}\` is not a setting.${meant === undefined ? '' : ` Did you mean \`${meant}\`?`}`
}

/** The setting, or the group of settings, that is at most two letters away. */
export function nearestSetting(name: string): string | undefined {
  const groups = settingRows.flatMap((row) => {
    const parts = row.name.split('.')
    return parts.map((_part, at) => parts.slice(0, at + 1).join('.'))
  })
  const ranked = [...new Set(groups)]
    .map((known) => ({ known, away: distance(name.toLowerCase(), known.toLowerCase()) }))
    .toSorted((left, right) => left.away - right.away)
  const [best] = ranked
  return best !== undefined && best.away <= farthest ? best.known : undefined
}

const farthest = 2

/** How many letters must be put in, taken out or changed. */
function distance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_value, at) => at)
  for (const [index, letter] of Array.from(from).entries()) {
    const next = [index + 1]
    for (let at = 1; at <= to.length; at += 1) {
      const change = (row[at - 1] ?? 0) + (letter === to[at - 1] ? 0 : 1)
      next.push(Math.min(change, (row[at] ?? 0) + 1, (next[at - 1] ?? 0) + 1))
    }
    row = next
  }
  return row[to.length] ?? 0
}

/** As people read it: without the validator's own opening. */
function sentence(message: string): string {
  const plain = message.replace(/^Invalid (?:input|option): /, '').replace(/\.$/, '')
  return `${plain.charAt(0).toUpperCase()}${plain.slice(1)}.`
}

function isZone(zone: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone !== ''
  } catch (error) {
    if (error instanceof RangeError) return false
    throw error
  }
}
