/** Waits until what is written next gets a later change time than all that was written before. Never for use outside tests. */
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

export async function laterTick(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'tick-'))
  const present = () => {
    writeFileSync(join(folder, 'now'), 'x')
    return statSync(join(folder, 'now')).ctimeMs
  }
  try {
    const began = present()
    while (present() <= began) await sleep(1)
  } finally {
    rmSync(folder, { recursive: true })
  }
}
