/**
 * Owns the calls that nodes look at and run. What a node says counts for itself alone. A permit is sent until it is
 * answered, also over a new connection; the node runs it at most once however often it is sent. When the permit has
 * ended meanwhile it is refused if it was never sent, and unknown if it may have begun.
 */
import {
  canonicalText,
  type ExecuteReply,
  type ExecutorPort,
  type ExecutorReply,
  type JsonObject,
  type LookReply,
  type NodeCapability,
  type NodeId,
  type NodeResource,
  nodeArgument,
  type OperatorId,
  type Permit,
  parseStrict,
  permitLifetimeMs,
  type ResolveReply,
} from '@countersign/contract'
import { type BelievedNode, fingerprint } from '@countersign/contract/node'
import { forLook } from '@countersign/tools'
import { answerOf, lookOf } from './node-answers.ts'
import type { NodeLink, NodeWord } from './node-link.ts'

export interface NodeCallParts {
  /** Those that are believed now; rejects where nobody can say. */
  readonly believed: () => Promise<readonly BelievedNode[]>
  readonly linkOf: (node: NodeId) => NodeLink | undefined
  /** Whether nodes run this tool. */
  readonly runsOnNode: (tool: string) => boolean
  /** What the operator switched off here. */
  readonly off: (operator: OperatorId, node: NodeId) => Promise<readonly NodeCapability[]>
  /** Whether the alarm of the ledger stands. */
  readonly isAlarmed: (operator: OperatorId) => Promise<boolean>
  readonly clock: () => Date
  readonly onProblem: (problem: unknown) => void
  readonly limits?: Partial<Record<keyof typeof nodeCallLimits, number>>
}

export const nodeCallLimits = {
  /** How long a node may look at a call. */
  lookMs: 30_000,
  /** How long somebody who ran a call when its permit ended may take to come back. */
  graceMs: 60_000,
  /** So many looks of one node at once. */
  looks: 200,
} as const

export interface NodeCalls extends Pick<ExecutorPort, 'execute'> {
  resolve(operator: OperatorId, calls: readonly LookedCall[]): Promise<LookReply[]>
  /** The node said what it can do: what waits for it is sent. */
  opened(link: NodeLink): void
  /** Whether it was waited for. */
  take(link: NodeLink, word: Extract<NodeWord, { type: 'resolved' | 'executed' }>): boolean
  closed(link: NodeLink): void
  /** The node was revoked: nobody waits for it any more. */
  forget(node: NodeId): void
  /** Calls that a node runs now. */
  busy(node: NodeId): number
  /** Nobody is waited for any more. What was not answered is sent again by the next life. */
  close(): void
}

export interface LookedCall {
  readonly tool: string
  readonly args: string
}

/** A look that waits for its answer. */
interface Look {
  readonly link: NodeLink
  readonly end: (replies: readonly ResolveReply[] | undefined) => void
}

/** A permit that waits for its answer. */
interface Waiting {
  readonly id: number
  readonly permit: Permit
  readonly node: NodeId
  /** Where it was sent last, while that connection lives. */
  link: NodeLink | undefined
  /** It was sent, here or by an earlier life. */
  mayHaveBegun: boolean
  stopped: boolean
  timer: NodeJS.Timeout | undefined
  readonly reply: (reply: ExecutorReply) => void
}

