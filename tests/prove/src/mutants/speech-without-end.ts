/** A text is read aloud however long that takes. */
import { changeProgram } from './changed-program.ts'

changeProgram(import.meta.url, {
  file: 'speaking.ts',
  from: 'const mostSoundBytes = 26_460_000',
  to: 'const mostSoundBytes = 2e9',
})
