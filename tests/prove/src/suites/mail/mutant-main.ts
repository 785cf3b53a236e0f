/** The trials in a process of their own, in which a mutant was loaded first. Prints the result. */
import { runTrials } from './trials.ts'

const [n, seed] = process.argv.slice(2).map(Number)
const [, , , , mutation] = process.argv
if (n === undefined || seed === undefined) throw new Error('n and seed are expected')
process.stdout.write(JSON.stringify(await runTrials({ n, seed, log: () => undefined, mutation })))
process.exit()
