/**
 * Owns the operator's nodes as this gateway sees them: who is believed, who is connected, what each said of itself, and
 * what the operator switched off here. It can let nobody in; only what the host's own device signed does.
 */
import {
  CountersignError,
  type ExecutorPort,
  type GatewayToNodeFrame,
  type LimitNode,
  type NodeAdvert,
  type NodeId,
  type NodeList,
  type NodePairingInfo,
  type NodeView,
  readsAlike,
  type SignedStatement,
} from '@countersign/contract'
import {
  type Believed,
  type BelievedNode,
  fingerprint,
  liveNodes,
  readStatements,
  type TrustFile,
} from '@countersign/contract/node'
import type { EntryDraft, OpenedKernel } from '@countersign/kernel'
import type { OfferedNode } from '@countersign/tools'
import type { DeviceAccess } from '../devices/device-access.ts'
import type { RequestSender } from '../server/request-sender.ts'
import type { Witnessing } from '../witnesses/witnessing.ts'
import { words } from './node-answers.ts'
import { createNodeCalls, type NodeCallParts, type NodeCalls } from './node-calls.ts'
import { createNodeGate, type NodeGate, type NodeGateParts } from './node-gate.ts'
import { changeNodeRecord, nodeRecord } from './node-limits.ts'
import type { NodeLink, NodeWord } from './node-link.ts'
import { createNodePairing, type NodePairing } from './node-pairing.ts'

export interface NodeParts {
  readonly trust: TrustFile
  readonly statementFile: string
  readonly deviceAccess: Pick<DeviceAccess, 'believed' | 'listen'>
  readonly storage: Pick<OpenedKernel, 'act' | 'records'>
  readonly runsOnNode: NodeCallParts['runsOnNode']
  /** Signs with the gateway's key. */
  readonly sign: (text: string) => string
  /** What nodes are shown of the ledger, and what becomes of their answers. */
  readonly ledger: Pick<Witnessing, 'head' | 'saw' | 'complain' | 'isAlarmed'>
  readonly clock: () => Date
  readonly uuid: () => string
  readonly onProblem: (problem: unknown) => void
  readonly limits?: { readonly gate?: NodeGateParts['limits']; readonly calls?: NodeCallParts['limits'] }
  readonly checkpointEveryMs?: number
}

export interface Nodes {
  readonly calls: Pick<NodeCalls, 'resolve' | 'execute'>
  readonly gate: NodeGate
  readonly pairing: NodePairing
  setWorld: ExecutorPort['setWorld']
  info(): Promise<NodePairingInfo>
  /** The name, or with a number if a live node or one that waits to be let in has it. */
  freeName(name: string): Promise<string>
  list(): Promise<NodeList>
  /** Those that were let in, for the tools that run there; the same list as long as it holds. None where nobody can say. */
  offered(): Promise<readonly OfferedNode[]>
  /** Gives the number of the ledger entry. */
  limit(speaker: Pick<RequestSender, 'operator' | 'actor'>, node: NodeId, limit: LimitNode): Promise<number>
  /** Records what became of a request, and tells every client. */
  act(entry: EntryDraft): Promise<number>
  close(): Promise<void>
}

/** What is known of a node since this process began. */
interface SeenNode {
  readonly seenAt: Date
  readonly advert: NodeAdvert
}

interface OpenNode {
  readonly link: NodeLink
  /** How many signed statements it was sent or holds. */
  statements: number
  /** The size of the ledger that it keeps. */
  witnessed: number
  /** What it was shown last; it is shown more when it has answered. */
  shown: number
}

type NodeComplaint = Extract<NodeWord, { type: 'complaint' }>

const checkpointEveryMs = 60_000
/** A chunk of statements stays far below the largest frame. */
const linesInFrame = 200
const shortestBetweenComplaintsMs = 60_000
/** In its own words. */
const longestReason = 300

