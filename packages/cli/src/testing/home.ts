/** A home that lasts for one test, and a host that writes into memory. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import {
  establishHost,
  gatewayKeyPath,
  type HomePaths,
  type HostIdentity,
  homePaths,
  type Lease,
  readKey,
  readTrust,
  signLease,
} from '@countersign/contract/node'
import { readEnvironment } from '../environment.ts'
import { type Host, pause } from '../host.ts'
import type { RunProgram } from '../run-program.ts'

export interface TestHome {
  readonly folder: string
  readonly paths: HomePaths
  establish(): HostIdentity
  /** As the gateway of this home would write it. */
  leaseText(lease: Lease): string
  remove(): void
}

export function testHome(): TestHome {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-cli-'))
  const paths = homePaths({ COUNTERSIGN_HOME: folder }, process.platform)
  return {
    folder,
    paths,
    establish: () => establishHost(paths, 'test', new Date()),
    leaseText: (lease) =>
      JSON.stringify(
        signLease(lease, readTrust(paths.trust).gateway.id, readKey(gatewayKeyPath(paths)).privateKey),
      ),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}

export interface TestHost extends Host {
  readonly typed: PassThrough
  written(): string
  complaints(): string
}

export function testHost(options: {
  home: TestHome
  WebSocket?: typeof WebSocket | undefined
  terminal?: boolean
  values?: Record<string, string>
  clock?: () => Date
  /** How wide the terminal is. */
  columns?: number
  platform?: NodeJS.Platform
  /** Without it no program is there. */
  runProgram?: RunProgram
}): TestHost {
  const values = {
    COUNTERSIGN_HOME: options.home.folder,
    HOME: options.home.folder,
    PATH: '/usr/bin:/bin',
    ...options.values,
  }
  const typed = new PassThrough()
  const output = new PassThrough()
  const errors = new PassThrough()
  const text = { output: '', errors: '' }
  output.on('data', (chunk: Buffer) => {
    text.output += chunk.toString()
  })
  errors.on('data', (chunk: Buffer) => {
    text.errors += chunk.toString()
  })
  const size = options.columns === undefined ? {} : { columns: options.columns }
  const terminal = { isTTY: options.terminal === true, ...size }
  return {
    environment: readEnvironment(values, process.platform),
    platform: options.platform ?? process.platform,
    typed,
    input: Object.assign(typed, terminal),
    output: Object.assign(output, terminal),
    errors: Object.assign(errors, terminal),
    clock: options.clock ?? (() => new Date()),
    zone: 'UTC',
    wait: pause,
    runProgram: options.runProgram ?? (() => Promise.resolve({ kind: 'missing' })),
    ...(options.WebSocket ? { WebSocket: options.WebSocket } : {}),
    written: () => text.output,
    complaints: () => text.errors,
  }
}
