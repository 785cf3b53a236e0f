/** Owns where a node keeps what is its own, all of it readable by its owner only, and what it was paired to. */
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { CountersignError, ExecutorId, GatewayId, NodeId } from '@countersign/contract'
import { foldersOverlap, replaceFile } from '@countersign/contract/node'
import { z } from 'zod'

export interface NodePaths {
  readonly folder: string
  readonly key: string
  /** Whom it believes; written once, when the operator compared the words. */
  readonly trust: string
  /** The signed statements that came over the link, one a line. */
  readonly statements: string
  readonly statementMemory: string
  readonly forgotten: string
  readonly replay: string
  readonly pairing: string
  /** Its owner's own policy. */
  readonly policy: string
  readonly witness: string
  readonly complaint: string
  readonly paused: string
  readonly status: string
  /** Held by the program that runs. */
  readonly lock: string
  readonly trash: string
  readonly captures: string
}

export function nodePaths(folder: string): NodePaths {
  const at = (name: string) => join(folder, name)
  return {
    folder,
    key: at('node.key'),
    trust: at('trust.json'),
    statements: at('statements.jsonl'),
    statementMemory: at('statements.json'),
    forgotten: at('forgotten.json'),
    replay: at('replay.db'),
    pairing: at('pairing.json'),
    policy: at('node-policy.json'),
    witness: at('witness.json'),
    complaint: at('complaint.json'),
    paused: at('paused'),
    status: at('status.json'),
    lock: at('run.lock'),
    trash: at('trash'),
    captures: at('captures'),
  }
}

/** What is shared is read with the gateway's key alone, so neither its own key nor its policy may be in there. */
export function requireApart({ folder }: Pick<NodePaths, 'folder'>, shared: string): void {
  if (foldersOverlap(folder, shared))
    throw new CountersignError('usage', `${shared} holds what is the node's own, in ${folder}.`, {
      next: 'Share another folder: `countersign node forget`, then `countersign node pair` with --folder <path>.',
    })
}

export const Pairing = z.strictObject({
  v: z.literal(1),
  /** Of the gateway, without a path. */
  address: z.url(),
  gateway: GatewayId,
  node: NodeId,
  executor: ExecutorId,
  /** As the operator let it in; statements say what it is called now. */
  name: z.string(),
  /** The folder that it shares. */
  shared: z.string(),
  pairedAt: z.string(),
})
export type Pairing = z.infer<typeof Pairing>

export function readPairing({ pairing }: NodePaths): Pairing | undefined {
  if (!existsSync(pairing)) return undefined
  try {
    return Pairing.parse(JSON.parse(readFileSync(pairing, 'utf8')))
  } catch (cause) {
    throw new CountersignError('config_invalid', `The file ${pairing} is damaged.`, {
      cause,
      next: 'Run `countersign node forget`, then pair this computer again.',
    })
  }
}

export function keepPairing({ pairing }: NodePaths, what: Pairing): void {
  replaceFile(pairing, `${JSON.stringify(what, null, 2)}\n`)
}

/** Everything but the files of the shared folder. The key goes too: paired again, it is another node. */
export function forgetEverything({ folder }: NodePaths): void {
  rmSync(folder, { recursive: true, force: true })
}

export function isPaused({ paused }: NodePaths): boolean {
  return existsSync(paused)
}

export function setPaused({ paused }: NodePaths, on: boolean): void {
  if (on) replaceFile(paused, '')
  else rmSync(paused, { force: true })
}

export const NodeStatus = z.strictObject({
  pid: z.int(),
  state: z.enum(['connecting', 'connected', 'waiting']),
  /** Why it is not connected; empty where it is. */
  reason: z.string(),
  since: z.string(),
})
export type NodeStatus = z.infer<typeof NodeStatus>

export function keepStatus({ status }: NodePaths, what: NodeStatus): void {
  replaceFile(status, `${JSON.stringify(what)}\n`)
}

/** What a program that ran said last. */
export function readStatus({ status }: Pick<NodePaths, 'status'>): NodeStatus | undefined {
  if (!existsSync(status)) return undefined
  try {
    return NodeStatus.safeParse(JSON.parse(readFileSync(status, 'utf8'))).data
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}
