/** A kernel for tests of what stands beside it: a real database, and nobody who thinks or acts. Never for use outside tests. */
import { randomUUIDv7 } from 'node:crypto'
import { type ExecutorPort, idFrom, type OperatorId } from '@countersign/contract'
import { generateKey, sha256Hex } from '@countersign/contract/node'
import type { Migration } from '@countersign/database'
import type pg from 'pg'
import type { Kernel, KernelOptions } from '../kernel.ts'
import { deviceSeals } from './device-seals.ts'
import { plainAssistant } from './plain-assistant.ts'
import { openWholeKernel } from './whole-kernel.ts'

export interface IdleOptions {
  readonly connection: pg.PoolConfig
  readonly clock: () => Date
  readonly operator?: OperatorId
  readonly migrations?: readonly Migration[]
  readonly zone?: string
  /** Left out, problems are printed. */
  readonly onProblem?: (problem: unknown) => void
}

export function openIdleKernel(options: IdleOptions): Promise<Kernel> {
  const { connection, clock, operator, migrations, zone, onProblem = console.error } = options
  const opened: KernelOptions = {
    connection,
    operator: operator ?? idFrom('op', randomUUIDv7()),
    gateway: { id: idFrom('gw', randomUUIDv7()), key: generateKey() },
    ...(migrations ? { migrations } : {}),
    ...(zone === undefined ? {} : { zone }),
    clock,
    uuid: randomUUIDv7,
    onProblem,
  }
  return openWholeKernel(opened, () => ({
    tools: {
      open: () =>
        Promise.resolve({
          find: () => undefined,
          list: () => [],
          missing: (name) => `There is no ${name}.`,
        }),
    },
    recordExecutor: idle(),
    assistant: plainAssistant(clock),
    executor: idle(),
    model: {
      async *stream() {
        yield { type: 'failed', failure: { kind: 'invalid', message: 'there is no model' } }
      },
    },
    policy: { autonomy: 'medium', files: [] },
    devices: [],
    seals: deviceSeals([]),
    onFatal: onProblem,
  }))
}

function idle(): ExecutorPort {
  return {
    identity: { executor: idFrom('exe', randomUUIDv7()), key: sha256Hex('executor') },
    resolve: () => Promise.reject(new Error('nothing is to be done here')),
    execute: () => Promise.reject(new Error('nothing is to be done here')),
    setWorld: () => undefined,
  }
}
