/** A node in this process that is paired with a scripted gateway, as `countersign node pair` and `run` would. For tests only. */
import { randomBytes } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readKey, readTrust } from '@countersign/contract/node'
import type { Clocks } from '@countersign/executor/node'
import type { SystemPrograms } from '../desktop/system-programs.ts'
import { type Dialed, dial } from '../dial.ts'
import { type LedgerWatch, openLedgerWatch } from '../ledger-watch.ts'
import { type NodeExecutor, openNodeExecutor } from '../node-executor.ts'
import { type NodePaths, nodePaths, type Pairing } from '../node-home.ts'
import { createNodeSession } from '../node-session.ts'
import { openNodeTrust } from '../node-trust.ts'
import { type PairingParts, pairNode } from '../pairing.ts'
import { openStatementLog } from '../statement-log.ts'
import type { ScriptedGateway } from './scripted-gateway.ts'

export interface TestFolder {
  readonly folder: string
  readonly paths: NodePaths
  readonly shared: string
  remove(): void
}

export function makeTestFolder(): TestFolder {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-node-'))
  const shared = join(folder, 'shared')
  mkdirSync(shared)
  return {
    folder,
    shared,
    paths: nodePaths(join(folder, 'own')),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}

/** Pairs; the host approves once the words were shown. */
export async function pairTestNode(
  gateway: ScriptedGateway,
  { paths, shared }: TestFolder,
  shown: (words: readonly string[]) => void = () => void gateway.approve('laptop'),
  more: Partial<PairingParts> = {},
): Promise<Pairing> {
  return pairNode({
    paths,
    shared,
    address: gateway.address,
    name: 'laptop',
    platform: 'linux',
    nonce: () => randomBytes(24).toString('base64url'),
    now: () => new Date(),
    wait: () => new Promise((resolve) => setImmediate(resolve)),
    show: shown,
    ...more,
  })
}

export interface TestNode {
  readonly executor: NodeExecutor
  readonly ledger: LedgerWatch
  readonly dialed: Dialed
  readonly states: readonly { readonly state: string; readonly reason: string }[]
  /** Resolves with the next state of this kind. */
  reached(state: string): Promise<string>
  close(): Promise<void>
}

export interface TestNodeOptions {
  readonly programs?: SystemPrograms
  readonly environment?: Readonly<Record<string, string>>
  readonly clocks?: Clocks
}

export async function runTestNode(
  { paths }: TestFolder,
  pairing: Pairing,
  options: TestNodeOptions = {},
): Promise<TestNode> {
  const keys = readKey(paths.key)
  const trust = openNodeTrust(paths, pairing)
  const ledger = openLedgerWatch(paths, { pairing, keys, now: () => new Date() })
  const executor = await openNodeExecutor({
    paths,
    pairing,
    keys,
    trust,
    ledger,
    platform: 'linux',
    environment: options.environment ?? {},
    id: () => randomBytes(16).toString('hex'),
    ...(options.programs ? { programs: options.programs } : {}),
    ...(options.clocks ? { clocks: options.clocks } : {}),
  })
  const capabilities = await executor.capabilities()
  const states: { state: string; reason: string }[] = []
  const waiting: { state: string; resolve: (reason: string) => void }[] = []
  const dialed = dial({
    address: pairing.address,
    random: () => 0,
    wait: () => new Promise((resolve) => setTimeout(resolve, 5)),
    state(state, reason) {
      states.push({ state, reason })
      for (const each of waiting.filter((one) => one.state === state)) {
        waiting.splice(waiting.indexOf(each), 1)
        each.resolve(reason)
      }
    },
    session: (socket) =>
      createNodeSession({
        ...socket,
        pairing,
        gatewayKey: readTrust(paths.trust).gateway.key,
        keys,
        executor,
        ledger,
        statements: openStatementLog(paths),
        nonce: () => randomBytes(24).toString('base64url'),
        advert: () => ({
          executor: pairing.executor,
          platform: 'linux',
          version: '0.0.0',
          sandbox: { kind: 'available', name: 'test' },
          folder: 'shared',
          capabilities,
        }),
      }),
  })
  return {
    executor,
    ledger,
    dialed,
    states,
    reached(state) {
      return new Promise((resolve) => waiting.push({ state, resolve }))
    },
    async close() {
      dialed.stop()
      await dialed.ended
      await executor.close()
    },
  }
}
