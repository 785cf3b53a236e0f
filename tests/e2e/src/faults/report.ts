/** Owns what was seen of each fault: a row for each surface with its words and its time, and a picture where there is one. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'

export interface FaultReport {
  /** Waits for the words, and notes how long they took from now. */
  see(fault: string, surface: string, looking: () => Promise<string>): Promise<void>
  picture(page: Page, name: string): Promise<void>
  write(): void
}

interface Seen {
  readonly fault: string
  readonly surface: string
  readonly shows: string
  readonly seconds: number
}

/** Without a folder nothing is written, and what is seen is only looked at. */
export function createReport(folder: string | undefined): FaultReport {
  const rows: Seen[] = []
  if (folder !== undefined) mkdirSync(folder, { recursive: true })
  return {
    async see(fault, surface, looking) {
      const began = performance.now()
      const shows = await looking()
      rows.push({ fault, surface, shows, seconds: (performance.now() - began) / 1_000 })
    },
    async picture(page, name) {
      if (folder !== undefined) await page.screenshot({ path: join(folder, `${name}.png`) })
    },
    write() {
      if (folder === undefined) return
      const cell = (text: string) =>
        text
          .trim()
          .replaceAll(/\s*\n\s*/g, ' ⏎ ')
          .replaceAll('|', '\\|')
      const lines = rows.map(
        ({ fault, surface, shows, seconds }) =>
          `| ${fault} | ${surface} | ${cell(shows)} | ${seconds.toFixed(1)} |`,
      )
      const table = ['| Fault | Surface | Shows | Seconds |', '| --- | --- | --- | --- |', ...lines].join(
        '\n',
      )
      writeFileSync(join(folder, 'faults.md'), `${table}\n`)
      console.log(table)
    },
  }
}
