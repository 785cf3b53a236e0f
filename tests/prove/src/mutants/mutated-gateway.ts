/** Owns trials against a gateway in which a mutant is loaded, in a process of their own. Prints the result. */
import type { SuiteOptions, SuiteResult } from '../suite.ts'

export type GatewayTrials = (
  options: SuiteOptions & { readonly nodeArguments: readonly string[] },
) => Promise<SuiteResult>

/** The program is given what `runMutant` gives it. */
export async function printTrials(runTrials: GatewayTrials): Promise<never> {
  const [n, seed, mutation] = process.argv.slice(2)
  if (n === undefined || seed === undefined || mutation === undefined)
    throw new Error('n, seed and the file of the mutant are expected')
  const nodeArguments = ['--disable-warning=ExperimentalWarning', '--import', mutation]
  const options = { n: Number(n), seed: Number(seed), nodeArguments, log: () => undefined }
  process.stdout.write(JSON.stringify(await runTrials(options)))
  process.exit()
}
