/** Owns how this process itself is doing: the delay of its event loop and its memory. */
import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { MetricFamily } from './exposition.ts'

export interface ProcessMetrics {
  /** The delays are those since it was last asked. */
  families(): readonly MetricFamily[]
  close(): void
}

export function openProcessMetrics(): ProcessMetrics {
  const delay = monitorEventLoopDelay({ resolution: 20 })
  delay.enable()
  return {
    families() {
      const memory = process.memoryUsage()
      const shares: [string, number][] = [
        ['0.5', delay.percentile(50)],
        ['0.99', delay.percentile(99)],
        ['1', delay.max],
      ]
      const isIdle = delay.count === 0
      delay.reset()
      return [
        {
          name: 'countersign_event_loop_delay_seconds',
          help: 'The delay of the event loop since the last reading: half, 99 in 100, and all were no longer.',
          type: 'gauge',
          samples: shares.map(([quantile, nanoseconds]) => ({
            labels: { quantile },
            value: isIdle ? 0 : nanoseconds / 1e9,
          })),
        },
        {
          name: 'countersign_memory_bytes',
          help: 'Memory of the gateway process.',
          type: 'gauge',
          samples: [
            { labels: { kind: 'resident' }, value: memory.rss },
            { labels: { kind: 'heap' }, value: memory.heapUsed },
            { labels: { kind: 'external' }, value: memory.external },
          ],
        },
      ]
    },
    close: () => void delay.disable(),
  }
}
