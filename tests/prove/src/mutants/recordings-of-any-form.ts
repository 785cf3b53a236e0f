/** A recording is opened in any form that ffmpeg knows, also in those that name other files. */
import { changeProgram } from './changed-program.ts'

changeProgram(import.meta.url, {
  file: 'ffmpeg.ts',
  from: ", '-format_whitelist', forms]",
  to: ', ...forms.slice(0, 0)]',
})
