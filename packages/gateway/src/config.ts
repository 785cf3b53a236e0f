/** Owns the settings of the gateway and is the only reader of its environment. Refuses what it does not know. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  type AutomaticMemory,
  type Autonomy,
  type CodingAgents,
  type ConversationSettings,
  CountersignError,
  ProviderKind,
  type RetentionDays,
} from '@countersign/contract'
import {
  type HomePaths,
  homePaths,
  readSettings,
  rememberedPort,
  usualPort,
} from '@countersign/contract/node'
import { ConfigFile, settingProblems } from '@countersign/contract/settings'
import type { IdentityStorage } from '@countersign/executor'
import { kinds } from '@countersign/models'
import { z } from 'zod'
import { isOwnDestination, providerAddressOf } from './model-settings/provider-address.ts'

export interface EnvironmentKey {
  readonly variable: string
  readonly value: string
}

const shortestToken = 16

export interface Config {
  readonly port: number
  /** False where nobody named the port: then the next free one will do. */
  readonly portNamed?: boolean
  /** Where the app is reached elsewhere than on this computer. */
  readonly publicOrigins: readonly string[]
  readonly trustedProxies: readonly string[]
  readonly autonomy: Autonomy
  /** The environment says it, so that a change here would be gone at the next start. */
  readonly autonomyFixed?: boolean
  readonly passkeyToolsFixed?: boolean
  readonly model: { provider: ProviderKind; model: string; url?: string; key?: string } | null
  /** Keys that lie in the environment, by the kind of provider they are for. */
  readonly environmentKeys: ReadonlyMap<ProviderKind, EnvironmentKey>
  readonly timeZone: string
  /** The environment says it. */
  readonly timeZoneFixed?: boolean
  readonly automaticMemory: AutomaticMemory
  readonly telemetry: {
    readonly traces: { readonly endpoint: string; readonly headers: Readonly<Record<string, string>> } | null
    /** Null where metrics are not served. */
    readonly metricsToken: string | null
  }
  readonly tools: { readonly enable: readonly string[]; readonly disable: readonly string[] }
  readonly passkeyTools: readonly string[]
  readonly rates: { readonly all: number; readonly tools: Readonly<Record<string, number>> }
  readonly retention: RetentionDays
  readonly conversations: ConversationSettings
  readonly sandbox: 'bubblewrap' | 'podman'
  readonly vaultKey?: IdentityStorage | undefined
  readonly localTargets: readonly { host: string; port: number }[]
  readonly codingAgents: CodingAgents
  /** How the keyring of the desktop is reached. */
  readonly bus: Readonly<Record<string, string>>
  /** What npm may see when it installs a part: where programs and its settings are, and how the network is reached. */
  readonly npm: Readonly<Record<string, string>>
  readonly databaseUrl: string | null
  readonly paths: HomePaths
}

