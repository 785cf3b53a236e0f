/** Waits for something that comes by itself, for as long as a slow machine may need. */
import { setTimeout as sleep } from 'node:timers/promises'

/** How long anything in these tests is waited for, in the browser too. */
export const patienceMs = 120_000

export async function until<T>(
  look: () => Promise<T | undefined | false> | T | undefined | false,
  { what = 'what was waited for' }: { what?: string } = {},
): Promise<T> {
  const end = Date.now() + patienceMs
  for (;;) {
    const seen = await look()
    if (seen !== undefined && seen !== false) return seen
    if (Date.now() > end) throw new Error(`It did not come: ${what}.`)
    await sleep(50)
  }
}