export function createNodes(parts: NodeParts): Nodes {
  const { trust, deviceAccess, storage, clock, onProblem } = parts
  const { operator, gateway } = trust
  const open = new Map<NodeId, OpenNode>()
  const seen = new Map<NodeId, SeenNode>()
  const complainedAt = new Map<NodeId, number>()
  let closing = false
  let world: Parameters<ExecutorPort['setWorld']>[0] | undefined
  const changed = { type: 'devices.changed' } as const

  const offered = rememberOffered(deviceAccess.believed, onProblem)
  const live = async () => liveNodes(await deviceAccess.believed())

  const calls = createNodeCalls({
    believed: live,
    linkOf: (node) => open.get(node)?.link,
    runsOnNode: parts.runsOnNode,
    isAlarmed: parts.ledger.isAlarmed,
    off: async (id, node) => (await nodeRecord(storage.records, id, node)).off,
    clock,
    onProblem,
    ...(parts.limits?.calls ? { limits: parts.limits.calls } : {}),
  })
  const pairing = createNodePairing({
    gatewayKey: gateway.key,
    rootKey: async () => rootOf(await deviceAccess.believed()).key,
    clock,
    uuid: parts.uuid,
  })
  const gate = createNodeGate({
    gateway: gateway.id,
    sign: parts.sign,
    find: async (node) => (await deviceAccess.believed()).nodes.get(node),
    clock,
    onProblem,
    opened,
    said,
    closed,
    ...(parts.limits?.gate ? { limits: parts.limits.gate } : {}),
  })

  /** It is told whom to believe and what holds before it is asked for anything. */
  async function opened(link: NodeLink, advert: NodeAdvert): Promise<void> {
    const node: OpenNode = {
      link,
      statements: advert.statements,
      witnessed: advert.witnessed,
      shown: advert.witnessed,
    }
    open.set(link.node, node)
    note(link.node, advert)
    sendStatements(node)
    if (world) link.send({ type: 'world', ...world })
    calls.opened(link)
    await tellScreens()
    // Also where it has not grown: another one of the same size is noticed then.
    showLedger(node, true).catch(onProblem)
  }

  function said(link: NodeLink, word: NodeWord): boolean {
    const node = open.get(link.node)
    if (node?.link !== link) return false
    if (word.type === 'resolved' || word.type === 'executed') return calls.take(link, word)
    told(node, word)
    return false
  }

  function told(node: OpenNode, word: Exclude<NodeWord, { type: 'resolved' | 'executed' }>): void {
    const { link } = node
    switch (word.type) {
      case 'capabilities': {
        const known = seen.get(link.node)
        if (!known) return
        note(link.node, { ...known.advert, capabilities: word.capabilities })
        tellScreens().catch(onProblem)
        return
      }
      case 'witnessed':
        // It can keep no more than what it was shown.
        if (word.size > node.shown) return
        node.witnessed = word.size
        if (word.cosignature !== null && word.size > 0)
          parts.ledger
            .saw(operator, link.node, { size: word.size, cosignature: word.cosignature })
            .catch(onProblem)
        return
      case 'complaint':
        complained(link.node, word).catch(onProblem)
    }
  }

  function closed(link: NodeLink): void {
    calls.closed(link)
    if (open.get(link.node)?.link !== link) return
    open.delete(link.node)
    tellScreens().catch(onProblem)
  }

  function note(node: NodeId, advert: NodeAdvert): void {
    seen.set(node, { seenAt: clock(), advert })
  }

  /** No entry of the ledger: it comes and goes with every break of a connection. */
  async function tellScreens(): Promise<void> {
    if (closing) return
    await storage.records.change(operator, (tx) => Promise.resolve(tx.emit(changed)))
  }

  function sendStatements(node: OpenNode): void {
    const lines = statementLines(parts.statementFile)
    for (let from = node.statements; from < lines.length; from += linesInFrame) {
      const chunk = lines.slice(from, from + linesInFrame)
      if (node.link.send({ type: 'statements', from, lines: chunk }) !== 'sent') return
      node.statements = from + chunk.length
    }
  }

  async function showLedger(node: OpenNode, isFirst = false): Promise<void> {
    // What was shown and not answered is not shown again on this connection.
    if (node.shown > node.witnessed) return
    const head = await parts.ledger.head(operator, node.witnessed)
    if (!isFirst && head.size === node.witnessed) return
    const frame: GatewayToNodeFrame = {
      type: 'checkpoint',
      note: head.note,
      from: head.from,
      proof: [...head.proof],
    }
    if (node.link.send(frame) === 'sent') node.shown = Math.max(node.shown, head.size)
  }

  async function complained(node: NodeId, { size, seen: note, ...said }: NodeComplaint): Promise<void> {
    const reason = words(said.reason, longestReason)
    const now = clock().getTime()
    if (Math.abs(now - (complainedAt.get(node) ?? 0)) < shortestBetweenComplaintsMs) return
    complainedAt.set(node, now)
    // What it saw before counts by the gateway's own signature, and then raises the alarm.
    if (note !== undefined && reason !== '')
      await parts.ledger.complain(operator, node, { note, reason }).catch(onProblem)
    const name = (await deviceAccess.believed()).nodes.get(node)?.name ?? node
    // It says the same each time that it connects. One that says something else each time is heard once.
    if ((await nodeRecord(storage.records, operator, node)).complaint !== null) return
    await storage.records.change(operator, async (tx) => {
      await changeNodeRecord(tx.records, node, { complaint: reason })
      const actor = { kind: 'gateway' as const, id: 'gateway' }
      tx.record({ type: 'node.complained', actor, data: { node, name, size, reason } })
      tx.emit(changed)
      tx.emit({
        type: 'notice',
        about: 'access',
        text: `${name} says that the ledger is not the one that it saw before. It says: “${reason}”. Look at it with \`countersign ledger verify\`.`,
      })
    })
  }

  const showing = setInterval(() => {
    for (const node of open.values()) showLedger(node).catch(onProblem)
  }, parts.checkpointEveryMs ?? checkpointEveryMs)
  showing.unref()

  deviceAccess.listen({
    filed(signed: SignedStatement) {
      if (signed.statement.kind === 'node') pairing.letIn(signed.statement, signed)
    },
    changed(now) {
      // The one who is revoked is told of it as the last thing.
      for (const node of open.values()) sendStatements(node)
      for (const { id, revokedAt } of now.nodes.values()) {
        if (revokedAt === null) continue
        gate.drop(id, 'this node was revoked')
        calls.forget(id)
      }
    },
  })

  async function view(node: BelievedNode): Promise<NodeView> {
    const known = seen.get(node.id)
    const { off, complaint } = await nodeRecord(storage.records, operator, node.id)
    const { id, name, platform, key, addedAt, revokedAt } = node
    return {
      id,
      name,
      platform,
      key,
      addedAt,
      revokedAt,
      online: open.has(id),
      seenAt: known?.seenAt.toISOString() ?? null,
      advert: known?.advert ?? null,
      off: [...off],
      complaint,
      busy: calls.busy(id),
    }
  }

  return {
    calls,
    gate,
    pairing,
    offered,
    setWorld(next) {
      world = next
      for (const { link } of open.values()) link.send({ type: 'world', ...next })
    },
    async info() {
      const { id, key, name, addedAt } = rootOf(await deviceAccess.believed())
      return { gateway: gateway.id, key: gateway.key, operator, root: { device: id, key, name, addedAt } }
    },
    async freeName(name) {
      const taken = [...(await live()), ...pairing.waiting()].map((each) => each.name)
      let free = name
      const isTaken = () => taken.some((each) => readsAlike(each, free))
      for (let number = 2; isTaken(); number += 1) free = `${name.slice(0, 55).toWellFormed()} ${number}`
      return free
    },
    async list() {
      const { nodes } = await deviceAccess.believed()
      return { nodes: await Promise.all([...nodes.values()].map(view)) }
    },
    async limit({ operator: speaking, actor }, id, { off }) {
      const node = (await live()).find((each) => each.id === id)
      if (!node)
        throw new CountersignError('not_found', `There is no node ${id}.`, {
          next: 'List them with `countersign node list`.',
        })
      const { ledger } = await storage.records.change(speaking, async (tx) => {
        await changeNodeRecord(tx.records, id, { off: [...new Set(off)] })
        tx.record({ type: 'node.limited', actor, data: { node: id, name: node.name, off } })
        tx.emit(changed)
      })
      return ledger
    },
    act: (entry) => storage.act(operator, entry, changed),
    async close() {
      closing = true
      clearInterval(showing)
      await gate.close()
      calls.close()
    },
  }
}

