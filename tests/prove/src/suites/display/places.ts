/** Owns the places of a card that can hold text of others, and how a card with a text in one of them comes about. */
import {
  type ApprovalView,
  type Card,
  canonicalText,
  type Decision,
  type Effect,
  forDisplay,
  type JsonObject,
  type Preview,
  type Resolution,
  type ToolFacts,
} from '@countersign/contract'
import { cardOf } from '../../../../../packages/kernel/src/dispatch/compose-subject.ts'

export interface CardField {
  readonly name: string
  /** Whether line breaks in it are kept on a surface that has lines. */
  readonly keepsLines: boolean
  /** Whether the card itself warns of what stands here. The agent's own words only show their escapes. */
  readonly isOfCard: boolean
  put(text: string): Texts
  /** Left out, any text can get here. */
  readonly takes?: (text: string) => boolean
}

/** Where the card comes from: made by the kernel, which escapes, or by a gateway that does not. */
export type CardMaker = 'kernel' | 'raw'

interface Texts {
  readonly headline?: string
  readonly args?: JsonObject
  readonly actor?: string
  readonly preview?: Preview
  readonly effect?: Partial<Effect>
  readonly reason?: string
  readonly raised?: string
  readonly agentSays?: string
  readonly question?: string
  readonly answer?: string
  readonly option?: string
  readonly receipt?: string
}

export const now = new Date('2026-03-01T12:00:00.000Z')

const text = { kind: 'text', title: 'Title', text: 'text' } as const
const shell = { kind: 'shell', command: 'ls', cwd: '/work', sandbox: 'none' } as const
const write = { kind: 'write', path: 'a.txt', content: 'content' } as const
const code = { kind: 'code', title: 'Title', language: 'python', code: 'pass' } as const
const http: Preview = {
  kind: 'http',
  method: 'POST',
  url: 'https://example.org/',
  headers: [['accept', 'all']],
  body: 'body',
}
const table: Preview = {
  kind: 'table',
  title: 'Rows',
  columns: ['name', 'note'],
  rows: [
    ['one', 'first'],
    ['two', 'second'],
  ],
}

const line = (name: string, put: CardField['put']): CardField => ({
  name,
  keepsLines: false,
  isOfCard: true,
  put,
})
const lines = (name: string, put: CardField['put']): CardField => ({
  name,
  keepsLines: true,
  isOfCard: true,
  put,
})

export const places: readonly CardField[] = [
  line('headline', (headline) => ({ headline })),
  line('title of a text', (title) => ({ preview: { ...text, title } })),
  lines('text', (value) => ({ preview: { ...text, text: value } })),
  lines('command', (command) => ({ preview: { ...shell, command } })),
  line('folder', (cwd) => ({ preview: { ...shell, cwd } })),
  line('sandbox', (sandbox) => ({ preview: { ...shell, sandbox } })),
  line('method', (method) => ({ preview: { ...http, method } })),
  line('address', (url) => ({ preview: { ...http, url } })),
  line('name of a header', (name) => ({ preview: { ...http, headers: [[name, 'value']] } })),
  line('value of a header', (value) => ({ preview: { ...http, headers: [['name', value]] } })),
  lines('body', (body) => ({ preview: { ...http, body } })),
  line('path', (path) => ({ preview: { ...write, path } })),
  lines('content', (content) => ({ preview: { ...write, content } })),
  line('title of code', (title) => ({ preview: { ...code, title } })),
  line('language', (language) => ({ preview: { ...code, language } })),
  lines('code', (value) => ({ preview: { ...code, code: value } })),
  line('title of a table', (title) => ({ preview: { ...table, title } })),
  line('column', (column) => ({ preview: { ...table, columns: [column, 'note'] } })),
  line('cell', (cell) => ({
    preview: {
      ...table,
      rows: [
        ['one', cell],
        ['two', 'second'],
      ],
    },
  })),
  { ...lines('argument', (value) => ({ args: { value } })), takes: isCanonical },
  { ...lines('argument of a list', (value) => ({ args: { values: ['one', value] } })), takes: isCanonical },
  { ...line('name of an argument', (name) => ({ args: { [name]: 'value' } })), takes: isCanonical },
  line('one who asked', (actor) => ({ actor })),
  line('object of an effect', (object) => ({ effect: { object } })),
  line('what leaves', (leaf) => ({ effect: { leaves: [leaf] } })),
  line('reason', (reason) => ({ reason: `Asks: because ${reason}` })),
  line('raise', (raised) => ({ raised })),
  { ...lines('words of the agent', (agentSays) => ({ agentSays })), isOfCard: false },
  { ...line('question', (question) => ({ question })), isOfCard: false },
  { ...lines('answer', (answer) => ({ answer })), isOfCard: false },
  { ...line('sentence of an option', (option) => ({ option })), isOfCard: false },
  { ...line('receipt', (receipt) => ({ receipt })), isOfCard: false },
]

