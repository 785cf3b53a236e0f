/** Owns how a test finds the process of the executor, which it kills. */
import { readFileSync } from 'node:fs'

/** The child of the gateway that runs the executor's program. */
export function executorOf(gateway: number): number {
  const children = readFileSync(`/proc/${gateway}/task/${gateway}/children`, 'utf8').trim().split(' ')
  const found = children.find((pid) =>
    readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('executor/src/main.ts'),
  )
  if (found === undefined) throw new Error('The gateway has no executor.')
  return Number(found)
}
