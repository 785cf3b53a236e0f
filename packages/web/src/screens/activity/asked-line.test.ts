import { idFrom } from '@countersign/contract'
import { expect, test } from 'vitest'
import { askedLine, runTitle } from './asked-line.ts'

test('shows line ends as spaces', () => {
  expect(askedLine('Read\n\nthis ')).toBe('Read this')
})

test('writes out what would turn the text around', () => {
  expect(askedLine('a\u202eb')).toBe('a⟨U+202E⟩b')
})

test('a run that took something back is called so, and a message that says so is not', () => {
  const run = { id: idFrom('run', '1'.repeat(32)), asked: 'Note of Countersign: …', calls: 2 }
  expect(runTitle({ ...run, kind: 'undo' })).toBe('You undid 2 actions')
  expect(runTitle({ ...run, kind: 'agent' })).toBe('Note of Countersign: …')
})
