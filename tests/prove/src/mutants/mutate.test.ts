import { execFile } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'

const notMutants = ['mutate.ts', 'mutated-gateway.ts', 'run-mutant.ts']

it('no mutant is outgrown: each changes a text that is there once', { timeout: 30_000 }, async () => {
  const mutants = readdirSync(import.meta.dirname).filter(
    (name) => !name.endsWith('.test.ts') && !notMutants.includes(name),
  )
  const program = `for (const name of ${JSON.stringify(mutants)})
    await import(new URL(name, 'file://${import.meta.dirname}/')).catch(({ message }) => console.log(name, message))`
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', program])
  expect(mutants.length).toBeGreaterThan(100)
  expect(stdout).toBe('')
})
