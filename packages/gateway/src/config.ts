/** Owns the settings of the gateway and is the only reader of its environment. Refuses what it does not know. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Autonomy, CountersignError } from '@countersign/contract'
import { type HomePaths, homePaths } from '@countersign/contract/node'
import { IdentityPlace } from '@countersign/executor'
import { z } from 'zod'

const LocalTarget = z.strictObject({ host: z.string(), port: z.int().min(1).max(65535) })

export const ConfigFile = z.strictObject({
  port: z.int().min(0).max(65535).default(7347),
  autonomy: Autonomy.default('medium'),
  model: z
    .strictObject({
      provider: z.enum(['openai', 'anthropic', 'openai-compatible']),
      model: z.string().min(1),
      url: z.url().optional(),
    })
    .optional(),
  /** Tools and groups that are on or off from the start; `countersign tool enable` stands above this. */
  tools: z
    .strictObject({ enable: z.array(z.string()).default([]), disable: z.array(z.string()).default([]) })
    .default({ enable: [], disable: [] }),
  /** Podman is the stronger wall and the slower one. */
  sandbox: z.enum(['bubblewrap', 'podman']).default('bubblewrap'),
  /** Where the key of the vault is kept; left out, the keyring if there is one, else a file. */
  vaultKey: IdentityPlace.optional(),
  /** Targets on this machine or network that the operator lets tools reach, one by one. */
  localTargets: z.array(LocalTarget).default([]),
})

export interface Config {
  readonly port: number
  readonly autonomy: Autonomy
  readonly model: {
    provider: 'openai' | 'anthropic' | 'openai-compatible'
    model: string
    url?: string
    key?: string
  } | null
  readonly tools: { readonly enable: readonly string[]; readonly disable: readonly string[] }
  readonly sandbox: 'bubblewrap' | 'podman'
  readonly vaultKey?: IdentityPlace | undefined
  readonly localTargets: readonly { host: string; port: number }[]
  /** How the keyring of the desktop is reached. */
  readonly bus: Readonly<Record<string, string>>
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
  const file = readFile(paths.config)
  const merged = ConfigFile.safeParse({
    ...file,
    ...given('port', numberOf(flags.port ?? environment['COUNTERSIGN_PORT'])),
    ...given('autonomy', environment['COUNTERSIGN_AUTONOMY']),
    ...given('model', modelOf(environment) ?? undefined),
    ...given('tools', toolsOf(environment['COUNTERSIGN_TOOLS'])),
    ...given('sandbox', environment['COUNTERSIGN_SANDBOX']),
    ...given('vaultKey', environment['COUNTERSIGN_VAULT_KEY']),
    ...given('localTargets', targetsOf(environment['COUNTERSIGN_LOCAL_TARGETS'])),
  })
  if (!merged.success) {
    throw new CountersignError(
      'config_invalid',
      `${paths.config} or the environment: ${z.prettifyError(merged.error)}`,
    )
  }
  const { model, ...rest } = merged.data
  const key =
    environment['COUNTERSIGN_MODEL_KEY'] ?? (model ? keyFromProvider(environment, model.provider) : undefined)
  return {
    ...rest,
    model: model
      ? { provider: model.provider, model: model.model, ...given('url', model.url), ...given('key', key) }
      : null,
    databaseUrl: environment['COUNTERSIGN_DATABASE_URL'] ?? null,
    bus: {
      ...given('DBUS_SESSION_BUS_ADDRESS', environment['DBUS_SESSION_BUS_ADDRESS']),
      ...given('XDG_RUNTIME_DIR', environment['XDG_RUNTIME_DIR']),
    },
    paths,
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

function readFile(path: string): Record<string, unknown> {
  if (!existsSync(path)) return {}
  try {
    return z.record(z.string(), z.unknown()).parse(JSON.parse(readFileSync(path, 'utf8')))
  } catch (cause) {
    throw new CountersignError('config_invalid', `${path} is not a JSON object.`, { cause })
  }
}

/** Names that are switched on, as in `git,browser`. */
function toolsOf(text: string | undefined) {
  return text === undefined
    ? undefined
    : {
        enable: text
          .split(',')
          .map((name) => name.trim())
          .filter(Boolean),
      }
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

function keyFromProvider(environment: NodeJS.ProcessEnv, provider: string): string | undefined {
  if (provider === 'anthropic') return environment['ANTHROPIC_API_KEY']
  return environment['OPENAI_API_KEY']
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
