import type { ToolDefinition } from '../definition.ts'
import { addNote } from './add-note.ts'
import { batchAddNotes } from './batch-add-notes.ts'
import { deleteNote } from './delete-note.ts'
import { listNotes } from './list-notes.ts'
import { updateNote } from './update-note.ts'

export { notes } from './notes.ts'

export const notesTools: readonly ToolDefinition[] = [
  addNote,
  batchAddNotes,
  listNotes,
  updateNote,
  deleteNote,
]