/** Canonical arguments hold no half of a character; the door refuses them. */
function isCanonical(text: string): boolean {
  return text.isWellFormed()
}

export function viewWith(texts: Texts, way: CardMaker): ApprovalView {
  return {
    id: 'apr_1' as ApprovalView['id'],
    code: 'K7Q2',
    state: texts.receipt === undefined ? 'pending' : 'approved',
    digest: '',
    card: way === 'kernel' ? fromKernel(texts) : asItIs(texts),
    asks: {
      en: { why: texts.reason ?? 'Asks.', stops: texts.reason ?? 'Nothing covers it.' },
      de: { why: texts.reason ?? 'Fragt.', stops: texts.reason ?? 'Nichts.' },
    },
    agentSays: texts.agentSays ?? 'Let me look.',
    asked: [
      { question: texts.question ?? 'Why?', answer: texts.answer ?? 'Because.', at: now.toISOString() },
    ],
    replaces: null,
    options: [{ scope: 'once', sentence: texts.option ?? 'Only this call' }],
    session: 'ses_1' as ApprovalView['session'],
    run: 'run_1' as ApprovalView['run'],
    call: 'call_1' as ApprovalView['call'],
    createdAt: now.toISOString(),
    expiresAt: new Date(now.getTime() + 30 * 60_000).toISOString(),
    decidedAt: null,
    decidedBy: null,
    reason: null,
    receipt: texts.receipt ?? null,
  }
}

const headline = 'Do a thing'
const effect: Effect = {
  verb: 'write',
  object: 'a place that only the effect names',
  scope: 'inside',
  reversible: true,
  outward: false,
  leaves: ['the address'],
}

function asItIs(texts: Texts): Card {
  return {
    headline: texts.headline ?? headline,
    tier: 2,
    tool: 'tool',
    args: canonicalText(texts.args ?? {}),
    chain: [
      { kind: 'schedule', id: 'sched_1', name: texts.actor ?? 'Every morning' },
      { kind: 'agent', id: 'assistant', name: 'Assistant' },
      { kind: 'run', id: 'run_1', name: 'run_1' },
      { kind: 'tool', id: 'tool', name: 'tool' },
    ],
    preview: texts.preview ?? text,
    effects: [{ ...effect, ...texts.effect }],
    why: {
      reason: texts.reason ?? 'Asks: because.',
      rules: [{ id: 'base.approval', file: 'bundled/base.cedar', line: 2, why: 'you decide' }],
      raised: [texts.raised ?? 'a raise'],
    },
  }
}

/** As `composeSubject` makes it of a tool that describes and previews a call with the text. */
function fromKernel(texts: Texts): Card {
  const card = asItIs(texts)
  const value: JsonObject = texts.args ?? {}
  const tool = {
    name: 'tool',
    parse: (args: JsonObject) => ({ kind: 'args', args }),
    describe: () => card.headline,
    preview: () => card.preview,
  } as unknown as ToolFacts
  const call = { tool, args: card.args, value, headline: card.headline, origin: null }
  const { effects, why, tier } = card
  const resolution: Resolution = { resources: [], effects, sandbox: 'none', egress: 'none', secrets: [] }
  const decision: Decision = { kind: 'ask', tier, rules: why.rules, raised: why.raised, reason: why.reason }
  const chain = card.chain.map((link) => ({ ...link, name: forDisplay(link.name).text }))
  return cardOf(call, resolution, decision, chain)
}
