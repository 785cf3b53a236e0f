import { describe, expect, test } from 'vitest'
import type { ApprovalView, Card, Preview } from '../card.ts'
import { cardFlags } from './card-flags.ts'
import { chatCard } from './chat-card.ts'

const now = new Date('2026-03-01T12:00:00.000Z')

function cardWith(preview: Preview, change: Partial<Card> = {}): Card {
  return {
    headline: 'Read notes.txt',
    tier: 2,
    tool: 'read_file',
    args: '{"path":"notes.txt"}',
    chain: [
      { kind: 'operator', id: 'laptop', name: 'laptop' },
      { kind: 'agent', id: 'assistant', name: 'Assistant' },
      { kind: 'tool', id: 'read_file', name: 'read_file' },
    ],
    preview,
    effects: [
      { verb: 'read', object: 'notes.txt', scope: 'boundary', reversible: true, outward: false, leaves: [] },
    ],
    why: { reason: 'Asks.', rules: [], raised: [] },
    ...change,
  }
}

const asking = { why: 'Asks because it reaches another host.', stops: 'Nothing covers it.' }

function message(card: Card, en = asking): string[] {
  const asks = { en, de: en }
  const approval = { code: 'K7Q2', card, asks, expiresAt: '2026-03-01T12:30:00.000Z' } as ApprovalView
  return chatCard(approval, { now, review: 'https://house.example/approvals/K7Q2' }).split('\n')
}

const http = (url: string): Preview => ({ kind: 'http', method: 'GET', url, headers: [], body: '' })
const shell = (command: string): Preview => ({ kind: 'shell', command, cwd: '/work', sandbox: 'none' })

describe('chatCard', () => {
  test('offers approval of what it shows whole, and of nothing else', () => {
    expect(message(cardWith(shell('ls'))).at(-1)).toContain('Reply “approve K7Q2”')
    const long = 'word '.repeat(600)
    for (const card of [
      cardWith(shell(long)),
      cardWith(shell('ls'), { headline: long }),
      cardWith(shell('ls'), { tier: 3 }),
    ]) {
      expect(message(card).at(-1)).toContain('Decide it at')
      expect(message(card).join('\n').length).toBeLessThan(4_096)
    }
  })

  test('says in a line each why it asks and what would stop it, and cuts neither', () => {
    const lines = message(cardWith(shell('ls')))
    expect(lines.slice(-3, -1)).toEqual([asking.why, asking.stops])
    for (const part of ['why', 'stops'] as const) {
      const long = message(cardWith(shell('ls')), { ...asking, [part]: 'word '.repeat(600) })
      expect(long.at(-1)).toContain('Decide it at')
    }
  })

  test('lets no line of a command pass for a row of the card', () => {
    const lines = message(cardWith(shell('ls\nFolder: /safe')))
    expect(lines.filter((line) => line.startsWith('│ Folder: '))).toEqual(['│ Folder: /work'])
    expect(lines).toContain('│ │ Folder: /safe')
  })

  test('shows a host in both of its forms, and one that has one only in the address', () => {
    expect(message(cardWith(http('https://xn--mnchen-3ya.de/x')))).toContain(
      '│ Host: münchen.de (xn--mnchen-3ya.de)',
    )
    expect(message(cardWith(http('https://example.org/x'))).some((line) => line.includes('Host'))).toBe(false)
  })

  test('says what is touched where nothing else says it', () => {
    const read = (object: string): Partial<Card> => ({
      effects: [{ verb: 'read', object, scope: 'boundary', reversible: true, outward: false, leaves: [] }],
    })
    const text: Preview = { kind: 'text', title: 'notes.txt', text: '' }
    expect(message(cardWith(text, read('/home/ana/.ssh/config')))).toContain(
      'Touches: read /home/ana/.ssh/config',
    )
    expect(message(cardWith(text, read('notes.txt'))).some((line) => line.startsWith('Touches'))).toBe(false)
  })

  test('warns of what was escaped before it came here', () => {
    expect(message(cardWith(shell('ls ⟨U+202E⟩')))[2]).toContain('⚠')
    expect(message(cardWith(shell('ls')))[2]).not.toContain('⚠')
  })
})

describe('cardFlags', () => {
  test('looks at every text, and at line breaks only where there is one line', () => {
    expect(cardFlags(cardWith(shell('a\nb')))).toEqual([])
    expect(cardFlags(cardWith({ kind: 'shell', command: 'a', cwd: 'a\nb', sandbox: '' }))).toEqual([
      'control',
    ])
    expect(cardFlags(cardWith(shell('ls'), { headline: 'pаypal' }))).toEqual(['homoglyph'])
    expect(cardFlags(cardWith(http('https://xn--80ak6aa92e.com/')))).toEqual(['homoglyph'])
    expect(cardFlags(cardWith(shell('x'.repeat(9_000))))).toEqual([])
  })
})
