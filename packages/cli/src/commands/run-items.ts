/** Owns how a conversation is said in lines: each thing in it as it stood at a moment. Pure. */
import type { LiveState, ThreadItemLive } from '@countersign/contract'
import { activityLine } from '../chat/activity.ts'
import type { Context } from '../context.ts'
import { indent } from '../output/columns.ts'
import { line, lines } from '../output/safe-text.ts'
import { tierLabel } from '../output/tier.ts'
import { clockTime } from '../output/time.ts'

export function itemsOf(state: LiveState): readonly ThreadItemLive[] {
  return Object.values(state.threads).flatMap(({ items }) => items)
}

/** What is there now and was not there before, or was otherwise: the reducer keeps what did not change. */
export function newItems(before: LiveState, after: LiveState): readonly ThreadItemLive[] {
  const known = new Set(itemsOf(before))
  const messages = new Set(itemsOf(before).flatMap((item) => (item.kind === 'message' ? [item.seq] : [])))
  // A message that waited and is now at work says nothing new.
  return itemsOf(after).filter(
    (item) => !known.has(item) && !(item.kind === 'message' && messages.has(item.seq)),
  )
}

export function itemText(item: ThreadItemLive, context: Context): string {
  const time = clockTime(item.at, context.moment())
  const { paint } = context
  switch (item.kind) {
    case 'message':
      return `${paint('strong', 'You')}  ${time}\n${indent(textOf(item))}`
    case 'reply':
      return item.text === ''
        ? `${paint('strong', 'Assistant')}  ${time}  ${item.calls} ${item.calls === 1 ? 'call' : 'calls'}`
        : `${paint('strong', 'Assistant')}  ${time}\n${indent(textOf(item))}`
    case 'cell': {
      const waits = item.decision?.kind === 'ask'
      const activity = {
        state: item.outcome ?? (waits ? ('waiting' as const) : ('running' as const)),
        tool: item.tool,
        headline: item.headline,
        tier: item.decision?.tier ?? null,
        summary: item.summary,
        undoable: item.undoable,
      }
      return indent(activityLine(activity, paint))
    }
    case 'approval': {
      const by = item.by === null ? '' : ` by ${line(item.by)}`
      const reason = item.reason === null || item.reason === '' ? '' : `: ${line(item.reason)}`
      const stands = item.state === 'pending' ? 'waits for you' : `${item.state}${by}${reason}`
      return indent(`⏸ ${line(item.code)}  ${tierLabel(item.tier, paint)}  ${line(item.headline)}  ${stands}`)
    }
    case 'question':
      return indent(
        `? ${lines(item.text)}${item.answer === null ? '' : `\n${indent(`→ ${lines(item.answer)}`)}`}`,
      )
    case 'mark':
      return indent(paint('quiet', markText(item)))
  }
}

/** The whole conversation as it stood. */
export function threadText(state: LiveState, context: Context): string {
  const dropped = Object.values(state.threads).reduce((sum, thread) => sum + thread.dropped, 0)
  const before = dropped === 0 ? [] : [`${dropped} earlier entries are not shown.`]
  const items = itemsOf(state).map((item) => itemText(item, context))
  return [...before, ...(items.length === 0 ? ['No messages yet.'] : items)].join('\n')
}

function textOf({ text, cut }: { readonly text: string; readonly cut: number }): string {
  return cut === 0 ? lines(text) : `${lines(text)}\n… and ${cut} characters more`
}

function markText(item: Extract<ThreadItemLive, { kind: 'mark' }>): string {
  const because = item.text === '' ? '' : `: ${line(item.text)}`
  switch (item.mark) {
    case 'parked':
      return `— waits for ${item.on ?? 'something'}${because}`
    case 'retrying':
      return `— the model failed${because}`
    case 'resumed':
      return '— goes on'
    case 'ended':
      return `— ended, ${item.reason ?? 'completed'}${because}`
  }
}
