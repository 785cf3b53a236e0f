/** Runs the trials of witnesses in a process of its own, with a mutant loaded before. */
import { tryWitnesses } from './ledger-witness-trials.ts'

const [n = '20', seed = '1'] = process.argv.slice(2)
const result = await tryWitnesses({ n: Number(n), seed: Number(seed), log: () => undefined })
process.stdout.write(JSON.stringify(result))
