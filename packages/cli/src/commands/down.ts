/** `countersign down`: asks the gateway of this host to stop, and waits. Never ends it by force. */
import type { Handler } from '../context.ts'
import { gatewayLog } from '../gateway-process.ts'
import { isAlive, liveLeases } from '../leases.ts'
import { done, failed } from '../output/answer.ts'

/** Longer than a gateway gives its calls to end and its database to write everything down on a busy disk. */
const stopMs = 60_000
const lookMs = 50

export const down: Handler = async (context) => {
  const { host, flags } = context
  const paths = await context.paths()
  const pids = liveLeases(paths).map((lease) => lease.pid)
  if (pids.length === 0) return done({ stopped: [] }, 'No gateway is running.')
  for (const pid of pids) askToEnd(pid)
  const began = host.clock().getTime()
  context.working('Stopping the gateway and its database', 'Ctrl+C stops waiting')
  while (pids.some(isAlive)) {
    if (host.clock().getTime() - began >= (flags.waitMs ?? stopMs)) {
      const left = pids.filter(isAlive)
      return failed({
        type: 'timeout',
        message: `The gateway (pid ${left.join(', ')}) has not stopped yet. It waits for running calls to finish, or for its database to write everything down.`,
        next: `Look at ${gatewayLog(paths.logs)}. To end it by force: kill -9 ${left.join(' ')}; pending work resumes at the next start.`,
        exit: 7,
        details: { pids: left },
      })
    }
    await host.wait(lookMs)
  }
  return done(
    { stopped: pids },
    `Stopped (pid ${pids.join(', ')}). Pending work resumes with \`countersign up\`.`,
  )
}

function askToEnd(pid: number): void {
  try {
    process.kill(pid, 'SIGTERM')
  } catch (error) {
    // It has ended by itself meanwhile.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}
