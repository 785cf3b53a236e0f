/** Runs the proof of nodes in a process that a mutant was loaded into, and prints the result. */
import { runNodes } from './run.ts'

const [n = '10', seed = '1', mutation = ''] = process.argv.slice(2)
const result = await runNodes({ n: Number(n), seed: Number(seed), log: () => undefined, mutation })
process.stdout.write(JSON.stringify(result))
process.exit()
