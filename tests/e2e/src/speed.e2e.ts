/** How much the app fetches before it is there. */
import { expect, test } from 'vitest'
import { distFolder } from './built-pages.ts'
import { firstScripts } from './first-script.ts'

const mostGzipBytes = 180_000

test('the first script is at most 180 kB', () => {
  const files = firstScripts(distFolder)
  const total = files.reduce((sum, { gzipBytes }) => sum + gzipBytes, 0)
  for (const { name, gzipBytes } of files) console.log(`${name}  ${kilobytes(gzipBytes)}`)
  console.log(`first script: ${kilobytes(total)} gzip of ${kilobytes(mostGzipBytes)}`)
  expect(files.length).toBeGreaterThan(0)
  expect(total).toBeLessThanOrEqual(mostGzipBytes)
})

function kilobytes(bytes: number): string {
  return `${(bytes / 1_000).toFixed(1)} kB`
}