export function createNodeCalls(parts: NodeCallParts): NodeCalls {
  const { lookMs, graceMs, looks: mostLooks } = { ...nodeCallLimits, ...parts.limits }
  const looks = new Map<number, Look>()
  const waiting = new Map<number, Waiting>()
  let lastId = 0
  let closing = false

  /** What the node says of each call, or nothing where it went away or took too long. */
  function look(link: NodeLink, calls: readonly LookedCall[]): Promise<readonly ResolveReply[] | undefined> {
    if ([...looks.values()].filter((each) => each.link === link).length >= mostLooks)
      return Promise.resolve(undefined)
    lastId += 1
    const id = lastId
    return new Promise((resolve) => {
      const timer = setTimeout(() => end(undefined), lookMs)
      const end = (replies: readonly ResolveReply[] | undefined) => {
        clearTimeout(timer)
        looks.delete(id)
        resolve(replies?.length === calls.length ? replies : undefined)
      }
      looks.set(id, { link, end })
      if (link.send({ type: 'resolve', id, calls: calls.map(told) }) !== 'sent') end(undefined)
    })
  }

  async function lookOn(
    operator: OperatorId,
    name: string,
    calls: readonly LookedCall[],
  ): Promise<readonly LookReply[]> {
    const all = (reply: ResolveReply) => calls.map(() => reply)
    const nodes = await parts.believed()
    const node = nodes.find((each) => each.name === name)
    if (!node) return all(nobodyCalled(name, nodes))
    const link = parts.linkOf(node.id)
    if (!link) return all(notHere(name))
    const replies = await look(link, calls)
    if (!replies) return all(wentAway(name))
    const off = await parts.off(operator, node.id)
    return replies.map((reply, index) => judged(lookOf(reply, calls[index] ?? nothing, node.name), node, off))
  }

  function settle(one: Waiting, reply: ExecutorReply): void {
    if (!waiting.delete(one.id)) return
    clearTimeout(one.timer)
    one.reply(reply)
  }

  function heard(reply: ExecuteReply, permit: Permit): ExecutorReply {
    const [first] = permit.subject.resources
    return answerOf(reply, permit, {
      now: parts.clock(),
      isOwnUndo: ({ tool, args }) =>
        first?.type === 'node' && nameIn(args) === first.name && parts.runsOnNode(tool),
    })
  }

  /** Nothing is known of its end; where it was never sent, there was none. */
  function giveUp(one: Waiting, why: string): void {
    if (!one.mayHaveBegun) return settle(one, { kind: 'refused', reason: why })
    const reason = `The other computer did not come back to say how it ended: ${why}.`
    settle(one, { kind: 'unknown', startedAt: parts.clock().toISOString(), reason })
  }

  function send(one: Waiting, link: NodeLink): void {
    const went = link.send({ type: 'execute', id: one.id, permits: [one.permit] })
    if (went === 'too large') return giveUp(one, 'the call is too large to be sent to another computer')
    if (went === 'closed') return
    one.link = link
    one.mayHaveBegun = true
    if (one.stopped) link.send({ type: 'cancel', nonces: [one.permit.subject.nonce] })
  }

  /** The time of the permit is over. Who runs it now is waited for; who is away has a moment to come back. */
  function ended(one: Waiting): void {
    if (one.link) return
    if (!one.mayHaveBegun) return giveUp(one, 'it was not connected while the permit was good')
    one.timer = setTimeout(() => giveUp(one, 'it was not connected when the permit ended'), graceMs)
  }

  function endOf({ subject, seal }: Permit): number {
    return Math.min(Date.parse(seal.decidedAt) + permitLifetimeMs, Date.parse(subject.notAfter))
  }

  function armEnd(one: Waiting): void {
    clearTimeout(one.timer)
    const left = Math.max(0, endOf(one.permit) - parts.clock().getTime())
    one.timer = setTimeout(() => ended(one), left)
  }

  /** Sends it where that is still meant, or has it wait for its node. Each connection is sent it once. */
  async function proceed(one: Waiting): Promise<void> {
    const problem = await refusalOf(one)
    if (closing || one.link || !waiting.has(one.id)) return
    if (problem !== undefined) return giveUp(one, problem)
    if (one.stopped && !one.mayHaveBegun) return giveUp(one, 'it was stopped before it was sent')
    const link = parts.linkOf(one.node)
    if (link) send(one, link)
    if (waiting.has(one.id)) armEnd(one)
  }

  function goOn(one: Waiting): void {
    proceed(one).catch((problem: unknown) => {
      parts.onProblem(problem)
      giveUp(one, 'nobody could say whether the other computer is known')
    })
  }

  /** It may have been revoked, renamed or limited since the permit was made. */
  async function refusalOf({ permit: { subject }, mayHaveBegun }: Waiting): Promise<string | undefined> {
    const { executor, key } = subject.audience
    const nodes = await parts.believed()
    const node = nodes.find((each) => each.executor === executor && fingerprint(each.key) === key)
    if (!node) return 'the other computer is not known any more'
    if (!subject.resources.every((each) => each.type === 'node' && isOf(node, each)))
      return 'what it touches is not on the computer that it was made for'
    const off = await parts.off(subject.operator, node.id)
    const closed = subject.resources.find((each) => each.type === 'node' && off.includes(each.capability))
    if (closed?.type === 'node') return offText(node.name, closed.capability)
    // It was let go before the alarm, and has waited for its computer since.
    const isStopped = !mayHaveBegun && subject.tier > 0 && (await parts.isAlarmed(subject.operator))
    return isStopped ? 'the alarm of the ledger stands' : undefined
  }

  return {
    async resolve(operator, calls) {
      const replies: LookReply[] = calls.map(() => ({ kind: 'invalid', reason: unnamed }))
      const byName = Map.groupBy(calls.keys(), (index) => nameIn(calls[index]?.args ?? ''))
      await Promise.all(
        [...byName].map(async ([name, indexes]) => {
          if (name === undefined) return
          const theirs = indexes.flatMap((index) => calls[index] ?? [])
          const found = await lookOn(operator, name, theirs)
          for (const [at, index] of indexes.entries()) replies[index] = found[at] ?? wentAway(name)
        }),
      )
      return replies
    },
    async execute(permits, signal, replied, sentBefore = () => false) {
      await Promise.all(
        permits.map((permit, index) => {
          const done = Promise.withResolvers<void>()
          lastId += 1
          const one: Waiting = {
            id: lastId,
            permit,
            node: nodeOf(permit),
            link: undefined,
            mayHaveBegun: sentBefore(index),
            stopped: signal.aborted,
            timer: undefined,
            reply(reply) {
              signal.removeEventListener('abort', stop)
              replied(index, reply)
              done.resolve()
            },
          }
          const stop = () => {
            one.stopped = true
            if (one.link) one.link.send({ type: 'cancel', nonces: [permit.subject.nonce] })
            else if (!one.mayHaveBegun) giveUp(one, 'it was stopped before it was sent')
          }
          waiting.set(one.id, one)
          signal.addEventListener('abort', stop, { once: true })
          goOn(one)
          return done.promise
        }),
      )
    },
    opened(link) {
      for (const one of waiting.values()) if (one.node === link.node) goOn(one)
    },
    take(link, word) {
      if (word.type === 'resolved') {
        const found = looks.get(word.id)
        if (found?.link !== link) return false
        found.end(word.replies)
        return true
      }
      const one = waiting.get(word.id)
      if (one?.node !== link.node || word.index !== 0 || !one.mayHaveBegun) return false
      settle(one, heard(word.reply, one.permit))
      return true
    },
    closed(link) {
      for (const each of looks.values()) if (each.link === link) each.end(undefined)
      for (const one of waiting.values()) {
        if (one.link !== link) continue
        one.link = undefined
        armEnd(one)
      }
    },
    forget(node) {
      for (const one of waiting.values()) if (one.node === node) giveUp(one, 'the other computer was revoked')
    },
    busy: (node) => [...waiting.values()].filter((one) => one.node === node && one.link).length,
    close() {
      closing = true
      for (const { timer } of waiting.values()) clearTimeout(timer)
      for (const { end } of looks.values()) end(undefined)
    },
  }
}

