/** Owns what a test workspace holds, and how its messages look to the people in it. */
import type { Shown } from '../../testing/platform.ts'

export type Json = Readonly<Record<string, unknown>>

export interface StoredFile {
  readonly id: string
  readonly name: string
  bytes: Buffer
  readonly voice: boolean
}

export interface StoredMessage {
  readonly ts: string
  readonly user: string
  readonly bot: string | null
  readonly thread: string | null
  text: string
  blocks: readonly Json[]
  edited: string | null
  readonly files: readonly StoredFile[]
  readonly shares: string | null
}

export const decode = (text: string): string =>
  text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&')

/** As Slack stores what a person types. */
export function encode(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll(/https?:\/\/[^\s()&|]+/g, (address) => `<${address}>`)
}

const records = (value: unknown): Json[] => (Array.isArray(value) ? (value as Json[]) : [])

/** What the people in the channel see of a message of ours. */
export function shownOf(chat: string, message: StoredMessage): Shown {
  const links: string[] = []
  const pings = [...message.text.matchAll(/<[@!]([^>]*)>/g)].map(([, whom = '']) => whom)
  const [file] = message.files
  const rich = message.blocks.filter(({ type }) => type === 'rich_text')
  return {
    id: file && message.files.length > 0 ? `${chat}:${file.id}` : `${chat}:${message.ts}`,
    text:
      message.blocks.length > 0
        ? rich
            .map((block) =>
              records(block.elements)
                .map((one) => readElement(one, links, pings))
                .join(''),
            )
            .join('\n')
        : decode(message.text),
    edited: message.edited !== null,
    thread: message.thread,
    pings,
    links,
    buttons: message.blocks
      .filter(({ type }) => type === 'actions')
      .flatMap(({ elements }) => records(elements))
      .map((button) => ({ label: String((button.text as Json).text), data: String(button.value) })),
    file: file ? { name: file.name, bytes: file.bytes } : null,
  }
}

function readElement(element: Json, links: string[], pings: string[]): string {
  switch (element.type) {
    case 'text':
      return String(element.text)
    case 'link':
      links.push(String(element.url))
      return String(element.text ?? element.url)
    case 'user':
    case 'usergroup':
    case 'broadcast':
      pings.push(String(element.type))
      return '@'
    case 'rich_text_section':
      return records(element.elements)
        .map((one) => readElement(one, links, pings))
        .join('')
    case 'rich_text_quote':
    case 'rich_text_preformatted':
      return `\n${records(element.elements)
        .map((one) => readElement(one, links, pings))
        .join('')}\n`
    default:
      throw new Error(`Slack knows no element ${String(element.type)}.`)
  }
}

/** What Slack would say is wrong with the blocks of a message; undefined where nothing is. */
export function blockProblem(blocks: readonly Json[]): string | undefined {
  if (blocks.length > 50) return 'too many blocks'
  const actions = blocks.filter(({ type }) => type === 'actions')
  for (const { elements } of actions) {
    if (records(elements).length === 0 || records(elements).length > 25) return 'elements'
    for (const button of records(elements)) {
      const problem = buttonProblem(button)
      if (problem) return problem
    }
  }
  const ids = actions.flatMap(({ elements }) => records(elements)).map(({ action_id }) => action_id)
  if (new Set(ids).size !== ids.length) return 'action_id'
  for (const { elements } of blocks.filter(({ type }) => type === 'rich_text')) {
    if (records(elements).length === 0) return 'an empty rich text'
    for (const part of records(elements)) {
      if (records(part.elements).length === 0) return 'an empty section'
      for (const { type, text, url } of records(part.elements)) {
        if (type === 'text' && (typeof text !== 'string' || text === '')) return 'an empty text'
        if (type === 'link' && !URL.canParse(String(url))) return 'url'
      }
    }
  }
  return undefined
}

function buttonProblem({ text, value, confirm }: Json): string | undefined {
  const isText = (one: unknown, most: number) => {
    const inner = (one as Json | undefined)?.text
    return typeof inner === 'string' && inner.length > 0 && inner.length <= most
  }
  if (!isText(text, 75)) return 'label'
  if (String(value).length > 2_000) return 'value'
  if (confirm === undefined) return undefined
  const { title, text: question, confirm: yes, deny: no } = confirm as Json
  const isGood = isText(title, 100) && isText(question, 300) && isText(yes, 30) && isText(no, 30)
  return isGood ? undefined : 'confirm'
}
