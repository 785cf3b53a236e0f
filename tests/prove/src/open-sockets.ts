/** Counts the sockets that a process holds, also those whose other side is long gone. */
import { readdirSync, readlinkSync } from 'node:fs'

export function openSockets(pid: number): number {
  const folder = `/proc/${pid}/fd`
  return readdirSync(folder).filter((name) => isSocket(`${folder}/${name}`)).length
}

function isSocket(link: string): boolean {
  try {
    return readlinkSync(link).startsWith('socket:')
  } catch {
    // Closed since it was listed.
    return false
  }
}
