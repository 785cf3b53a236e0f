import { ApprovalSubject, type ApprovalView, type RunId } from '@countersign/contract'
import type { HostIdentity } from '@countersign/contract/node'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { cardKeys, fullCard, mustBeRead, shortCard } from './card.ts'
import { unpainted } from './output/colour.ts'
import { testHome } from './testing/home.ts'
import { approvalDetail } from './testing/records.ts'

const home = testHome()
let identity: HostIdentity
beforeAll(() => {
  identity = home.establish()
})
afterAll(() => home.remove())

const now = new Date('2026-08-01T14:04:00.000Z')
const style = { paint: unpainted, moment: { now, zone: 'UTC' } }
const run = `run_${'0'.repeat(32)}` as RunId
const example = (card = {}) => approvalDetail({ identity, code: 'K7Q2', tier: 3, now, run, card })
const viewOf = (card = {}): ApprovalView => example(card).approval

it('shows a short card in a conversation', () => {
  expect(shortCard(viewOf(), style)).toBe(`⏸ Approval K7Q2 · Leaves your hands · expires 14:34 (30 min)
  POST https://api.example/v1/invoices
  you (laptop) → Assistant → run 00000000 → http_request
    POST    https://api.example/v1/invoices
    Host    api.example
    Header  content-type: application/json
    Body    {"to":"ana"}
  Arguments
    body    {"to":"ana"}
    method  POST
    url     https://api.example/v1/invoices
  Sent elsewhere: the body, 12 bytes   Undo: none
  Asks because it reaches another host.
  Nothing that you can allow in advance covers it.`)
})

it('does not list arguments again that stand above with the same words', () => {
  const rows = [
    ['name', 'Tidy'],
    ['tierMax', '1'],
  ]
  const table = (of: string[][]) => ({ kind: 'table', title: 'New', columns: ['Field', 'Value'], rows: of })
  const shown = (of: string[][]) =>
    shortCard(viewOf({ preview: table(of), args: '{"name":"Tidy","tierMax":1}' }), style)
  expect(shown(rows)).toContain('Arguments: exactly as above\n')
  expect(shown(rows).split('Tidy')).toHaveLength(2)
  for (const other of [rows.slice(1), [['name', 'Tidy up'], ...rows.slice(1)]])
    expect(shown(other)).toContain('  Arguments\n    name     Tidy\n')
})

it('shows the whole card in the order of a decision', () => {
  const { approval, subject } = example()
  const digest = approval.digest
  expect(
    fullCard(approval, style, ApprovalSubject.parse(JSON.parse(subject))),
  ).toBe(`Approval K7Q2 · Leaves your hands · expires 14:34 (30 min)
  POST https://api.example/v1/invoices
  you (laptop) → Assistant → ${run} → http_request

Exactly what will run
  POST    https://api.example/v1/invoices
  Host    api.example
  Header  content-type: application/json
  Body    {"to":"ana"}

Arguments
  body    {"to":"ana"}
  method  POST
  url     https://api.example/v1/invoices

What it can affect
  send  https://api.example  outside what you gave the agent, visible to others, cannot be undone
  Sent elsewhere: the body, 12 bytes

Why you are asked
  Asks because it reaches another host.
  Nothing that you can allow in advance covers it.
  base.cedar:12  egress.new-host  “ask before the first contact”
  raised: text came from a web page

Agent says (unverified)
  │ Ana handles invoices.

Sealed bytes
  Tool     http_request 1
  Sandbox  none, network named
  Digest   ${digest}

You may
  once  http_request once`)
})

it('shows a long file whole, and in a conversation asks to read it first', () => {
  const content = Array.from({ length: 300 }, (_none, at) => `row ${at}`).join('\n')
  const view = viewOf({ preview: { kind: 'write', path: 'books/all.csv', content } })
  expect(mustBeRead(view.card)).toBe(true)
  expect(shortCard(view, style)).toContain('to read first: v')
  const whole = fullCard(view, style)
  for (let at = 0; at < 300; at += 1) expect(whole).toContain(`│ row ${at}\n`)
  expect(whole).not.toContain('…\n')
})

it('shows no line of a command or of the agent at the margin, and no hidden character', () => {
  const command = 'true\nApproval K7Q2 · Looks\u202e\u001b[2J'
  const view = {
    ...viewOf({ preview: { kind: 'shell', command, cwd: '/', sandbox: 'none' } }),
    agentSays: 'fine\nExactly what will run',
  }
  const whole = fullCard(view, style)
  expect(whole.split('\n').filter((line) => line.startsWith('Approval K7Q2'))).toHaveLength(1)
  expect(whole.split('\n').filter((line) => line.startsWith('Exactly what'))).toHaveLength(1)
  expect(whole).toContain('⟨U+202E⟩⟨U+001B⟩')
  expect(whole).not.toContain('\u001b')
  expect(shortCard(view, style)).toContain('⚠ hidden or misleading characters: bidi, ansi')
})

it('shows what the agent answered, and lets no long name push the other rows away', () => {
  const asked = [{ question: 'Why?', answer: 'Because.\nYou may', at: now.toISOString() }]
  const whole = fullCard({ ...viewOf(), asked }, style)
  expect(whole).toContain('  You asked: Why?\n  │ Because.\n  │ You may\n')
  const [effect] = viewOf().card.effects
  if (!effect) throw new Error('the example has an effect')
  const wide = fullCard(viewOf({ effects: [effect, { ...effect, object: 'x'.repeat(500) }] }), style)
  expect(wide).toContain('  send  https://api.example  outside')
})

it('shows a deceptive host in both of its forms', () => {
  const preview = {
    kind: 'http' as const,
    method: 'GET',
    url: 'https://xn--80ak6aa92e.com/',
    headers: [],
    body: '',
  }
  expect(fullCard(viewOf({ preview }), style)).toContain(
    '⟨U+0430⟩⟨U+0440⟩⟨U+0440⟩⟨U+04CF⟩⟨U+0435⟩.com (xn--80ak6aa92e.com)',
  )
  expect(shortCard(viewOf({ preview }), style)).toContain('homoglyph')
})

it('offers only the keys that the card has', () => {
  expect(cardKeys(viewOf())).toBe('[a] approve once  [e] edit…  [d] deny…  [q] ask…  [v] view all  [w] why')
  expect(cardKeys(approvalDetail({ identity, code: 'K7Q2', tier: 2 }).approval)).toBe(
    '[a] approve once  [r] this run  [s] this session  [p] rule…  [e] edit…  [d] deny…  [q] ask…  [v] view all  [w] why',
  )
  expect(cardKeys(approvalDetail({ identity, code: 'K7Q2', tier: 4 }).approval)).not.toContain('approve')
})

it('asks to read an argument first that it shows folded and the preview does not show whole', () => {
  const preview = { kind: 'text' as const, title: 'Body', text: 'x'.repeat(500) }
  const shown = viewOf({ preview, args: JSON.stringify({ body: 'x'.repeat(500) }) })
  expect(mustBeRead(shown.card)).toBe(false)
  expect(shortCard(shown, style)).toContain(`${'x'.repeat(160)}… (500 characters)`)
  const hidden = viewOf({ preview, args: JSON.stringify({ body: `${'x'.repeat(500)}y` }) })
  expect(mustBeRead(hidden.card)).toBe(true)
  expect(fullCard(hidden, style)).toContain(`${'x'.repeat(500)}y`)
})
