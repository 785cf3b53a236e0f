/** Owns how goals stand under each other. Pure. Refuses a circle, and a tree that nobody can look over. */

export interface GoalNode {
  readonly id: string
  readonly parentId: string | null
  /** It was paused and is not active again. */
  readonly held: boolean
}

export const deepestGoal = 8

/** From the goal itself up to the top. A parent that is gone ends the way. */
export function goalPath<Node extends GoalNode>(id: string, nodes: readonly Node[]): Node[] {
  const byId = new Map(nodes.map((node) => [node.id, node]))
  const path: Node[] = []
  for (let at = byId.get(id); at && !path.includes(at); at = byId.get(at.parentId ?? '')) path.push(at)
  return path
}

/** Everything below, not the goal itself. */
export function goalsUnder<Node extends GoalNode>(id: string, nodes: readonly Node[]): Node[] {
  const found: Node[] = []
  const seen = new Set([id])
  let level = [id]
  while (level.length > 0) {
    const next = nodes.filter(
      (node) => node.parentId !== null && level.includes(node.parentId) && !seen.has(node.id),
    )
    for (const node of next) seen.add(node.id)
    found.push(...next)
    level = next.map((node) => node.id)
  }
  return found
}

/** Why a goal cannot stand there, if it cannot. `id` is null for one that is new. */
export function goalParentProblem(
  id: string | null,
  parentId: string | null,
  nodes: readonly GoalNode[],
): string | undefined {
  if (parentId === null) return undefined
  if (!nodes.some((node) => node.id === parentId))
    return `There is no goal ${parentId} to be the parent. Look up its id in the list of goals.`
  const path = goalPath(parentId, nodes)
  if (id !== null && path.some((node) => node.id === id))
    return 'A goal cannot be its own parent, or a subgoal of one of its subgoals.'
  if (path.length + (id === null ? 1 : heightOf(id, nodes)) > deepestGoal)
    return `Goals can be at most ${deepestGoal} levels deep. Move it up, or make it a step.`
  return undefined
}

/** The goals on which nothing goes on: those that are held, and all below them. */
export function heldGoals(nodes: readonly GoalNode[]): ReadonlySet<string> {
  return new Set(nodes.filter(({ id }) => goalPath(id, nodes).some(({ held }) => held)).map(({ id }) => id))
}

/** What has to be held and let go so that the holds are right again. */
export function changedHolds(
  before: readonly GoalNode[],
  after: readonly GoalNode[],
): { readonly hold: readonly string[]; readonly release: readonly string[] } {
  const [was, is] = [heldGoals(before), heldGoals(after)]
  return { hold: [...is].filter((id) => !was.has(id)), release: [...was].filter((id) => !is.has(id)) }
}

/** The goal and the levels below it. */
function heightOf(id: string, nodes: readonly GoalNode[]): number {
  const top = goalPath(id, nodes).length
  return Math.max(1, ...goalsUnder(id, nodes).map((node) => goalPath(node.id, nodes).length - top + 1))
}
