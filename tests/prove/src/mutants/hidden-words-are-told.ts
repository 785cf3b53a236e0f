/** Words that a style hides are told as if they were seen. */
import { mutateProgram } from './mutated-program.ts'

mutateProgram(import.meta.url, 'office/looks.ts', "=== true) return 'hidden'", "=== true) return 'seen'")
