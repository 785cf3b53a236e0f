/** Owns the fit between the executor's client, the nodes, and the port of the kernel. */
import type { ExecutorPort, Permit } from '@countersign/contract'
import type { AskForPermit, ExecutorClient, WorkForPermit } from '@countersign/executor'
import type { Nodes } from './nodes/nodes.ts'

/** Before a call takes a secret along, what another process may have changed about it is masked here too. */
export function executorPort(
  client: ExecutorClient,
  refreshSecrets: () => Promise<void>,
  work: WorkForPermit,
  ask: AskForPermit,
): ExecutorPort {
  const { executor, key } = client.ready()
  return {
    identity: { executor, key },
    async resolve(_operator, calls) {
      const resolved = await client.resolve(calls)
      return resolved.kind === 'resolved' ? resolved.replies : calls.map(() => undefined)
    },
    async execute(permits, signal, replied) {
      try {
        if (permits.some(({ subject }) => subject.secrets.length > 0)) await refreshSecrets()
      } catch (error) {
        const words = error instanceof Error ? error.message : String(error)
        const reason = `the secrets cannot be read: ${words}`
        return permits.forEach((_, index) => replied(index, { kind: 'refused', reason }))
      }
      await client.execute(permits, { signal, onReply: replied, work, ask })
    },
    setWorld: client.setWorld,
  }
}

/** One port for the executor of this computer and for those of nodes: each call goes to whoever runs its tool. */
export function withNodes(
  own: ExecutorPort,
  nodes: Pick<Nodes, 'calls' | 'setWorld'>,
  runsOnNode: (tool: string) => boolean,
): ExecutorPort {
  return {
    identity: own.identity,
    async resolve(operator, calls, asked) {
      const [here, there] = parted(calls, ({ tool }) => runsOnNode(tool))
      const [byOwn, byNodes] = await Promise.all([
        here.length === 0 ? [] : own.resolve(operator, here.map(valueOf), asked),
        there.length === 0 ? [] : nodes.calls.resolve(operator, there.map(valueOf)),
      ])
      const replies = new Map([
        ...here.map(({ index }, at) => [index, byOwn[at]] as const),
        ...there.map(({ index }, at) => [index, byNodes[at]] as const),
      ])
      return calls.map((_, index) => replies.get(index))
    },
    async execute(permits, signal, replied, sentBefore = () => false) {
      const groups = parted(permits, isForNode)
      await Promise.all(
        groups.map(async (theirs, at) => {
          const port = at === 0 ? own : nodes.calls
          const indexOf = (position: number) => theirs[position]?.index ?? position
          if (theirs.length === 0) return
          await port.execute(
            theirs.map(valueOf),
            signal,
            (position, reply) => replied(indexOf(position), reply),
            (position) => sentBefore(indexOf(position)),
          )
        }),
      )
    },
    setWorld(world) {
      own.setWorld(world)
      nodes.setWorld(world)
    },
  }
}

interface Placed<T> {
  readonly index: number
  readonly value: T
}

const valueOf = <T>({ value }: Placed<T>): T => value

function parted<T>(all: readonly T[], isThere: (value: T) => boolean): [Placed<T>[], Placed<T>[]] {
  const placed = all.map((value, index) => ({ index, value }))
  return [placed.filter(({ value }) => !isThere(value)), placed.filter(({ value }) => isThere(value))]
}

/** The kernel made it for the node that looked at the call; everything that it touches is there. */
function isForNode({ subject }: Permit): boolean {
  return subject.resources.some(({ type }) => type === 'node')
}
