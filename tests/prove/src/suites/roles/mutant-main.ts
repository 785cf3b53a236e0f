/** The trials in a process of their own, in which a mutant was loaded first. Prints the result. */
import { runRoles } from './trials.ts'

const [n, seed] = process.argv.slice(2).map(Number)
const result = await runRoles({ n: n ?? 1, seed: seed ?? 1, log: () => undefined })
process.stdout.write(JSON.stringify(result))