export function readConfig(
  environment: NodeJS.ProcessEnv,
  flags: { port?: string; workspace?: string },
): Config {
  const paths = homePaths(
    { ...environment, ...(flags.workspace ? { COUNTERSIGN_WORKSPACE: flags.workspace } : {}) },
    process.platform,
  )
  const file = readSettings(paths.config)
  const wanted = {
    ...file,
    ...given('port', numberOf(flags.port ?? environment['COUNTERSIGN_PORT'])),
    ...given('publicOrigins', namesIn(environment['COUNTERSIGN_PUBLIC_ORIGINS'])),
    ...given('trustedProxies', namesIn(environment['COUNTERSIGN_TRUSTED_PROXIES'])),
    ...given('autonomy', environment['COUNTERSIGN_AUTONOMY']),
    ...given('model', modelOf(environment) ?? undefined),
    ...given('tools', toolsOf(environment['COUNTERSIGN_TOOLS'])),
    ...given('passkeyTools', namesIn(environment['COUNTERSIGN_PASSKEY_TOOLS'])),
    ...given('rates', ratesOf(environment['COUNTERSIGN_RATES'])),
    ...given('sandbox', environment['COUNTERSIGN_SANDBOX']),
    ...given('vaultKey', environment['COUNTERSIGN_VAULT_KEY']),
    ...given('localTargets', targetsOf(environment['COUNTERSIGN_LOCAL_TARGETS'])),
    ...given('timeZone', environment['COUNTERSIGN_TIME_ZONE']),
    ...given('telemetry', telemetryOf(environment, file)),
  }
  const merged = ConfigFile.safeParse(wanted)
  if (!merged.success) {
    throw new CountersignError(
      'config_invalid',
      `${paths.config} or the environment: ${settingProblems(wanted).join(' ')}`,
    )
  }
  const { model, memory, telemetry, timeZone, ...rest } = merged.data
  const environmentKeys = keysIn(environment)
  const metricsToken = environment['COUNTERSIGN_METRICS_TOKEN'] ?? ''
  if (telemetry.metrics && metricsToken.length < shortestToken) {
    throw new CountersignError(
      'config_invalid',
      `Metrics are on, but COUNTERSIGN_METRICS_TOKEN has fewer than ${shortestToken} characters.`,
    )
  }
  const portNamed = rest.port !== undefined
  return {
    ...rest,
    port: rest.port ?? rememberedPort(paths) ?? usualPort,
    portNamed,
    autonomyFixed: Boolean(environment['COUNTERSIGN_AUTONOMY']),
    passkeyToolsFixed: environment['COUNTERSIGN_PASSKEY_TOOLS'] !== undefined,
    environmentKeys,
    automaticMemory: memory.automatic,
    ...(environment['COUNTERSIGN_TIME_ZONE'] === undefined ? {} : { timeZoneFixed: true }),
    timeZone: timeZone ?? Intl.DateTimeFormat().resolvedOptions().timeZone,
    telemetry: {
      traces: telemetry.traces
        ? { ...telemetry.traces, headers: headersIn(environment['COUNTERSIGN_OTLP_HEADERS']) }
        : null,
      metricsToken: telemetry.metrics ? metricsToken : null,
    },
    model: model
      ? {
          provider: model.provider,
          model: model.model,
          ...reachedAt(
            model,
            environment['COUNTERSIGN_MODEL_KEY'] || undefined,
            environmentKeys.get(model.provider),
            paths.config,
          ),
        }
      : null,
    databaseUrl: environment['COUNTERSIGN_DATABASE_URL'] ?? null,
    bus: {
      ...given('DBUS_SESSION_BUS_ADDRESS', environment['DBUS_SESSION_BUS_ADDRESS']),
      ...given('XDG_RUNTIME_DIR', environment['XDG_RUNTIME_DIR']),
    },
    npm: Object.fromEntries(
      Object.entries(environment).flatMap(([name, value]) =>
        value !== undefined && npmSees.test(name) ? [[name, value]] : [],
      ),
    ),
    paths,
  }
}

/** The ones after `home` are how Windows says the same. */
const npmSees =
  /^(?:path|home|userprofile|appdata|localappdata|systemroot|comspec|pathext|temp|tmp|(?:https?|all|no)_proxy|node_extra_ca_certs|ssl_cert_(?:file|dir)|npm_config_.+)$/i

/**
 * The key of a kind belongs to the place where that kind is by itself. Anywhere else only the key that is given for
 * this model goes, and a server outside of the operator's own network needs one.
 */
