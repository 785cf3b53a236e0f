/** Owns finding the processes of channels below a gateway. */
import { readFileSync } from 'node:fs'

export function adapterPids(gateway: number): number[] {
  return childrenOf(gateway).filter((pid) => commandOf(pid).includes('channels/src/main.ts'))
}

function childrenOf(pid: number): number[] {
  return read(`/proc/${pid}/task/${pid}/children`).split(' ').filter(Boolean).map(Number)
}

function commandOf(pid: number): string {
  return read(`/proc/${pid}/cmdline`).replaceAll('\0', ' ')
}

/** A process may be gone by now. */
function read(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}
