/** The weeks in a process of their own, in which a mutant was loaded first. Prints the result. */
import { runWeeks } from './trials.ts'

const [n] = process.argv.slice(2)
process.stdout.write(JSON.stringify(await runWeeks({ n: Number(n), log: () => undefined })))
process.exit()
