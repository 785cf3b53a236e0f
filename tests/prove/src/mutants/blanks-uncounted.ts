/** Long runs of blanks are shown as they are. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'contract/src/display/sanitise.ts',
    from: 'escapeRun(run, offset, text, multiline, flags) : collapseBlanks(blanks, flags),',
    to: 'escapeRun(run, offset, text, multiline, flags) : blanks,',
  },
])
