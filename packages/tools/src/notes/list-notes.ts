/** Lists notes, pinned ones first. */
import { listTool } from '../records/list.ts'
import { notes } from './notes.ts'

export const listNotes = listTool(notes, {
  name: 'list_notes',
  description: 'List notes with their text, pinned and recent ones first.',
  tags: [
    'memo',
    'read',
    'show',
    'find',
    'search',
    'pinned',
    'journal',
    'my notes',
    'my ideas',
    'did i write',
    'wrote about',
  ],
})
