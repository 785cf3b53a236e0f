/** A text that is read aloud stands on the command line. */
import { changeProgram } from './changed-program.ts'

changeProgram(import.meta.url, {
  file: 'speaking.ts',
  from: "'--stdin', '--stdout'], plain(text))",
  to: "'--stdout', ...plain(text).split(' ')])",
})
