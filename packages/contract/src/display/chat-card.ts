/**
 * Renders an approval as a message of a chat: the same facts as everywhere, as plain text. What does not fit is not
 * cut: the message then says where to read it, and offers no way to approve it unread.
 */
import type { ApprovalView, Preview } from '../card.ts'
import type { Effect } from '../effect.ts'
import { tierWord } from '../trust.ts'
import { forDisplay } from './sanitise.ts'

export interface ChatCardOptions {
  readonly now: Date
  /** Where the whole card can be read and decided. */
  readonly review: string
}

const longestPreview = 1_500

export function chatCard(approval: ApprovalView, { now, review }: ChatCardOptions): string {
  const { card, code } = approval
  const preview = previewOf(card.preview)
  const isWhole = preview.length <= longestPreview
  const flagged = forDisplay(`${card.headline}\n${preview}`, { multiline: true }).flags.length > 0
  const rules = card.why.rules.map((rule) => rule.id).join(', ')
  const decidable = isWhole && card.tier <= 2
  return [
    `Approval ${code} · T${card.tier} ${tierWord[card.tier]} · ${minutesLeft(approval, now)}`,
    safe(card.headline),
    ...(flagged ? ['⚠ It holds hidden or misleading characters.'] : []),
    isWhole ? quoted(preview) : `${preview.split('\n').length} lines to read first.`,
    leavesOf(card.effects),
    `Undo: ${card.effects.every((effect) => effect.reversible) ? 'possible' : 'none'}`,
    `Why: ${safe(card.why.reason)}${rules === '' ? '' : ` (${rules})`}`,
    decidable
      ? `Reply “approve ${code}” or “deny ${code} <reason>”, or read more: ${review}`
      : `Decide it at ${review}, or reply “deny ${code} <reason>”.`,
  ].join('\n')
}

function minutesLeft(approval: ApprovalView, now: Date): string {
  const minutes = Math.floor((Date.parse(approval.expiresAt) - now.getTime()) / 60_000)
  if (minutes >= 120) return `${Math.floor(minutes / 60)} h`
  return minutes > 0 ? `${minutes} min` : 'ends now'
}

function leavesOf(effects: readonly Effect[]): string {
  const leaves = [...new Set(effects.flatMap((effect) => effect.leaves))]
  return leaves.length === 0
    ? 'Leaves this machine: nothing'
    : `Leaves this machine: ${leaves.map(safe).join('; ')}`
}

function previewOf(preview: Preview): string {
  const rows = (entries: readonly (readonly [string, string])[]) =>
    entries
      .filter(([, value]) => value !== '')
      .map(([name, value]) => `${name}: ${whole(value)}`)
      .join('\n')
  switch (preview.kind) {
    case 'text':
      return `${whole(preview.title)}\n${whole(preview.text)}`
    case 'shell':
      return rows([
        ['Command', preview.command],
        ['Folder', preview.cwd],
        ['Sandbox', preview.sandbox],
      ])
    case 'http':
      return rows([
        [preview.method, preview.url],
        ...preview.headers.map(([name, value]): [string, string] => ['Header', `${name}: ${value}`]),
        ['Body', preview.body],
      ])
    case 'write':
      return rows([
        ['File', preview.path],
        ['Content', preview.content],
      ])
    case 'code':
      return `${whole(preview.title)} (${preview.language})\n${whole(preview.code)}`
    case 'table':
      return [
        whole(preview.title),
        ...preview.rows.map((row) =>
          row.map((cell, index) => `${whole(preview.columns[index] ?? '')}: ${whole(cell)}`).join(' · '),
        ),
      ].join('\n')
  }
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
