/** Deletes a note; an undo brings it back. */
import { deleteTool } from '../records/change.ts'
import { notes } from './notes.ts'

export const deleteNote = deleteTool(notes, {
  name: 'delete_note',
  description: 'Delete a note.',
  tags: ['memo', 'remove', 'erase', 'discard', 'throw away', 'get rid', 'need any more'],
  idParam: 'noteId',
})
