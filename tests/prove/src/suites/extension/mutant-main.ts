/** The trials that are about a mutant, in a process of their own in which it was loaded first. Prints the result. */
import { basename } from 'node:path'
import { runTrials } from './trials.ts'

const [n, seed, mutation] = process.argv.slice(2)
if (n === undefined || seed === undefined || mutation === undefined)
  throw new Error('n, seed and a mutation are expected')
const mutant = basename(mutation, '.ts')
const result = await runTrials({ n: Number(n), seed: Number(seed), mutant, log: () => undefined })
process.stdout.write(JSON.stringify(result))
process.exit()
