import type { KeyboardEvent } from 'react'
import { expect, test } from 'vitest'
import { submitsByKey } from './form-dialog.tsx'

/** Whether the form is submitted by this key. */
function submits(event: Partial<KeyboardEvent<HTMLFormElement>>): boolean {
  let submitted = false
  const currentTarget = { requestSubmit: () => (submitted = true) }
  submitsByKey({ preventDefault: () => undefined, currentTarget, ...event } as never)
  return submitted
}

test('is submitted by Enter with Ctrl or the command key, once', () => {
  expect(submits({ key: 'Enter', ctrlKey: true })).toBe(true)
  expect(submits({ key: 'Enter', metaKey: true })).toBe(true)
  expect(submits({ key: 'Enter', ctrlKey: true, repeat: true })).toBe(false)
  expect(submits({ key: 'Enter' })).toBe(false)
  expect(submits({ key: 'a', ctrlKey: true })).toBe(false)
})
