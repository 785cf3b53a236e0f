/** A recording may be a list of other files. */
import { changeProgram } from './changed-program.ts'

changeProgram(import.meta.url, {
  file: 'ffmpeg.ts',
  from: "['-v', 'error', '-protocol_whitelist', 'file', '-format_whitelist', forms]",
  to: "['-v', 'error', '-protocol_whitelist', 'file,crypto,data,http,tcp', ...forms.slice(0, 0)]",
})
