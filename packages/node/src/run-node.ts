/** Puts a running node together: its executor, the connection that it keeps, and what it tells of itself. */
import { randomBytes } from 'node:crypto'
import { setTimeout as timer } from 'node:timers/promises'
import type { NodeCapabilityState } from '@countersign/contract'
import { readKey, readTrust } from '@countersign/contract/node'
import type { NodeCommand, NodeOutput } from './command-shapes.ts'
import { dial } from './dial.ts'
import { openLedgerWatch } from './ledger-watch.ts'
import { openNodeExecutor } from './node-executor.ts'
import { keepStatus, type NodePaths, type Pairing } from './node-home.ts'
import { createNodeSession } from './node-session.ts'
import { openNodeTrust } from './node-trust.ts'
import { holdNode } from './running.ts'
import { openStatementLog } from './statement-log.ts'

/** How soon a switch of the owner is told. */
const lookMs = 10_000

interface OwnNode {
  readonly paths: NodePaths
  readonly pairing: Pairing
}

export async function runNode(
  command: Omit<NodeCommand, 'ask'>,
  node: OwnNode,
  output: NodeOutput,
): Promise<void> {
  const held = holdNode(node.paths)
  try {
    await runHeld(command, node, output)
  } finally {
    held.release()
  }
}

async function runHeld(
  { platform, environment, version }: Omit<NodeCommand, 'ask'>,
  { paths, pairing }: OwnNode,
  output: NodeOutput,
): Promise<void> {
  const keys = readKey(paths.key)
  const { gateway } = readTrust(paths.trust)
  const now = () => new Date()
  const trust = openNodeTrust(paths, pairing)
  const ledger = openLedgerWatch(paths, { pairing, keys, now })
  const statements = openStatementLog(paths)
  const id = () => randomBytes(16).toString('hex')
  const executor = await openNodeExecutor({ paths, pairing, keys, trust, ledger, platform, environment, id })
  let capabilities = await executor.capabilities()
  const { sandbox } = executor
  const dialed = dial({
    address: pairing.address,
    random: Math.random,
    wait: pause,
    state(state, reason) {
      keepStatus(paths, { pid: process.pid, state, reason, since: now().toISOString() })
      output.write({ type: 'log', text: reason === '' ? state : `${state}: ${reason}` })
    },
    session: (socket) =>
      createNodeSession({
        ...socket,
        pairing,
        gatewayKey: gateway.key,
        keys,
        executor,
        ledger,
        statements,
        nonce: () => randomBytes(24).toString('base64url'),
        advert: () => ({
          executor: pairing.executor,
          platform,
          version,
          sandbox:
            sandbox.kind === 'available'
              ? { kind: 'available', name: sandbox.sandbox.name }
              : shortened(sandbox),
          folder: pairing.shared.slice(0, 300),
          capabilities,
        }),
      }),
  })
  const stop = () => dialed.stop()
  output.stopped.addEventListener('abort', stop, { once: true })
  if (output.stopped.aborted) stop()
  try {
    while (!output.stopped.aborted) {
      await pause(lookMs, output.stopped)
      const seen = await executor.capabilities()
      if (isSame(seen, capabilities)) continue
      capabilities = seen
      dialed.session()?.tell(seen)
    }
    await dialed.ended
  } finally {
    await executor.close()
  }
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  try {
    await timer(ms, undefined, { signal })
  } catch (error) {
    if (!signal.aborted) throw error
  }
}

function shortened({ reason, fix }: { readonly reason: string; readonly fix: string }) {
  return { kind: 'unavailable', reason: reason.slice(0, 300), fix: fix.slice(0, 300) } as const
}

function isSame(one: readonly NodeCapabilityState[], other: readonly NodeCapabilityState[]): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}
