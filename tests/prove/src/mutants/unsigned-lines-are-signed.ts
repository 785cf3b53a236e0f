/** A signature under the body and one From line is under all that is shown. */
import { mutateProgram } from './mutated-program.ts'

mutateProgram(
  import.meta.url,
  'mail-sender.ts',
  'shownFields.every(isSigned)',
  'shownFields.slice(0, 1).every((field) => under.has(field))',
)
