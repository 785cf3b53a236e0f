/** Owns where the log of the gateway lies on its host, and how its end is read. */
import { closeSync, existsSync, fstatSync, openSync, readSync } from 'node:fs'
import { join } from 'node:path'

/** Far more than anybody reads; a log can be larger than memory. */
const mostBytes = 1_048_576

export function gatewayLog(logs: string): string {
  return join(logs, 'gateway.log')
}

export function lastLines(log: string, count: number): string[] {
  if (!existsSync(log)) return []
  const file = openSync(log, 'r')
  try {
    const { size } = fstatSync(file)
    const from = Math.max(0, size - mostBytes)
    const buffer = Buffer.alloc(size - from)
    const lines = buffer
      .subarray(0, readSync(file, buffer, 0, buffer.length, from))
      .toString('utf8')
      .trimEnd()
      .split('\n')
    // The first one is cut where not all was read.
    return (from === 0 ? lines : lines.slice(1)).slice(-count)
  } finally {
    closeSync(file)
  }
}
