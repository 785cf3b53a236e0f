/** The trials against a gateway in which a mutant is loaded. */
import { printTrials } from '../../mutants/mutated-gateway.ts'
import { runTrials } from './trials.ts'

await printTrials(runTrials)
