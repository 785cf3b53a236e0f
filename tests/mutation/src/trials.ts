/** Runs trials in a runner of its own process group, and starts another one when a trial does not come to an end. */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { RunnerSettings, Trial, TrialEnd } from './runner.ts'

export interface Trials {
  /** Resolves with `null` when the bound is over; then everything that the trial started is ended. */
  run(trial: Trial, boundMs: number): Promise<TrialEnd | null>
  close(): Promise<void>
}

export function openTrials(settings: RunnerSettings): Trials {
  let runner: ChildProcess | undefined
  return {
    async run(trial, boundMs) {
      runner ??= await started(settings)
      const ended = await endOf(runner, trial, boundMs)
      if (ended === null) {
        await endGroup(runner)
        runner = undefined
      }
      return ended
    },
    async close() {
      if (runner) await endGroup(runner)
    },
  }
}

async function started(settings: RunnerSettings): Promise<ChildProcess> {
  const child = fork(join(import.meta.dirname, 'runner.ts'), [JSON.stringify(settings)], {
    detached: true,
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
  await once(child, 'message')
  return child
}

async function endOf(runner: ChildProcess, trial: Trial, boundMs: number): Promise<TrialEnd | null> {
  const bound = AbortSignal.timeout(boundMs)
  const died = new AbortController()
  const onExit = () => died.abort()
  runner.once('exit', onExit)
  try {
    const reply = once(runner, 'message', { signal: AbortSignal.any([bound, died.signal]) })
    runner.send(trial)
    return ((await reply) as [TrialEnd])[0]
  } catch (error) {
    if (bound.aborted || died.signal.aborted) return null
    throw error
  } finally {
    runner.removeListener('exit', onExit)
  }
}

async function endGroup(runner: ChildProcess): Promise<void> {
  if (runner.pid === undefined || runner.exitCode !== null || runner.signalCode !== null) return
  const exited = once(runner, 'exit')
  process.kill(-runner.pid, 'SIGKILL')
  await exited
}
