/**
 * Owns what the screen knows of every extension, whatever its kind: how it stands, what it may reach, what was used of it. A
 * new kind is a row in `kinds`, a function here, and a page.
 */
import {
  type ExtensionUse,
  extensionParts,
  type InstalledExtensions,
  type InstalledServer,
  type InstalledSkill,
  isStrayed,
  kindOf,
  type PartOfExtension,
  type ServerLaunch,
  type Tier,
} from '@countersign/contract'

export const kinds = ['server', 'plugin', 'skill'] as const
export type Kind = (typeof kinds)[number]

export const states = ['changed', 'untrue', 'unreviewed', 'unasked', 'noTools', 'on', 'paused'] as const
export type State = (typeof states)[number]

/** What it may use beside its own program and words. */
export interface Reach {
  readonly address: string | null
  readonly hosts: readonly string[]
  readonly folders: readonly { readonly path: string; readonly write: boolean }[]
  /** Names of secrets, with the variable in which a program finds each. */
  readonly secrets: readonly { readonly name: string; readonly as: string | null }[]
  readonly ownFiles: boolean
  /** Programs that it brings for the sandbox. */
  readonly scripts: readonly string[]
}

export interface ExtensionRow {
  readonly kind: Kind
  readonly name: string
  readonly state: State
  readonly isPaused: boolean
  readonly isPinned: boolean
  readonly from: string
  /** What stopped or has to be read: tools that changed or are gone, words that nobody reviewed. */
  readonly waiting: number
  /** Tools that it has besides, which were not accepted. */
  readonly more: number
  /** How many accepted tools there are of each tier. */
  readonly tiers: readonly (readonly [Tier, number])[]
  readonly reach: Reach
  readonly use: readonly PartOfExtension[]
}

const nothing: Reach = { address: null, hosts: [], folders: [], secrets: [], ownFiles: false, scripts: [] }

/** In the order of their names. Without `use` while it is not known yet. */
export function extensionRows(installed: InstalledExtensions, use: ExtensionUse | undefined): ExtensionRow[] {
  const parts = use === undefined ? [] : extensionParts(installed, use)
  const usedOf = (kind: Kind, name: string) =>
    parts.filter((part) => part.kind === kind && part.name === name)
  return [
    ...installed.servers.map((server) => serverRow(server, usedOf(kindOf(server), server.name))),
    ...installed.skills.map((skill) => skillRow(skill, usedOf('skill', skill.name))),
  ].toSorted((one, other) => one.name.localeCompare(other.name))
}

function serverRow(server: InstalledServer, use: readonly PartOfExtension[]): ExtensionRow {
  const { name, launch, tools, offered, gone, paused, pinned } = server
  const kind = kindOf(server)
  // What a plugin lists beside its manifest stops all of it, and nothing of that can be accepted.
  const changed = kind === 'plugin' ? Number(isStrayed(server)) : changedTools(server).length + gone.length
  return {
    kind,
    name,
    state: stateOf(server, changed),
    isPaused: paused,
    isPinned: pinned === true,
    from: launchOrigin(launch),
    waiting: changed,
    more: kind === 'plugin' ? 0 : offered.length + gone.length - changed,
    tiers: ([0, 1, 2, 3, 4] as const).flatMap((tier) => {
      const count = tools.filter((each) => each.tier === tier).length
      return count === 0 ? [] : [[tier, count] as const]
    }),
    reach: launchReach(launch),
    use,
  }
}

function stateOf(server: InstalledServer, changed: number): State {
  const { tools, paused, listedAt } = server
  if (paused) return 'paused'
  if (kindOf(server) === 'plugin') return changed > 0 ? 'untrue' : 'on'
  if (changed > 0) return 'changed'
  if (tools.length > 0) return 'on'
  return listedAt === null ? 'unasked' : 'noTools'
}

function skillRow(skill: InstalledSkill, use: readonly PartOfExtension[]): ExtensionRow {
  const { name, enabled, reviewed, pinned, source } = skill
  return {
    kind: 'skill',
    name,
    state: enabled ? (reviewed ? 'on' : 'unreviewed') : 'paused',
    isPaused: !enabled,
    isPinned: pinned === true,
    from: source,
    waiting: reviewed ? 0 : 1,
    more: 0,
    tiers: [],
    reach: skillReach(skill),
    use,
  }
}

/** Accepted, and described in other words since. */
export function changedTools({ tools, offered }: Pick<InstalledServer, 'tools' | 'offered'>) {
  return offered.flatMap((after) => {
    const before = tools.find(({ listed }) => listed.name === after.name)
    return before ? [{ before, after }] : []
  })
}

export function launchOrigin(launch: ServerLaunch): string {
  if (launch.kind === 'http') return launch.url
  if (launch.kind === 'plugin') return `${launch.manifest.version}, ${launch.source}`
  return launch.package ? `${launch.package.name} ${launch.package.version}` : launch.argv.join(' ')
}

export function launchReach(launch: ServerLaunch): Reach {
  if (launch.kind === 'http')
    return {
      ...nothing,
      address: launch.url,
      hosts: [new URL(launch.url).host],
      secrets: launch.secret === null ? [] : [{ name: launch.secret, as: null }],
    }
  return {
    ...nothing,
    hosts: launch.hosts.map(({ host, port }) => (port === 443 ? host : `${host}:${port}`)),
    folders: launch.folders,
    secrets: Object.entries(launch.secrets).map(([as, name]) => ({ name, as })),
    ownFiles: launch.data,
  }
}

export function skillReach({ files }: Pick<InstalledSkill, 'files'>): Reach {
  const scripts = files.filter(
    ({ path, executable }) => executable || /\.(?:py|sh|bash|js|mjs|cjs)$/i.test(path),
  )
  return { ...nothing, scripts: scripts.map(({ path }) => path) }
}
