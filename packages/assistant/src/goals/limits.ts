/**
 * Owns the limits of goals at the door: a call of work that is done for a goal passes only what that goal and every
 * goal above it let through. Read from the rows in the transaction of the decision, so that no limit is ever an old one.
 */
import {
  type BuiltInCollection,
  coversTool,
  Goal,
  type GoalLimits,
  goalQuietUntil,
  isInFolders,
  isProductCall,
  type Resource,
  tierName,
} from '@countersign/contract'
import type { CallInReview, CallMiddleware, RecordTransaction } from '@countersign/kernel'
import { qualifiedToolName } from '@countersign/tools'

/** More goals than this above each other are not made; whoever made them by hand gets nothing done. */
const longestPath = 16
const mostNamed = 12
const filesCollection: BuiltInCollection = 'files'

export interface LimitedGoal {
  readonly title: string
  readonly limits: GoalLimits
}

export type LimitedCall = Pick<CallInReview, 'tool' | 'run' | 'tier' | 'effects' | 'resources'>

export function goalLimits(): CallMiddleware {
  return {
    name: 'limits of goals',
    async before(unit, call) {
      const { goal } = call.run
      // What the product itself does, as an undo, is not the work of the goal.
      if (goal === null || isProductCall(call.tool)) return undefined
      const path = await pathOf(unit, goal)
      if (typeof path === 'string') return path
      for (const each of path) {
        const reason = refusalBy(each, call, unit.now)
        if (reason !== undefined) return reason
      }
      return undefined
    },
  }
}

/** Why the goal does not let the call through, in words for whoever made it. */
export function refusalBy({ title, limits }: LimitedGoal, call: LimitedCall, now: Date): string | undefined {
  const name = `The goal “${title}”`
  const { tool, tier, run } = call
  const called = nameOf(call)
  if (limits.tools && !isAlwaysThere(tool) && !coversTool(limits.tools, called, tool.group))
    return `${name} does not allow ${called}. Allowed: ${listed(limits.tools)}.`
  if (limits.tierMax !== undefined && tier > limits.tierMax)
    return `${name} allows up to “${tierName[limits.tierMax]}”, but this is “${tierName[tier]}”. Do it another way, or tell the operator what is needed.`
  const place =
    (limits.hosts && hostProblem(limits.hosts, call)) ??
    (limits.folders && folderProblem(limits.folders, call))
  if (place !== undefined) return `${name} ${place}`
  const quiet = run.unattended && limits.quietHours ? goalQuietUntil(limits.quietHours, now) : undefined
  if (quiet !== undefined)
    return `${name} is quiet until ${quiet} (${limits.quietHours?.zone ?? ''}): no unattended work runs until then. End here; it continues then.`
  return undefined
}

/** A tool of a server by the name by which it was chosen. */
function nameOf({ tool, resources }: LimitedCall): string {
  const accepted = resources.find((each) => each.type === 'server-tool')
  return accepted ? qualifiedToolName(accepted.server, accepted.tool) : tool.name
}

/** Asking the operator and looking for tools are open to all work. */
function isAlwaysThere({ runs, category }: CallInReview['tool']): boolean {
  return runs === 'operator' || category === 'meta'
}

function hostProblem(hosts: readonly string[], { resources, effects }: LimitedCall): string | undefined {
  const reached = resources.flatMap((each) => (each.type === 'url' ? [each.host] : []))
  const other = reached.find((host) => !hosts.includes(host.toLowerCase()))
  if (other !== undefined) return `does not allow the host ${other}. Allowed: ${listed(hosts)}.`
  if (resources.some(({ type }) => type === 'server-tool'))
    return `allows only the hosts ${listed(hosts)}, and a server may reach others.`
  const leaves = effects.some(({ verb, leaves }) => verb === 'fetch' || verb === 'send' || leaves.length > 0)
  if (leaves && reached.length === 0)
    return `allows only the hosts ${listed(hosts)}, and the host of this call is unknown.`
  return undefined
}

/** What of a call lies outside of the folders, in words that follow whoever sets them. */
export function folderProblem(
  folders: readonly string[],
  { resources }: Pick<LimitedCall, 'resources'>,
): string | undefined {
  const outside = resources.find((each) => isOutside(folders, each))
  if (!outside) return undefined
  const may = `Allowed folders: ${listed(folders)}.`
  if (outside.type === 'exec') return `does not allow a program that could leave its folders. ${may}`
  if (outside.type === 'record')
    return `does not allow a search of all files. ${may} Look in one of them with search_files.`
  if (outside.type === 'server-tool') return `does not allow a server that may have other folders. ${may}`
  return `does not allow ${outside.type === 'file' ? outside.path : 'this'}. ${may}`
}

function isOutside(folders: readonly string[], resource: Resource): boolean {
  if (folders.includes('.') && !(resource.type === 'file' && resource.root === 'host')) return false
  if (resource.type === 'file') return resource.root !== 'workspace' || !isInFolders(resource.path, folders)
  // A program sees the whole workspace, whichever folder it is started in, unless its arguments say all it does.
  if (resource.type === 'exec') return resource.uninspectable || !isInFolders(resource.cwd, folders)
  // Which files a server touches is not in the call.
  if (resource.type === 'server-tool') return true
  // What files say is found by meaning without naming one of them, wherever it lies.
  if (resource.type === 'record') return resource.collection === filesCollection
  return false
}

async function pathOf(unit: RecordTransaction, id: string): Promise<LimitedGoal[] | string> {
  const path: LimitedGoal[] = []
  let next: string | undefined = id
  while (next !== undefined) {
    const row: { data: unknown } | undefined = await unit.db
      .selectFrom('records')
      .select('data')
      .where('operator_id', '=', unit.operator)
      .where('collection', '=', 'goals')
      .where('id', '=', next)
      .executeTakeFirst()
    const goal = Goal.safeParse(row?.data)
    if (!goal.success || path.length >= longestPath)
      return `This work is done for the goal ${id}, and ${row ? `${next} cannot be read` : `${next} is no longer there`}, so its limits are not known. End here and tell the operator.`
    path.push(goal.data)
    next = goal.data.parentId
  }
  return path
}

function listed(names: readonly string[]): string {
  if (names.length === 0) return 'none'
  const more = names.length - mostNamed
  return `${names.slice(0, mostNamed).join(', ')}${more > 0 ? ` and ${more} more` : ''}`
}
