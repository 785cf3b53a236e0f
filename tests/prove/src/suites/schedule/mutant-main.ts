/** Runs the proof of schedules in a process that a mutant was loaded into, and prints the result. */
import { runSchedule } from './run.ts'

const [n = '10', seed = '1'] = process.argv.slice(2)
const result = await runSchedule({ n: Number(n), seed: Number(seed), log: () => undefined })
process.stdout.write(JSON.stringify(result))
process.exit()
