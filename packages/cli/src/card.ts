/**
 * Renders an approval card as text, in the order of a decision: what exactly runs, what it can affect, why you are
 * asked, what the agent says. Nothing on it is cut, and no text of others can begin at the margin.
 */
import {
  type ApprovalSubject,
  type ApprovalView,
  type ArgumentLine,
  argumentLines,
  argumentsToRead,
  type Card,
  cardFlags,
  displayHost,
  type Effect,
  type Exchange,
  hostOf,
  linkWords,
  type Preview,
  readsForModel,
  reversalOf,
} from '@countersign/contract'
import type { Paint } from './output/colour.ts'
import { columns, indent } from './output/columns.ts'
import { line, lines } from './output/safe-text.ts'
import { tierLabel } from './output/tier.ts'
import { clockTime, type Moment, until } from './output/time.ts'
import { shortId } from './short-id.ts'

export interface CardStyle {
  readonly paint: Paint
  readonly moment: Moment
}

/** A preview of more lines than this is shown on request in a conversation, and must be looked at before approving. */
const longestShortPreview = 20

/** The whole card. With the subject it also shows what else is sealed. */
export function fullCard(approval: ApprovalView, style: CardStyle, subject?: ApprovalSubject): string {
  const { card } = approval
  const { paint } = style
  const section = (title: string, body: string) => [paint('strong', title), indent(body), '']
  return [
    heading(approval, style),
    indent(paint('strong', line(card.headline))),
    indent(paint('quiet', chainText(card))),
    '',
    ...section('Exactly what will run', previewText(card.preview)),
    ...section('Arguments', argumentsText(card)),
    ...section('What it can affect', effectsText(card.effects)),
    ...section('Why you are asked', whyText(approval)),
    ...flagSection(approval, section),
    ...section('Agent says (unverified)', displayedText(approval)),
    ...(subject ? section('Sealed bytes', sealedText(subject, approval.digest)) : []),
    ...(approval.receipt === null
      ? section('You may', optionsText(approval))
      : section('Decided', line(approval.receipt))),
  ]
    .join('\n')
    .trimEnd()
}

/** The card as it stands in a conversation. */
export function shortCard(approval: ApprovalView, style: CardStyle): string {
  const { card } = approval
  const flags = cardFlags(approval.card)
  const preview = isLong(previewText(card.preview))
    ? `${sizeOf(previewText(card.preview))} to read first: v`
    : previewText(card.preview)
  const args = argumentLines(card.args)
  return [
    `⏸ ${heading(approval, style)}`,
    indent(line(card.headline)),
    indent(style.paint('quiet', shortChain(card))),
    ...(flags.length > 0
      ? [indent(style.paint('bad', `⚠ hidden or misleading characters: ${flags.join(', ')}`))]
      : []),
    indent(preview, '    '),
    ...(standAbove(args, card.preview)
      ? [indent('Arguments: exactly as above')]
      : [
          indent('Arguments'),
          indent(
            args.length > longestShortPreview ? `${args.length} to read first: v` : rowsOf(args),
            '    ',
          ),
        ]),
    indent([leavesText(card.effects), `Undo: ${undoWords[reversalOf(card.effects)]}`].join('   ')),
    indent(askingLines(approval).join('\n')),
  ].join('\n')
}

const keyWords = {
  a: 'approve once',
  r: 'this run',
  s: 'this session',
  p: 'rule…',
  e: 'edit…',
  d: 'deny…',
  q: 'ask…',
  v: 'view all',
  w: 'why',
} as const

/** The letters that this card really offers, in the order in which they are shown. */
export function cardLetters(approval: ApprovalView): readonly string[] {
  const offers = new Set(approval.options.map((option) => option.scope))
  const offered = {
    a: approval.card.tier !== 4,
    r: offers.has('run'),
    s: offers.has('session'),
    p: offers.has('rule'),
  }
  return Object.keys(keyWords).filter((key) => offered[key as keyof typeof offered] ?? true)
}

/** The keys that decide a card in a conversation. */
export function cardKeys(approval: ApprovalView): string {
  return cardLetters(approval)
    .map((key) => `[${key}] ${keyWords[key as keyof typeof keyWords]}`)
    .join('  ')
}

/** Whether the short card leaves something out that must be read before it can be approved. */
export function mustBeRead(card: Card): boolean {
  return (
    isLong(previewText(card.preview)) ||
    argumentLines(card.args).length > longestShortPreview ||
    argumentsToRead(card).length > 0
  )
}

function isLong(text: string): boolean {
  return text.split('\n').length > longestShortPreview
}

function chainText({ chain }: Card): string {
  return chain.map((link) => line(linkWords(link))).join(' → ')
}

/** A run by the end of its id, as lists show it; the full card has all of it. */
function shortChain({ chain }: Card): string {
  return chain
    .map((link) => line(link.kind === 'run' ? `run ${shortId(link.id)}` : linkWords(link)))
    .join(' → ')
}

/** Whether the preview is a table that has a row for each argument, with the same words. */
function standAbove(args: readonly ArgumentLine[], preview: Preview): boolean {
  if (preview.kind !== 'table' || args.length === 0) return false
  const shown = new Set(preview.rows.filter((row) => row.length === 2).map((row) => JSON.stringify(row)))
  return args.every(({ path, text, isFolded }) => !isFolded && shown.has(JSON.stringify([path, text])))
}

function rowsOf(args: readonly ArgumentLine[]): string {
  return args.length === 0 ? 'none' : columns(args.map(({ path, text }) => [line(path), line(text)]))
}

