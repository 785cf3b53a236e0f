/** The attacks of one mutant in a process of their own, in which it was loaded first. Prints the result. */
import { basename } from 'node:path'
import { runTrials } from './trials.ts'

const [n, seed, mutation] = process.argv.slice(2)
if (n === undefined || seed === undefined || mutation === undefined)
  throw new Error('n, seed and the file of the mutant are expected')
const result = await runTrials({
  n: Number(n),
  seed: Number(seed),
  mutant: basename(mutation, '.ts'),
  mutation,
  log: (line) => process.stderr.write(`${line}\n`),
})
// A mutant is caught when its attack gets in, not when something else goes wrong.
const rows = (result.details?.['rows'] ?? []) as { open: boolean }[]
process.stdout.write(JSON.stringify({ ...result, failures: rows.filter(({ open }) => open).length }))
process.exit()
