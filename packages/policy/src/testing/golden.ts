/** Compares text with a golden file. Writes it instead when UPDATE_GOLDEN=1 is set. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { expect } from 'vitest'

export function expectGolden(name: string, text: string): void {
  const path = new URL(`../golden/${name}`, import.meta.url)
  if (process.env['UPDATE_GOLDEN'] === '1') writeFileSync(path, text)
  const golden = existsSync(path) ? readFileSync(path, 'utf8') : ''
  const actual = text.split('\n')
  const expected = golden.split('\n')
  const differing = actual.flatMap((row, at) =>
    row === expected[at] ? [] : [{ was: expected[at], is: row }],
  )
  expect(
    { rows: actual.length, differing: differing.slice(0, 10) },
    `${name} differs; if that is meant, run UPDATE_GOLDEN=1 pnpm exec vitest run packages/policy and review the diff`,
  ).toEqual({ rows: expected.length, differing: [] })
}
