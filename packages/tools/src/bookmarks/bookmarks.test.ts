import type { JsonObject } from '@countersign/contract'
import { describe, expect, it } from 'vitest'
import { parseArgs } from '../definition.ts'
import { createRecordToolRunner } from '../testing/record-tool-runner.ts'
import { addBookmark } from './add-bookmark.ts'
import { batchAddBookmarks } from './batch-add-bookmarks.ts'
import { deleteBookmark } from './delete-bookmark.ts'
import { listBookmarks } from './list-bookmarks.ts'

describe('bookmarks', () => {
  it('take the host for a title, unless one is given', async () => {
    const test = createRecordToolRunner()
    await test.use(batchAddBookmarks, {
      bookmarks: [{ url: 'https://example.org:8443/a?b=c#d' }, { url: 'http://b.example', title: 'B' }],
    })
    const { records } = await test.records.list('bookmarks', { limit: 9 })
    expect(records.map(({ data }) => JSON.stringify(data['title'])).toSorted()).toEqual([
      '"B"',
      '"example.org:8443"',
    ])
  })

  it('take addresses on the web only, and none that carries a password', () => {
    for (const url of [
      'javascript:alert(1)',
      'file:///etc/passwd',
      'ftp://example.org',
      'example.org',
      'https://',
      'https://name:password@example.org',
      'https://exa mple.org',
      'https://example.org/\u202Egpj.exe',
      ' https://example.org',
    ]) {
      expect(parseArgs(addBookmark, { url }).kind, url).toBe('invalid')
    }
    expect(parseArgs(addBookmark, { url: 'https://example.org/%20?q=ü' }).kind).toBe('args')
  })

  it('are found by tag, category, favourite and words, and deleted', async () => {
    const test = createRecordToolRunner()
    await test.use(addBookmark, { url: 'https://a.example', tags: ['news', 'tech'], category: 'reading' })
    await test.use(addBookmark, { url: 'https://b.example', tags: ['newsletter'], isFavorite: true })
    const hosts = async (args: JsonObject) =>
      [...(await test.use(listBookmarks, args)).result.text.matchAll(/https:\/\/(\w)/g)].map(
        ([, host]) => host,
      )
    expect(await hosts({})).toEqual(['b', 'a'])
    expect(await hosts({ tag: 'news' })).toEqual(['a'])
    expect(await hosts({ category: 'reading' })).toEqual(['a'])
    expect(await hosts({ isFavorite: true })).toEqual(['b'])
    expect(await hosts({ search: 'NEWSLETTER' })).toEqual(['b'])
    const { records } = await test.records.list('bookmarks', { limit: 1 })
    await test.use(deleteBookmark, { bookmarkId: records[0]?.id ?? '' })
    expect(await hosts({})).toEqual(['a'])
  })
})
