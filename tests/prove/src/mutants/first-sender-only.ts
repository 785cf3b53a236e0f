/** Of two From lines one is told. */
import { mutateProgram } from './mutated-program.ts'

mutateProgram(import.meta.url, 'mail.ts', 'if (all.length <= 1) return people', 'return people')
