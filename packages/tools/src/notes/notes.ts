/** Owns what a note is: a text in Markdown under a title. */
import { Note } from '@countersign/contract'
import { defineCollection } from '../records/collection.ts'

export const notes = defineCollection({
  name: 'notes',
  singular: 'note',
  prefix: 'note',
  category: 'notes',
  group: 'notes',
  shape: Note,
  title: 'title',
  columns: ['title', 'content', 'category', 'tags', 'isPinned'],
  long: ['content'],
  search: ['title', 'content', 'tags'],
  filters: {
    category: { field: 'category', how: 'equal' },
    tag: { field: 'tags', how: 'holds' },
    isPinned: { field: 'isPinned', how: 'equal' },
  },
  order: [
    { field: 'isPinned', direction: 'down' },
    { field: 'updatedAt', direction: 'down' },
  ],
})
