/** Loaded first into the executor: counts what it signs, verifies and parses. The folder is named in the address. */
import { join } from 'node:path'
import { isMainThread } from 'node:worker_threads'
import { countParses } from './parses.ts'
import { countSignatures } from './signatures.ts'
import { installClock } from './stopped-clock.ts'
import { openTrace } from './trace.ts'

// A thread of the executor is given the same arguments.
if (isMainThread) countExecutor(new URL(import.meta.url).searchParams.get('folder') ?? '')

function countExecutor(folder: string): void {
  installClock(join(folder, 'now'))
  const trace = openTrace(join(folder, 'trace'))
  countSignatures(trace)
  countParses(trace)
}
