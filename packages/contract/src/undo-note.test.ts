import { expect, it } from 'vitest'
import type { CallId, RunId } from './ids.ts'
import { readUndoNote, undoNoteText } from './undo-note.ts'

it('is read as it was written', () => {
  const calls = ['call_2', 'call_1'] as string[] as CallId[]
  const text = undoNoteText(
    'run_9' as string as RunId,
    calls.map((id) => ({ id, tool: 'move_file' })),
  )
  expect(text).toBe(
    'Note of Countersign: the operator took back what run_9 did: move_file (call_2), move_file (call_1).',
  )
  expect(readUndoNote(text)).toEqual({ run: 'run_9', calls })
  expect(readUndoNote('Take back (call_1).')).toBeNull()
})
