/** The trials against a gateway in which a mutant is loaded. Prints the result. */
import { runTrials } from './trials.ts'

const [n, seed, mutation] = process.argv.slice(2)
if (n === undefined || seed === undefined || mutation === undefined)
  throw new Error('n, seed and the file of the mutant are expected')
const nodeArguments = ['--disable-warning=ExperimentalWarning', '--import', mutation]
process.stdout.write(
  JSON.stringify(await runTrials({ n: Number(n), seed: Number(seed), nodeArguments, log: () => undefined })),
)
process.exit()
