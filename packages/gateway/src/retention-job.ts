/** Owns when old details are removed: soon after the start, and then once in an hour. Never two sweeps at once. */
import type { OperatorId } from '@countersign/contract'
import type { Kernel } from '@countersign/kernel'

const firstAfterMs = 10_000
const everyMs = 60 * 60_000

export function startRetention(options: {
  readonly kernel: Pick<Kernel, 'removeOld'>
  readonly operator: OperatorId
  readonly onProblem: (problem: unknown) => void
}): { close(): void } {
  let timer = setTimeout(sweep, firstAfterMs).unref()
  let closed = false
  function sweep(): void {
    options.kernel
      .removeOld(options.operator)
      .catch(options.onProblem)
      .finally(() => {
        if (!closed) timer = setTimeout(sweep, everyMs).unref()
      })
  }
  return {
    close() {
      closed = true
      clearTimeout(timer)
    },
  }
}
