/** Changes fields of a note. */
import { updateTool } from '../records/change.ts'
import { notes } from './notes.ts'

export const updateNote = updateTool(notes, {
  name: 'update_note',
  description: 'Change fields of a note; null removes one. A new content replaces the whole text.',
  tags: [
    'memo',
    'edit',
    'modify',
    'change',
    'rewrite',
    'append',
    'add a line',
    'add to',
    'fix',
    'typo',
    'correct',
    'pin',
    'unpin',
  ],
  idParam: 'noteId',
})
