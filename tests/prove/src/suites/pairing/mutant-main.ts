/** Runs the proof of pairing in a process that a mutant was loaded into, and prints the result. */
import { runPairing } from './run.ts'

const [n = '10', seed = '1'] = process.argv.slice(2)
const result = await runPairing({
  n: Number(n),
  seed: Number(seed),
  log: () => undefined,
  isServerTried: false,
})
process.stdout.write(JSON.stringify(result))
process.exit()
