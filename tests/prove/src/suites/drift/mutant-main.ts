/** The changes inside in a process of their own, in which a mutant was loaded first. Prints the result. */
import { changeInside } from './inside.ts'

const [n] = process.argv.slice(2)
if (n === undefined) throw new Error('n is expected')
const { trials, wrong, ends } = await changeInside(Number(n), (line) => process.stderr.write(`${line}\n`))
const details = { inside: ends, examples: wrong.slice(0, 10) }
process.stdout.write(JSON.stringify({ n: trials, failures: wrong.length, details }))
process.exit()
