/** Adds one note. */
import { addTool } from '../records/add.ts'
import { notes } from './notes.ts'

export const addNote = addTool(notes, {
  name: 'add_note',
  description: 'Write a note in Markdown.',
  tags: [
    'memo',
    'write',
    'write down',
    'jot',
    'jot down',
    'note down',
    'make a note',
    'save',
    'keep',
    'idea',
    'thought',
    'recipe',
    'journal',
    'diary entry',
    'minutes',
    'remember that',
  ],
})
