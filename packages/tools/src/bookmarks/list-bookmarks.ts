/** Lists bookmarks, the newest first. */
import { listTool } from '../records/list.ts'
import { bookmarks } from './bookmarks.ts'

export const listBookmarks = listTool(bookmarks, {
  name: 'list_bookmarks',
  description: 'List bookmarks, the newest first.',
  tags: [
    'link',
    'url',
    'show',
    'find',
    'search',
    'favourite',
    'favorite',
    'saved',
    'i saved',
    'pages',
    'site',
    'websites',
    'articles',
    'reading list',
  ],
})
