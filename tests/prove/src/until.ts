/** Waits until something holds. False when the time was over first. */
import { setTimeout as sleep } from 'node:timers/promises'

export async function until(holds: () => Promise<boolean> | boolean, patienceMs: number): Promise<boolean> {
  const end = Date.now() + patienceMs
  while (!(await holds())) {
    if (Date.now() > end) return false
    await sleep(20)
  }
  return true
}
