/** Adds one bookmark. */
import { addTool } from '../records/add.ts'
import { bookmarks } from './bookmarks.ts'

export const addBookmark = addTool(bookmarks, {
  name: 'add_bookmark',
  description: 'Save a web address as a bookmark.',
  tags: [
    'link',
    'url',
    'save',
    'keep',
    'favourite',
    'favorite',
    'read later',
    'for later',
    'website',
    'site',
    'page',
    'article',
  ],
})
