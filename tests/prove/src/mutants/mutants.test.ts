import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test, vi } from 'vitest'
import type { Mutation } from './mutate.ts'

const told = vi.hoisted(() => [] as Mutation[])
vi.mock('./mutate.ts', () => ({
  mutate: (_self: string, mutations: readonly Mutation[]) => told.push(...mutations),
  mutateHere: (mutations: readonly Mutation[]) => told.push(...mutations),
}))

const here = new URL('.', import.meta.url)
const packages = new URL('../../../../packages/', here)
const names = readdirSync(here).filter(
  (name) => name.endsWith('.ts') && !/^(mutate|mutated-gateway|run-mutant)\.|\.test\./.test(name),
)

describe('a mutant changes text that is in the product exactly once', () => {
  test.each(names)('%s', async (name) => {
    told.length = 0
    await import(`./${name}`)
    for (const { file, from } of told)
      expect(readFileSync(new URL(file, packages), 'utf8').split(from), `${file}: ${from}`).toHaveLength(2)
    expect(told.length).toBeGreaterThan(0)
  })
})