/** Every argument whole, but for a long one that stands whole above. */
function argumentsText(card: Card): string {
  const unread = new Set(argumentsToRead(card).map(({ path }) => path))
  const rows = argumentLines(card.args).map(({ path, text, whole, isFolded }) => {
    if (isFolded && !unread.has(path)) return [line(path), `${line(text)}, whole above`]
    return [line(path), continued(whole)]
  })
  return rows.length === 0 ? 'none' : columns(rows)
}

function heading(approval: ApprovalView, { paint, moment }: CardStyle): string {
  const ends =
    approval.state === 'pending'
      ? `expires ${clockTime(approval.expiresAt, moment)} (${until(approval.expiresAt, moment)})`
      : approval.state
  return `Approval ${paint('strong', line(approval.code))} · ${tierLabel(approval.card.tier, paint)} · ${ends}`
}

function previewText(preview: Preview): string {
  switch (preview.kind) {
    case 'text':
      return `${line(preview.title)}\n${marked(preview.text)}`
    case 'shell':
      return columns([
        ['Command', continued(preview.command)],
        ['Folder', line(preview.cwd)],
        ['Sandbox', line(preview.sandbox)],
      ])
    case 'http':
      return columns([
        [line(preview.method), line(preview.url)],
        ['Host', displayHost(hostOf(preview.url)).text],
        ...preview.headers.map(([name, value]) => ['Header', `${line(name)}: ${line(value)}`]),
        ['Body', preview.body === '' ? 'none' : continued(preview.body)],
      ])
    case 'write':
      return columns([
        ['File', line(preview.path)],
        ['Content', preview.content === '' ? 'empty' : continued(preview.content)],
      ])
    case 'code':
      return columns([
        ['Title', line(preview.title)],
        ['Language', line(preview.language)],
        ['Code', preview.code === '' ? 'empty' : continued(preview.code)],
      ])
    case 'table':
      return `${line(preview.title)}\n${columns([preview.columns, ...preview.rows].map((row) => row.map(line)))}`
  }
}

/** A text of several lines goes below its label, marked, so that it cannot pass for another row. */
function continued(text: string): string {
  const shown = lines(text)
  return shown.includes('\n') ? `${sizeOf(shown)}\n${indent(shown, '  │ ')}` : shown
}

/** Several lines of a text that has no label. */
function marked(text: string): string {
  const shown = lines(text)
  return shown.includes('\n') ? indent(shown, '│ ') : shown
}

/** The agent's words, and what it answered when it was asked about the card. */
function displayedText({ agentSays, asked }: ApprovalView): string {
  const answers = asked.map(
    ({ question, answer }: Exchange) => `You asked: ${line(question)}\n${indent(lines(answer), '│ ')}`,
  )
  return [indent(agentSays === '' ? 'nothing' : lines(agentSays), '│ '), ...answers].join('\n')
}

const scopes: Readonly<Record<Effect['scope'], string>> = {
  inside: 'inside what you gave the agent',
  opened: 'opened to other users of this machine',
  'host-run': 'run by a program on this machine when you start it',
  boundary: 'outside what you gave the agent',
}

function effectsText(effects: readonly Effect[]): string {
  if (effects.length === 0) return 'It touches nothing.'
  const rows = effects.map((effect) => [
    effect.verb,
    line(effect.object),
    [
      scopes[effect.scope],
      effect.outward ? 'visible to others' : 'visible to you only',
      ...(reversalOf([effect]) === 'nothing to undo'
        ? ['changes nothing']
        : [effect.reversible ? 'can be undone' : 'cannot be undone']),
    ].join(', '),
  ])
  return `${columns(rows)}\n${leavesText(effects)}`
}

function leavesText(effects: readonly Effect[]): string {
  const leaves = effects.flatMap((effect) => effect.leaves)
  const sent = `Sent elsewhere: ${leaves.length === 0 ? 'nothing' : leaves.map(line).join(', ')}`
  return readsForModel(effects) ? `${sent}; what it reads goes to the model` : sent
}

const undoWords = {
  'nothing to undo': 'nothing to undo, it only reads',
  possible: 'yes',
  impossible: 'none',
} as const

function whyText(approval: ApprovalView): string {
  const { rules, raised } = approval.card.why
  return [
    ...askingLines(approval),
    ...rules.map((rule) => `${line(rule.file)}:${rule.line}  ${line(rule.id)}  “${line(rule.why)}”`),
    ...raised.map((clause) => `raised: ${line(clause)}`),
  ].join('\n')
}

/** Why it asks, and what would make it stop; the example of a tool's card has only the first. */
function askingLines({ asks: { en } }: ApprovalView): string[] {
  return [en.why, en.stops].filter((text) => text !== '').map(line)
}

function flagSection(approval: ApprovalView, section: (title: string, body: string) => string[]): string[] {
  const flags = cardFlags(approval.card)
  return flags.length === 0
    ? []
    : section('⚠ Hidden or misleading characters', `${flags.join(', ')}: shown above as ⟨…⟩ where possible`)
}

function sealedText(subject: ApprovalSubject, digest: string): string {
  return columns([
    ['Tool', `${line(subject.tool.name)} ${line(subject.tool.version)}`],
    ['Sandbox', `${line(subject.sandbox)}, network ${line(subject.egress)}`],
    ['Digest', line(digest)],
  ])
}

function optionsText(approval: ApprovalView): string {
  return columns(approval.options.map((option) => [option.scope, line(option.sentence)]))
}

function sizeOf(text: string): string {
  const bytes = Buffer.byteLength(text)
  const size = bytes < 1_024 ? `${bytes} bytes` : `${(bytes / 1_024).toFixed(1)} KB`
  const count = text.split('\n').length
  return `${count} ${count === 1 ? 'line' : 'lines'}, ${size}`
}
