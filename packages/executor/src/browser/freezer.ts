/**
 * Owns whether the processes of a browser run. The kernel stops them all, so no timer, worker, animation or observer of
 * a page goes on, and nothing of it can notice or count what happens meanwhile.
 */
import { spawn } from 'node:child_process'

export interface Freezer {
  freeze(): void
  thaw(): void
  /** To be called when the browser has ended. */
  release(): void
}

/** The browser leads a process group of its own, in which all of its processes are. */
export function createFreezer(leader: number): Freezer {
  const guard = startGuard(leader)
  let isReleased = false
  const signal = (name: 'SIGSTOP' | 'SIGCONT') => {
    if (!isReleased) signalGroup(leader, name)
  }
  return {
    freeze: () => signal('SIGSTOP'),
    thaw: () => signal('SIGCONT'),
    release() {
      isReleased = true
      guard.kill('SIGKILL')
    },
  }
}

/**
 * A stopped process does not notice that the executor is gone, and would stay for ever. This one notices: its input
 * ends with the executor, however that ends.
 */
function startGuard(leader: number) {
  const guard = spawn('/bin/sh', ['-c', 'read -r _; kill -s KILL -- "-$0"', String(leader)], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
    env: {},
    cwd: '/',
  })
  guard.on('error', () => undefined)
  guard.stdin.on('error', () => undefined)
  guard.unref()
  return guard
}

function signalGroup(leader: number, signal: 'SIGSTOP' | 'SIGCONT'): void {
  try {
    process.kill(-leader, signal)
  } catch (error) {
    // It has ended already.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}
