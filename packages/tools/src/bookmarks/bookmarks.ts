/** Owns what a bookmark is: an address on the web, under a name. */
import { Bookmark } from '@countersign/contract'
import { defineCollection, textIn } from '../records/collection.ts'

export const bookmarks = defineCollection({
  name: 'bookmarks',
  singular: 'bookmark',
  prefix: 'bm',
  category: 'bookmarks',
  group: 'bookmarks',
  shape: Bookmark,
  title: 'title',
  columns: ['url', 'title', 'category', 'tags', 'isFavorite'],
  long: ['description'],
  search: ['title', 'url', 'description', 'tags'],
  filters: {
    category: { field: 'category', how: 'equal' },
    tag: { field: 'tags', how: 'holds' },
    isFavorite: { field: 'isFavorite', how: 'equal' },
  },
  order: [],
  settle: (data) => ({
    kind: 'data',
    data: { ...data, title: data['title'] ?? new URL(textIn(data, 'url')).host },
  }),
})
