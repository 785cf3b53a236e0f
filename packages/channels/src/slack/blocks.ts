/**
 * Owns how a message looks in Slack. It is made of rich text elements, each of which says what it is, so that no text
 * can become a mention, a link or markup. Pure.
 */
import { type Block, type Inline, readLinks, readMarkdown } from '../frame/markdown.ts'
import type { Button, OutboundMessage } from '../frame/protocol.ts'

type Json = string | number | boolean | readonly Json[] | { readonly [name: string]: Json }

const mostInRow = 5
const longestLabel = 75
const longestQuestion = 300

/** What notifications show: nothing in it is markup. */
export function fallbackText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

export function messageBlocks({
  text,
  format,
  buttons,
}: Pick<OutboundMessage, 'text' | 'format' | 'buttons'>): Json[] {
  const elements =
    format === 'plain' ? [section(readLinks(text))] : richText(readMarkdown(text)).filter(isNotEmpty)
  const body: Json[] = text.trim() === '' || elements.length === 0 ? [] : [{ type: 'rich_text', elements }]
  const rows: Json[] = []
  for (let at = 0; at < buttons.length; at += mostInRow)
    rows.push({
      type: 'actions',
      elements: buttons
        .slice(at, at + mostInRow)
        .map((button, index) => buttonElement(button, at + index, text)),
    })
  return [...body, ...rows]
}

const isNotEmpty = (element: Json): boolean =>
  typeof element === 'object' && 'elements' in element
    ? Array.isArray(element.elements) && element.elements.length > 0
    : true

function buttonElement({ label, data }: Button, index: number, text: string): Json {
  return {
    type: 'button',
    action_id: `button-${index}`,
    text: plain(label, longestLabel),
    value: data,
    ...(data === 'approve'
      ? {
          style: 'primary',
          // A slip of the finger approves nothing.
          confirm: {
            title: plain('Approve this?', 100),
            text: plain(text.trim() === '' ? label : text.trim(), longestQuestion),
            confirm: plain(label, 30),
            deny: plain('Cancel', 30),
          },
        }
      : {}),
    ...(data === 'deny' ? { style: 'danger' } : {}),
  }
}

function plain(text: string, most: number): Json {
  const short = text.length > most ? `${text.slice(0, most - 1).toWellFormed()}…` : text
  return { type: 'plain_text', text: short || ' ', emoji: false }
}

function richText(blocks: readonly Block[]): Json[] {
  const elements: Json[] = []
  let lines: Inline[] = []

  function close(): void {
    if (lines.length > 0) elements.push(section(lines))
    lines = []
  }
  /** A section shows its text as one, so that line breaks are ours to set. */
  function add(inlines: readonly Inline[]): void {
    if (lines.length > 0) lines.push({ text: '\n' })
    lines.push(...inlines)
  }

  for (const block of blocks) {
    switch (block.kind) {
      case 'gap':
        if (lines.length > 0) lines.push({ text: '\n' })
        break
      case 'heading':
        add(block.inlines.map((inline) => ({ ...inline, bold: true })))
        break
      case 'paragraph':
        add(block.inlines)
        break
      case 'item': {
        const mark = block.number === null ? '•' : `${block.number}.`
        add([{ text: `${'    '.repeat(block.depth)}${mark} ` }, ...block.inlines])
        break
      }
      case 'quote':
        close()
        elements.push({ type: 'rich_text_quote', elements: block.inlines.map(inlineElement) })
        break
      case 'code':
        close()
        if (block.text !== '')
          elements.push({ type: 'rich_text_preformatted', elements: [{ type: 'text', text: block.text }] })
    }
  }
  close()
  return elements
}

const section = (inlines: readonly Inline[]): Json => ({
  type: 'rich_text_section',
  elements: inlines.filter(({ text }) => text !== '').map(inlineElement),
})

function inlineElement({ text, link, bold, italic, strike, code }: Inline): Json {
  const style = {
    ...(bold ? { bold } : {}),
    ...(italic ? { italic } : {}),
    ...(strike ? { strike } : {}),
    ...(code ? { code } : {}),
  }
  return {
    ...(link ? { type: 'link', url: text, text } : { type: 'text', text }),
    ...(Object.keys(style).length > 0 ? { style } : {}),
  }
}
