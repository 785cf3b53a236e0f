/** Compares text with a golden file. Writes it instead when UPDATE_GOLDEN=1 is set. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { expect } from 'vitest'

export function expectGolden(name: string, text: string): void {
  const path = new URL(`../golden/${name}`, import.meta.url)
  if (process.env['UPDATE_GOLDEN'] === '1') writeFileSync(path, text)
  const golden = existsSync(path) ? readFileSync(path, 'utf8') : ''
  expect(
    text.split('\n'),
    `${name} differs; if that is meant, run UPDATE_GOLDEN=1 pnpm exec vitest run packages/agent/src/prompt and review the diff`,
  ).toEqual(golden.split('\n'))
}
