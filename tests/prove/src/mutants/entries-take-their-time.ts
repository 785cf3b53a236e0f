/** One entry of a calendar may take as long to be read as all of them. */
import { mutateProgram } from './mutated-program.ts'

mutateProgram(import.meta.url, 'calendar.ts', 'doneWithin(longestMs, work)', 'doneWithin(60_000, work)')