/** It has not been approved yet, so the other computer is told no more than it needs for the look. */
function told({ tool, args }: LookedCall): LookedCall {
  const { value } = parseStrict(args) as { readonly value?: unknown }
  const isPlain = typeof value === 'object' && value !== null && !Array.isArray(value)
  return isPlain ? { tool, args: canonicalText(forLook(tool, value as JsonObject)) } : { tool, args: '{}' }
}

const nothing = { args: '' }
const unnamed = `The call does not name another computer in \`${nodeArgument}\`.`

/** The name in the arguments; the kernel compares it with who answered. */
function nameIn(args: string): string | undefined {
  const strict = parseStrict(args)
  if (strict.kind === 'refused' || typeof strict.value !== 'object' || strict.value === null) return undefined
  const named: unknown = Reflect.get(strict.value, nodeArgument)
  return typeof named === 'string' ? named : undefined
}

/** The kernel made the permit for a node that is the same in all that it touches. */
function nodeOf({ subject }: Permit): NodeId {
  const [first] = subject.resources
  if (first?.type !== 'node') throw new TypeError(`${subject.tool.name} is not for a node`)
  return first.node
}

function isOf(node: BelievedNode, resource: NodeResource): boolean {
  return (
    resource.node === node.id &&
    resource.executor === node.executor &&
    resource.key === fingerprint(node.key) &&
    resource.name === node.name
  )
}

/** Whoever speaks for another computer is not heard, and nothing that the operator switched off is asked about. */
function judged(reply: LookReply, node: BelievedNode, off: readonly NodeCapability[]): LookReply {
  if (reply.kind !== 'resolved') return reply
  const { resources } = reply.resolution
  const own = resources.flatMap((each) => (each.type === 'node' && isOf(node, each) ? [each] : []))
  if (own.length === 0 || own.length < resources.length)
    return { kind: 'invalid', reason: `${node.name} spoke for something that is not its own.` }
  const closed = own.find(({ capability }) => off.includes(capability))
  if (!closed) return reply
  return {
    kind: 'unavailable',
    reason: `${offText(node.name, closed.capability)}.`,
    fix: `The operator can allow it with \`countersign node limit\`.`,
  }
}

function offText(name: string, capability: NodeCapability): string {
  return `the operator switched ${capability} off for ${name}`
}

function nobodyCalled(name: string, nodes: readonly BelievedNode[]): ResolveReply {
  const known =
    nodes.length === 0 ? 'None is paired.' : `Known: ${nodes.map((each) => each.name).join(', ')}.`
  return { kind: 'invalid', reason: `There is no other computer called ${name}. ${known}` }
}

function notHere(name: string): ResolveReply {
  return {
    kind: 'unavailable',
    reason: `${name} is not connected here.`,
    fix: 'It connects when `countersign node run` runs there.',
  }
}

function wentAway(name: string): ResolveReply {
  return {
    kind: 'unavailable',
    reason: `${name} went away, or took too long to look at the call.`,
    fix: 'Try again when it is connected.',
  }
}
