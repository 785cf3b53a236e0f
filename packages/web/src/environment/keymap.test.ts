import { describe, expect, test } from 'vitest'
import { isPlain, type KeyPress, keysForAria, keysForPeople, matchKeys, strokeOf } from './keymap.ts'
import { audible } from './keys.tsx'

const press = (key: string, more: Partial<KeyPress> = {}): KeyPress => ({
  key,
  code: /^[a-z]$/i.test(key) ? `Key${key.toUpperCase()}` : '',
  metaKey: false,
  ctrlKey: false,
  altKey: false,
  shiftKey: false,
  ...more,
})

describe('strokeOf', () => {
  test('names letters, characters and keys', () => {
    expect(strokeOf(press('a'), true)).toBe('a')
    expect(strokeOf(press('?', { shiftKey: true }), true)).toBe('?')
    expect(strokeOf(press('$', { shiftKey: true }), true)).toBe('$')
    expect(strokeOf(press('Y', { shiftKey: true }), true)).toBe('shift+y')
    expect(strokeOf(press('Escape'), true)).toBe('escape')
    expect(strokeOf(press(' '), true)).toBe('space')
  })

  test('knows the modifier of each system and refuses the other', () => {
    expect(strokeOf(press('k', { metaKey: true }), true)).toBe('mod+k')
    expect(strokeOf(press('k', { ctrlKey: true }), false)).toBe('mod+k')
    expect(strokeOf(press('k', { ctrlKey: true }), true)).toBeUndefined()
    expect(strokeOf(press('k', { metaKey: true }), false)).toBeUndefined()
  })

  test('reads the place of a key where shift or the keyboard changes what it writes', () => {
    expect(strokeOf(press('>', { code: 'Period', ctrlKey: true, shiftKey: true }), false)).toBe('mod+shift+.')
    expect(strokeOf(press('ф', { code: 'KeyA' }), false)).toBe('a')
    expect(strokeOf(press('J', { ctrlKey: true, shiftKey: true }), false)).toBe('mod+shift+j')
  })

  test('never takes a letter or a digit with Alt for the letter alone', () => {
    expect(strokeOf(press('t', { altKey: true }), false)).toBe('alt+t')
    expect(strokeOf(press('å', { code: 'KeyA', altKey: true }), true)).toBe('alt+a')
    expect(strokeOf(press('Å', { code: 'KeyA', altKey: true, shiftKey: true }), true)).toBe('alt+shift+a')
    expect(strokeOf(press('4', { code: 'Digit4', altKey: true }), false)).toBe('alt+4')
    const getModifierState = (name: string) => name === 'AltGraph'
    expect(strokeOf(press('ß', { code: 'KeyS', getModifierState }), false)).toBe('alt+s')
  })

  test('takes a sign for itself where the keyboard writes it with Alt', () => {
    expect(strokeOf(press('[', { code: 'Digit5', altKey: true }), true)).toBe('[')
  })

  test('is nothing for a modifier alone', () => {
    for (const key of ['Shift', 'Control', 'Meta', 'Alt', 'Dead'])
      expect(strokeOf(press(key), false)).toBeUndefined()
  })
})

describe('matchKeys', () => {
  const rows = [
    { keys: 'g a', label: 'Approvals' },
    { keys: 'a', label: 'Approve' },
    { keys: 'x', label: 'outer' },
    { keys: 'x', label: 'inner' },
  ]

  test('waits for the second stroke of a sequence and then finds it', () => {
    expect(matchKeys('', 'g', rows)).toEqual({ found: undefined, pending: 'g' })
    expect(matchKeys('g', 'a', rows).found?.label).toBe('Approvals')
  })

  test('runs nothing for a stroke that does not end the sequence, and forgets the sequence', () => {
    for (const stroke of ['x', 'q', 'escape'])
      expect(matchKeys('g', stroke, rows)).toEqual({ found: undefined, pending: '' })
  })

  test('begins the sequence again with its own first stroke, so that a held key leaves nothing to run alone', () => {
    expect(matchKeys('g', 'g', rows)).toEqual({ found: undefined, pending: 'g' })
  })

  test('prefers what was registered last', () => {
    expect(matchKeys('', 'x', rows).found?.label).toBe('inner')
  })
})

describe('a key', () => {
  test('says which keys are plain characters, which can be switched off', () => {
    for (const keys of ['a', 'g a', '?', 'shift+y', '/']) expect(isPlain(keys)).toBe(true)
    for (const keys of ['mod+k', 'mod+shift+.', 'escape', 'enter']) expect(isPlain(keys)).toBe(false)
  })

  test('is written as people read it', () => {
    expect(keysForPeople('mod+shift+.', true)).toBe('⌘⇧.')
    expect(keysForPeople('mod+k', false)).toBe('Ctrl K')
    expect(keysForPeople('g a', true)).toBe('G A')
    expect(keysForAria('mod+k', true)).toBe('Meta+K')
    expect(keysForAria('g a', true)).toBeUndefined()
  })
})

test('a dialog silences the keys of the screen below it', () => {
  const run = () => undefined
  const screen = { name: 'Approvals', modal: false, bindings: [{ keys: 'a', label: 'Approve', run }] }
  const dialog = { name: 'dialog', modal: true, bindings: [] }
  expect(audible([screen])).toHaveLength(1)
  expect(audible([screen, dialog])).toHaveLength(0)
})
