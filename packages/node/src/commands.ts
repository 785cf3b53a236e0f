/** Owns how the node program answers what it is asked. */
import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { setTimeout as timer } from 'node:timers/promises'
import { CountersignError, errorCatalogue, NodeCapability } from '@countersign/contract'
import { readKey } from '@countersign/contract/node'
import type { NodeCommand, NodeOutput } from './command-shapes.ts'
import { openLedgerWatch } from './ledger-watch.ts'
import { openNodeExecutor } from './node-executor.ts'
import {
  forgetEverything,
  isPaused,
  type NodePaths,
  nodePaths,
  type Pairing,
  readPairing,
  setPaused,
} from './node-home.ts'
import { firstPolicy, keepNodePolicy, type NodePolicy, readNodePolicy } from './node-policy.ts'
import { openNodeTrust } from './node-trust.ts'
import { pairNode } from './pairing.ts'
import { runNode } from './run-node.ts'
import { runningNode } from './running.ts'
import { forgetDevice } from './statement-log.ts'

/** Gives the exit code. */
export async function runNodeCommand(command: NodeCommand, output: NodeOutput): Promise<number> {
  try {
    const data = await answerTo(command, output)
    output.write({ type: 'done', data })
    return 0
  } catch (error) {
    const problem =
      error instanceof CountersignError
        ? error
        : new CountersignError('internal', error instanceof Error ? error.message : String(error), {
            cause: error,
          })
    output.write({ type: 'failed', code: problem.code, message: problem.message, next: problem.next })
    return errorCatalogue[problem.code].exit
  }
}

async function answerTo(
  command: NodeCommand,
  output: NodeOutput,
): Promise<Readonly<Record<string, unknown>>> {
  const { ask } = command
  const paths = nodePaths(command.folder)
  switch (ask.do) {
    case 'pair': {
      const pairing = await pairNode({
        ...ask,
        paths,
        platform: command.platform,
        nonce: () => randomBytes(24).toString('base64url'),
        now: () => new Date(),
        wait: (ms) => timer(ms),
        show: (words, expiresAt) => output.write({ type: 'words', words, expiresAt }),
      })
      return { name: pairing.name, node: pairing.node, address: pairing.address, shared: pairing.shared }
    }
    case 'run':
      await runNode(command, { paths, pairing: paired(paths) }, output)
      return { stopped: true }
    case 'status':
      return statusOf(command, paths)
    case 'caps':
      return changeCaps(paths, ask)
    case 'pause':
      paired(paths)
      setPaused(paths, true)
      return { paused: true }
    case 'resume':
      paired(paths)
      setPaused(paths, false)
      return { paused: false }
    case 'forget':
      return forgetNode(paths)
    case 'forget-device':
      paired(paths)
      forgetDevice(paths, ask.device)
      return { device: ask.device }
  }
}

function paired(paths: NodePaths): Pairing {
  const pairing = readPairing(paths)
  if (pairing) return pairing
  throw new CountersignError('not_found', 'This computer is no node yet.', {
    next: 'Pair it with `countersign node pair <address>`.',
  })
}

async function statusOf(command: NodeCommand, paths: NodePaths): Promise<Readonly<Record<string, unknown>>> {
  const pairing = readPairing(paths)
  if (!pairing) return { paired: false }
  const keys = readKey(paths.key)
  const trust = openNodeTrust(paths, pairing)
  const ledger = openLedgerWatch(paths, { pairing, keys, now: () => new Date() })
  const owner = readNodePolicy(paths.policy)
  const identity = await trust.identity()
  const running = runningNode(paths)
  return {
    paired: true,
    name: 'problem' in identity ? pairing.name : identity.name,
    node: pairing.node,
    address: pairing.address,
    shared: pairing.shared,
    problem: 'problem' in identity ? identity.problem : null,
    running: running ?? null,
    paused: isPaused(paths),
    policy: owner.kind === 'policy' ? owner.policy : null,
    policyFile: paths.policy,
    policyProblem: owner.kind === 'policy' ? null : owner.reason,
    witnessed: ledger.size(),
    witnessedAt: ledger.at() ?? null,
    complaint: ledger.complaint()?.reason ?? null,
    devices: 'problem' in identity ? [] : await trust.devices(),
    capabilities: await capabilitiesNow(command, paths, pairing),
  }
}

/** A look of its own, which needs no connection. */
async function capabilitiesNow({ platform, environment }: NodeCommand, paths: NodePaths, pairing: Pairing) {
  if (!existsSync(pairing.shared)) return []
  const keys = readKey(paths.key)
  const executor = await openNodeExecutor({
    paths,
    pairing,
    keys,
    platform,
    environment,
    trust: openNodeTrust(paths, pairing),
    ledger: openLedgerWatch(paths, { pairing, keys, now: () => new Date() }),
    id: () => randomBytes(16).toString('hex'),
  })
  try {
    return await executor.capabilities()
  } finally {
    await executor.close()
  }
}

function changeCaps(
  paths: NodePaths,
  { on, off, maxTier }: Extract<NodeCommand['ask'], { do: 'caps' }>,
): Readonly<Record<string, unknown>> {
  paired(paths)
  const owner = readNodePolicy(paths.policy)
  const isChange = on.length + off.length > 0 || maxTier !== undefined
  if (owner.kind === 'unreadable') {
    throw new CountersignError('config_invalid', `${owner.reason}.`, {
      next: `Until it is repaired this node refuses everything. Remove ${paths.policy} and pair anew, or correct it.`,
    })
  }
  const capabilities = NodeCapability.options.filter(
    (each) => on.includes(each) || (owner.policy.capabilities.includes(each) && !off.includes(each)),
  )
  const policy: NodePolicy = { ...owner.policy, capabilities, maxTier: maxTier ?? owner.policy.maxTier }
  if (isChange) keepNodePolicy(paths.policy, policy)
  return { policy, file: paths.policy, first: firstPolicy.capabilities }
}

function forgetNode(paths: NodePaths): Readonly<Record<string, unknown>> {
  const running = runningNode(paths)
  if (running)
    throw new CountersignError('conflict', `The node runs (pid ${running.pid}).`, {
      next: 'Stop it first: `countersign node install --remove`, or end `countersign node run`.',
    })
  const was = existsSync(paths.folder)
  forgetEverything(paths)
  return { forgotten: was }
}
