/** Owns what counts as wrong after a storm: by what people wrote, what the database holds, and what stands in the chats. */
import type { Shown, TestChat } from '@countersign/channels/testing'
import type { PlatformEntry } from './platforms.ts'
import type { StormRows } from './rows.ts'

export interface StormCounts {
  readonly said: number
  readonly kills: number
  readonly admitted: number
  readonly delivered: number
  readonly unknown: number
}

export interface StormReport {
  readonly wrong: readonly string[]
  readonly counts: StormCounts
}

export interface Evidence {
  readonly entry: PlatformEntry
  readonly said: readonly { readonly chat: TestChat; readonly texts: readonly string[] }[]
  readonly kills: number
  readonly rows: StormRows
  readonly shown: (chat: TestChat) => readonly Shown[]
}

export function findWrongs({ entry, said, kills, rows, shown }: Evidence): StormReport {
  const wrong: string[] = []
  let delivered = 0
  let unknown = 0
  for (const { chat, texts } of said) {
    const admitted = textsOf(rows.inputs).filter((text) => texts.includes(text))
    for (const text of texts) {
      const times = admitted.filter((each) => each === text).length
      if (times > 1) wrong.push(`admitted ${times} times: ${text}`)
      if (times === 0 && entry.keeps) wrong.push(`never admitted: ${text}`)
    }
    const late = firstOvertaken(admitted, texts)
    if (late !== undefined) wrong.push(`admitted out of order in ${chat.id}: ${late}`)
    const answers = shown(chat)
      .map(({ text }) => text)
      .filter((text) => text.startsWith('echo '))
    for (const text of new Set(admitted)) {
      const times = answers.filter((each) => each === `echo ${text}`).length
      const doubted = rows.deliveries.some(
        (row) => row.chat === chat.id && row.text === `echo ${text}` && row.state === 'unknown',
      )
      if (times === 1) delivered += 1
      if (doubted) unknown += 1
      if (times > 1) wrong.push(`answered ${times} times: ${text}`)
      if (times === 0 && !doubted) wrong.push(`silently lost: the answer to ${text}`)
      if (doubted && entry.sendsOnce) wrong.push(`unknown, though the platform takes a key: ${text}`)
    }
    const overtaken = firstOvertaken(answers, textsOf(rows.deliveries.filter((row) => row.chat === chat.id)))
    if (overtaken !== undefined) wrong.push(`sent out of order in ${chat.id}: ${overtaken}`)
    // Where a chat has several conversations, none waits for another.
    const conversations = Map.groupBy(
      rows.inputs.filter(({ text }) => texts.includes(text)),
      ({ session }) => session,
    )
    for (const inputs of conversations.values()) {
      const early = firstOvertaken(
        answers,
        textsOf(inputs).map((text) => `echo ${text}`),
      )
      if (early !== undefined) wrong.push(`answered out of order in ${chat.id}: ${early}`)
    }
  }
  return {
    wrong,
    counts: {
      said: said.reduce((sum, { texts }) => sum + texts.length, 0),
      kills,
      admitted: rows.inputs.length,
      delivered,
      unknown,
    },
  }
}

/** Of a platform to which nobody writes: each line that was to be sent stands there once, in its order, or is unknown. */
export function findWrongLines({ entry, said, kills, rows, shown }: Evidence): StormReport {
  const wrong: string[] = []
  const [place] = said
  const lines = rows.deliveries.filter(({ kind, chat }) => kind === 'test' && chat === place?.chat.id)
  const seen = place ? shown(place.chat).map(({ text }) => text) : []
  for (const { text, state } of lines) {
    const times = seen.filter((each) => each === text).length
    if (times > 1) wrong.push(`sent ${times} times: ${text}`)
    if (times === 0 && state !== 'unknown') wrong.push(`${state}, and silently lost: ${text}`)
    if (state !== 'sent' && state !== 'unknown') wrong.push(`left as ${state}: ${text}`)
  }
  const texts = textsOf(lines)
  const strange = seen.filter((text) => !texts.includes(text))
  if (strange.length > 0) wrong.push(`nobody sent: ${strange.join(' | ')}`)
  const late = firstOvertaken(seen, texts)
  if (late !== undefined) wrong.push(`sent out of order in ${entry.kind}: ${late}`)
  const delivered = texts.filter((text) => seen.includes(text)).length
  const unknown = lines.filter(({ state }) => state === 'unknown').length
  return { wrong, counts: { said: lines.length, kills, admitted: 0, delivered, unknown } }
}

const textsOf = (rows: readonly { readonly text: string }[]): string[] => rows.map(({ text }) => text)

/** The first that stands after one that was to come later. Some may be missing. */
function firstOvertaken(some: readonly string[], all: readonly string[]): string | undefined {
  const known = some.filter((each) => all.includes(each))
  return known.find((each, at) => at > 0 && all.indexOf(each) <= all.indexOf(known[at - 1] ?? ''))
}