function reachedAt(
  { provider, url }: { readonly provider: ProviderKind; readonly url?: string | undefined },
  own: string | undefined,
  ofKind: EnvironmentKey | undefined,
  file: string,
): { url?: string; key?: string } {
  const { baseUrl, title, key } = kinds[provider]
  const given = url ?? baseUrl
  if (given === null) return own === undefined ? {} : { key: own }
  const address = providerAddressOf(given)
  if (address.kind === 'refused')
    throw new CountersignError('config_invalid', `The address of the model is invalid. ${address.reason}`, {
      next: `${address.next} Set it in COUNTERSIGN_MODEL_URL, or as model.url in ${file}.`,
    })
  const isOwn = isOwnDestination(provider, address.destination)
  const value = own ?? (isOwn ? ofKind?.value : undefined)
  if (value === undefined && !isOwn && !address.near && key === 'needed')
    throw new CountersignError(
      'config_invalid',
      `The model is at ${address.url}, which is not ${title} itself, and there is no key for that address.`,
      {
        next: `Set COUNTERSIGN_MODEL_KEY to the key for that address.${ofKind ? ` ${ofKind.variable} goes to ${title} only.` : ''}`,
      },
    )
  return {
    ...(url === undefined ? {} : { url: address.url }),
    ...(value === undefined ? {} : { key: value }),
  }
}

/** The operator's rules: every .cedar file of the policy folder, by name. */
export function readPolicyFiles(paths: HomePaths): { name: string; text: string }[] {
  if (!existsSync(paths.policies)) return []
  return readdirSync(paths.policies)
    .filter((name) => name.endsWith('.cedar'))
    .toSorted()
    .map((name) => ({ name, text: readFileSync(join(paths.policies, name), 'utf8') }))
}

/** Names that are switched on, as in `git,browser`. */
function toolsOf(text: string | undefined) {
  const enable = namesIn(text)
  return enable === undefined ? undefined : { enable }
}

/** As in `all=120,execute_shell=20`. */
function ratesOf(text: string | undefined): unknown {
  if (text === undefined) return undefined
  const { all, ...tools } = Object.fromEntries(
    (namesIn(text) ?? []).map((pair): [string, number] => {
      const at = pair.lastIndexOf('=')
      return [pair.slice(0, at).trim(), Number(pair.slice(at + 1))]
    }),
  )
  return { ...given('all', all), tools }
}

function namesIn(text: string | undefined): string[] | undefined {
  return text
    ?.split(',')
    .map((name) => name.trim())
    .filter(Boolean)
}

function modelOf(environment: NodeJS.ProcessEnv) {
  const model = environment['COUNTERSIGN_MODEL']
  if (!model) return null
  return {
    provider: environment['COUNTERSIGN_MODEL_PROVIDER'] ?? 'openai-compatible',
    model,
    ...given('url', environment['COUNTERSIGN_MODEL_URL']),
  }
}

function keysIn(environment: NodeJS.ProcessEnv): ReadonlyMap<ProviderKind, EnvironmentKey> {
  const found = new Map<ProviderKind, EnvironmentKey>()
  for (const kind of ProviderKind.options) {
    const variable = kinds[kind].variables.find((name) => environment[name])
    if (variable) found.set(kind, { variable, value: environment[variable] ?? '' })
  }
  return found
}

/** The environment adds to what the file says. */
function telemetryOf(environment: NodeJS.ProcessEnv, file: Record<string, unknown>) {
  const endpoint = environment['COUNTERSIGN_OTLP_ENDPOINT']
  const written = z.record(z.string(), z.unknown()).catch({}).parse(file['telemetry'])
  return endpoint === undefined ? undefined : { ...written, traces: { endpoint } }
}

/** As in `authorization=Bearer x,tenant=y`. */
function headersIn(text = ''): Record<string, string> {
  return Object.fromEntries(
    text
      .split(',')
      .map((pair): [string, string] => [
        pair.slice(0, pair.indexOf('=')).trim(),
        pair.slice(pair.indexOf('=') + 1),
      ])
      .filter(([name]) => name !== ''),
  )
}

function targetsOf(text: string | undefined): unknown {
  return text?.split(',').map((target) => {
    const at = target.lastIndexOf(':')
    return { host: target.slice(0, at), port: Number(target.slice(at + 1)) }
  })
}

const numberOf = (text: string | undefined): number | undefined =>
  text === undefined ? undefined : Number(text)

function given<Key extends string, Value>(key: Key, value: Value | undefined): { [K in Key]?: Value } {
  return (value === undefined ? {} : { [key]: value }) as { [K in Key]?: Value }
}
