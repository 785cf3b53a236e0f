import { describe, expect, it } from 'vitest'
import { readChatLine } from './chat-command.ts'

describe('a line of a chat', () => {
  it.each([
    ['approve k7q2', { kind: 'approve', code: 'K7Q2' }],
    [' Approve  K7Q2 ', { kind: 'approve', code: 'K7Q2' }],
    ['/approve K7Q2', { kind: 'approve', code: 'K7Q2' }],
    ['deny K7Q2', { kind: 'deny', code: 'K7Q2', reason: '' }],
    ['DENY k7q2 use the portal', { kind: 'deny', code: 'K7Q2', reason: 'use the portal' }],
    ['deny K7Q2\nuse the portal', { kind: 'deny', code: 'K7Q2', reason: 'use the portal' }],
    ['/deny K7Q2 use the portal', { kind: 'deny', code: 'K7Q2', reason: 'use the portal' }],
    ['/status', { kind: 'command', command: { kind: 'status' } }],
    ['/start', { kind: 'command', command: { kind: 'unknown', name: 'start' } }],
    ['/approve', { kind: 'command', command: { kind: 'incomplete', name: 'approve' } }],
    ['/approve K7Q2 now', { kind: 'command', command: { kind: 'incomplete', name: 'approve' } }],
  ])('%s is for us', (text, line) => {
    expect(readChatLine(text)).toEqual(line)
  })

  it.each([
    'approve K7Q2 please',
    'approve K7Q2\nand K7Q3',
    'Please approve K7Q2',
    '> approve K7Q2',
    '"approve K7Q2"',
    'approve K7Q2.',
    'approve',
    'approve K7Q2K7Q2',
    'approve К7Q2',
    'approveK7Q2',
    'yes',
    'K7Q2',
    'I told them: /approve K7Q2',
    '',
  ])('%j is words', (text) => {
    expect(readChatLine(text)).toEqual({ kind: 'words' })
  })

  it('keeps a reason of a length that can be read', () => {
    const read = readChatLine(`/deny K7Q2 ${'x'.repeat(2_000)}`)
    expect(read.kind === 'deny' && read.reason.length).toBe(500)
  })
})