function rememberOffered(
  believed: DeviceAccess['believed'],
  onProblem: (problem: unknown) => void,
): Nodes['offered'] {
  let known: { readonly of: Believed; readonly list: readonly OfferedNode[] } | undefined
  const none: readonly OfferedNode[] = []
  return async () => {
    try {
      const now = await believed()
      if (known?.of !== now) known = { of: now, list: liveNodes(now).map(({ name }) => ({ name })) }
      return known.list
    } catch (problem) {
      onProblem(problem)
      return none
    }
  }
}

/** The host's own device, which alone lets nodes in. */
function rootOf({ devices }: Believed) {
  const root = [...devices.values()].find((each) => each.root && each.revokedAt === null && each.reach === 3)
  if (root) return root
  throw new CountersignError('config_invalid', 'This host has no device of its own that may let nodes in.', {
    next: 'Run `countersign doctor` on the computer of the gateway.',
  })
}

function statementLines(file: string): string[] {
  return readStatements(file).bytes.toString('utf8').split('\n').slice(0, -1)
}

/** The fields of an entry about a request. */
export function requestData(request: {
  readonly id: string
  readonly node: NodeId
  readonly key: string
  readonly name: string
  readonly platform: string
}): EntryDraft['data'] {
  const { id, node, key, name, platform } = request
  return { request: id, node, key: fingerprint(key), name, platform }
}
