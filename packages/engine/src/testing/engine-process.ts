/**
 * A process with nothing but an engine, for tests that kill it. Arguments: connection, options, refs to start.
 * A segment of a run called `run_hang…` never ends here unless told to; every body first reports itself.
 */
import { createHook } from 'node:async_hooks'
import { setTimeout as delay } from 'node:timers/promises'
import type pg from 'pg'
import { openEngine, type SegmentRef } from '../engine.ts'

export interface EngineProcessOptions {
  hang?: boolean
  maxSlots?: number
  /** Counts timer ticks for this long once open, and reports them. */
  countTicksMs?: number
}

export type EngineProcessReport =
  | { kind: 'open'; slot: number }
  | { kind: 'executing'; ref: SegmentRef }
  | { kind: 'ticks'; count: number }
  | { kind: 'problem'; code: string }

const report = (line: EngineProcessReport) => process.stdout.write(`${JSON.stringify(line)}\n`)

const [connection, options, refs] = process.argv.slice(2).map((text) => JSON.parse(text)) as [
  pg.PoolConfig,
  EngineProcessOptions,
  SegmentRef[],
]

let ticks = 0
const timers = new Set<number>()
const watchTimers = createHook({
  init: (id, type) => {
    if (type === 'Timeout') timers.add(id)
  },
  before: (id) => {
    if (timers.has(id)) ticks++
  },
})
if (options.countTicksMs !== undefined) watchTimers.enable()

const engine = await openEngine({
  connection,
  applicationVersion: 'test',
  sweepEveryMs: 60_000,
  ...(options.maxSlots === undefined ? {} : { maxSlots: options.maxSlots }),
  execute: async (ref) => {
    report({ kind: 'executing', ref })
    if (options.hang && ref.runId.startsWith('run_hang')) await new Promise(() => undefined)
  },
  onProblem: (problem) => report({ kind: 'problem', code: problem.code }),
}).catch((error: unknown) => {
  report({ kind: 'problem', code: (error as { code?: string }).code ?? String(error) })
  process.exit(1)
})
report({ kind: 'open', slot: engine.slot })
for (const ref of refs) await engine.start(ref)

if (options.countTicksMs !== undefined) {
  const before = ticks
  await delay(options.countTicksMs)
  report({ kind: 'ticks', count: ticks - before })
}
