/**
 * Renders an approval as a message of a chat: the same facts as everywhere, as plain text. What does not fit is not
 * cut: the message then says where to read it, and offers no way to approve it unread.
 */
import type { ApprovalView, Card, Preview } from '../card.ts'
import { linkWords } from '../chain.ts'
import type { Effect } from '../effect.ts'
import { highestGatewayTier } from '../permit.ts'
import { tierName } from '../trust.ts'
import { argumentLines, argumentsToRead } from './arguments.ts'
import { cardFlags, hostOf } from './card-flags.ts'
import { readsForModel, reversalOf } from './effect-facts.ts'
import { displayHost } from './host.ts'
import { forDisplay } from './sanitise.ts'

export interface ChatCardOptions {
  readonly now: Date
  /** Where the whole card can be read and decided. */
  readonly review: string
}

/** Together below what the narrowest chat takes in one message. */
const longestLine = 380
const longestPreview = 1_200
const longestArguments = 700

export interface ChatCard {
  readonly text: string
  /** All that there is to read is in the text, and it may be decided by an answer to it. */
  readonly decidable: boolean
}

export function chatCard(approval: ApprovalView, options: ChatCardOptions): string {
  return composeChatCard(approval, options).text
}

export function composeChatCard(approval: ApprovalView, { now, review }: ChatCardOptions): ChatCard {
  const { card, code } = approval
  const preview = previewOf(card.preview)
  const { why, stops } = approval.asks.en
  const parts = {
    headline: fitted(safe(card.headline), longestLine),
    preview: fitted(quoted(preview), longestPreview),
    touches: fitted(touchesOf(card.effects, `${card.headline}\n${preview}`), longestLine),
    leaves: fitted(leavesOf(card.effects), longestLine),
    chain: fitted(card.chain.map((link) => safe(linkWords(link))).join(' → '), longestLine),
    args: fitted(quoted(argumentsOf(card)), longestArguments),
    why: fitted(safe(why), longestLine),
    stops: fitted(safe(stops), longestLine),
  }
  const isWhole = Object.values(parts).every((part) => part.isWhole) && argumentsToRead(card).length === 0
  const decidable = isWhole && card.tier <= highestGatewayTier
  const lines = [
    `Approval ${code} · ${tierName[card.tier]} · ${minutesLeft(approval, now)}`,
    parts.headline.text,
    ...(cardFlags(card).length > 0 ? ['⚠ It holds hidden or misleading characters.'] : []),
    `Asked by: ${parts.chain.text}`,
    parts.preview.text,
    'Arguments:',
    parts.args.text,
    ...(parts.touches.text === '' ? [] : [`Touches: ${parts.touches.text}`]),
    `Sent elsewhere: ${parts.leaves.text}${readsForModel(card.effects) ? '; what it reads goes to the model' : ''}`,
    `Undo: ${undoWords[reversalOf(card.effects)]}`,
    parts.why.text,
    ...(parts.stops.text === '' ? [] : [parts.stops.text]),
    decidable
      ? `Reply “approve ${code}” or “deny ${code} <reason>”, or read more: ${review}`
      : `Decide it at ${review}, or reply “deny ${code} <reason>”.`,
  ]
  return { text: lines.join('\n'), decidable }
}

const undoWords = {
  'nothing to undo': 'nothing to undo, it only reads',
  possible: 'possible',
  impossible: 'none',
} as const

/** The text, or how much there is to read elsewhere. */
function fitted(text: string, longest: number): { text: string; isWhole: boolean } {
  if (text.length <= longest) return { text, isWhole: true }
  const lines = text.split('\n').length
  const size = lines > 1 ? `${lines} lines` : `${text.length} characters`
  return { text: `${size} to read first.`, isWhole: false }
}

function minutesLeft(approval: ApprovalView, now: Date): string {
  const minutes = Math.floor((Date.parse(approval.expiresAt) - now.getTime()) / 60_000)
  if (minutes >= 120) return `${Math.floor(minutes / 60)} h`
  return minutes > 0 ? `${minutes} min` : 'ends now'
}

/** What the call really reaches, where neither its headline nor its preview says so: the end of a link, for one. */
function touchesOf(effects: readonly Effect[], shown: string): string {
  return effects
    .filter(({ object }) => !shown.includes(object))
    .map(({ verb, object }) => `${verb} ${safe(object)}`)
    .join('; ')
}

/** One line for each, so that what the call is made with is seen whatever its tool says of it. */
function argumentsOf({ args }: Card): string {
  const lines = argumentLines(args).map(({ path, text }) => `${path}: ${text}`)
  return lines.length === 0 ? 'none' : lines.join('\n')
}

function leavesOf(effects: readonly Effect[]): string {
  const leaves = [...new Set(effects.flatMap((effect) => effect.leaves))]
  return leaves.length === 0 ? 'nothing' : leaves.map(safe).join('; ')
}

function previewOf(preview: Preview): string {
  const rows = (entries: readonly (readonly [string, string])[]) =>
    entries
      .filter(([, value]) => value !== '')
      .map(([name, value]) => `${name}: ${value}`)
      .join('\n')
  switch (preview.kind) {
    case 'text':
      return `${safe(preview.title)}\n${whole(preview.text)}`
    case 'shell':
      return rows([
        ['Command', below(preview.command)],
        ['Folder', safe(preview.cwd)],
        ['Sandbox', safe(preview.sandbox)],
      ])
    case 'http':
      return rows([
        [safe(preview.method), safe(preview.url)],
        ['Host', hostWords(preview.url)],
        ...preview.headers.map(([name, value]): [string, string] => ['Header', safe(`${name}: ${value}`)]),
        ['Body', below(preview.body)],
      ])
    case 'write':
      return rows([
        ['File', safe(preview.path)],
        ['Content', below(preview.content)],
      ])
    case 'code':
      return `${safe(preview.title)} (${safe(preview.language)})\n${whole(preview.code)}`
    case 'table':
      return [
        safe(preview.title),
        ...preview.rows.map((row) =>
          row.map((cell, index) => `${safe(preview.columns[index] ?? '')}: ${safe(cell)}`).join(' · '),
        ),
      ].join('\n')
  }
}

/** A host that has two forms, in both; the address already says one that has one. */
function hostWords(url: string): string {
  const host = displayHost(hostOf(url))
  return host.unicode === host.punycode ? '' : host.text
}

/** A text of several lines goes below its name, marked once more, so that no line of it can pass for another row. */
function below(text: string): string {
  const shown = whole(text)
  return shown.includes('\n') ? `\n${quoted(shown)}` : shown
}

/** Marked on every line, so that no line of it can pass for one of ours. */
function quoted(text: string): string {
  return text
    .split('\n')
    .map((line) => `│ ${line}`)
    .join('\n')
}

const safe = (text: string): string => forDisplay(text).text
const whole = (text: string): string => forDisplay(text, { multiline: true }).text
