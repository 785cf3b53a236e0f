/** Whether a text is in a file is told before it is decided whether the file may be read. */
import { mutate } from './mutate.ts'

mutate(import.meta.url, [
  {
    file: 'tools/src/files/edit-file.ts',
    from: '  async effects({ path }, inspect) {',
    to: '  async effects({ path, oldText, newText, all }, inspect) {',
  },
  {
    file: 'tools/src/files/edit-file.ts',
    from: "    return {\n      kind: 'found',",
    to: `    const text = await inspect.text(seen.location, largestUndo)
    const made = text.kind === 'text' ? edited(text.text, { path, oldText, newText, all }) : undefined
    if (made?.kind === 'problem') return { kind: 'invalid', reason: made.reason }
    return {
      kind: 'found',`,
  },
])
