import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { jobGroups, sample } from './list.ts'

const titles = jobGroups.flatMap(({ jobs }) => jobs.map(({ title }) => title))

test('there are sixty jobs, each with a title of its own', () => {
  expect(titles.length).toBeGreaterThanOrEqual(60)
  expect(new Set(titles).size).toBe(titles.length)
  expect(sample).toHaveLength(8)
})

test('the documentation lists them', () => {
  const page = readFileSync(new URL('../../../../docs/developers/jobs.md', import.meta.url), 'utf8')
  // `pnpm jobs --list` prints the table.
  expect(titles.filter((title) => !page.includes(title))).toEqual([])
})
