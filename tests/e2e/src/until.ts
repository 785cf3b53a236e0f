/** Waits for something that comes by itself, for as long as a slow machine may need. */
import { setTimeout as sleep } from 'node:timers/promises'

export async function until<T>(
  look: () => Promise<T | undefined | false> | T | undefined | false,
  { patienceMs = 60_000, what = 'what was waited for' }: { patienceMs?: number; what?: string } = {},
): Promise<T> {
  const end = Date.now() + patienceMs
  for (;;) {
    const seen = await look()
    if (seen !== undefined && seen !== false) return seen
    if (Date.now() > end) throw new Error(`It did not come: ${what}.`)
    await sleep(50)
  }
}
