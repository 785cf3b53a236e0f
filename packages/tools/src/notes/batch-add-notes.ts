/** Adds many notes at once. */
import { batchAddTool } from '../records/add.ts'
import { notes } from './notes.ts'

export const batchAddNotes = batchAddTool(notes, 'notes', {
  name: 'batch_add_notes',
  description: 'Write several notes at once, 100 at most.',
  tags: ['memo', 'write', 'save', 'many', 'bulk', 'import', 'each', 'thoughts', 'ideas', 'all these'],
})
