/** Of two From lines one is told. */
import { mutateProgram } from './mutated-program.ts'

mutateProgram(import.meta.url, 'mail.ts', 'all.flatMap(', 'all.slice(0, 1).flatMap(')
