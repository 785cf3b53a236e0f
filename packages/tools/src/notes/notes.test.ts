import { describe, expect, it } from 'vitest'
import { parseArgs } from '../definition.ts'
import { createRecordToolRunner } from '../testing/record-tool-runner.ts'
import { addNote } from './add-note.ts'
import { batchAddNotes } from './batch-add-notes.ts'
import { listNotes } from './list-notes.ts'
import { updateNote } from './update-note.ts'

describe('notes', () => {
  it('are listed pinned first, then those changed last', async () => {
    const test = createRecordToolRunner()
    await test.use(batchAddNotes, {
      notes: [
        { title: 'A', content: 'a' },
        { title: 'B', content: 'b', isPinned: true },
        { title: 'C', content: 'c' },
      ],
    })
    const { records } = await test.records.list('notes', { where: { title: 'A' }, limit: 1 })
    if ('now' in test.records) test.records.now = new Date('2026-03-02T00:00:00Z')
    await test.use(updateNote, { noteId: records[0]?.id ?? '', content: 'again' })
    const { result } = await test.use(listNotes, {})
    expect([...result.text.matchAll(/"title":"(.)"/g)].map(([, title]) => title).join('')).toBe('BAC')
  })

  it('are told whole when there is one, and cut when there are many', async () => {
    const test = createRecordToolRunner()
    const content = `${'x'.repeat(15_000)}END`
    await test.use(addNote, { title: 'Long', content })
    expect((await test.use(listNotes, {})).result.text).toContain('END')
    await test.use(batchAddNotes, { notes: Array.from({ length: 9 }, () => ({ title: 'Long', content })) })
    const { result } = await test.use(listNotes, {})
    expect(result.text).not.toContain('END')
    expect(result.text).toContain('are cut')
    expect(result.text.length).toBeLessThan(25_000)
    expect((await test.use(listNotes, { limit: 1 })).result.text).toContain('END')
  })

  it('keep lines and signs of every alphabet, and refuse control characters and too much', () => {
    const kind = (content: string) => parseArgs(addNote, { title: 'N', content }).kind
    expect(kind('# Ü\r\n\n\t- 👨‍👩‍👧 ‏שלום')).toBe('args')
    expect(kind('a\u0000b')).toBe('invalid')
    expect(kind('a\u001b[31mb')).toBe('invalid')
    expect(kind('x'.repeat(100_000))).toBe('args')
    expect(kind('x'.repeat(100_001))).toBe('invalid')
  })
})
