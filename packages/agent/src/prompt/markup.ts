/**
 * Owns the tags of a prompt. Content is escaped so that it can neither close the tag that it stands in nor open
 * another, and what would be invisible in it is made visible.
 */
import { forDisplay, type Label, shortened } from '@countersign/contract'

/** One or many lines between tags. */
export function contentText(text: string, longest: number): string {
  const shown = forDisplay(text.toWellFormed(), { multiline: true }).text.trim()
  return escaped(shortened(shown, longest))
}

/** The same on one line. */
export function lineText(text: string, longest: number): string {
  return contentText(text.replaceAll(/\s+/g, ' '), longest)
}

/** Content in a tag of its own, which says what the content is worth where that is less than the operator's word. */
export function tagged(
  name: string,
  attributes: Readonly<Record<string, string | undefined>>,
  text: string,
): string {
  return `${openTag(name, attributes)}${text}</${name}>`
}

export function openTag(name: string, attributes: Readonly<Record<string, string | undefined>> = {}): string {
  const told = Object.entries(attributes).flatMap(([key, value]) =>
    value === undefined || value === '' ? [] : [` ${key}="${attributeText(value)}"`],
  )
  return `<${name}${told.join('')}>`
}

export function trustOf({ integrity, sources }: Label): Readonly<Record<string, string | undefined>> {
  return integrity === 'operator' ? {} : { trust: integrity, source: sources.join(', ') }
}

const longestAttribute = 200

function attributeText(text: string): string {
  return lineText(text, longestAttribute).replaceAll('"', '&quot;')
}

/** Forms of the brackets that a reader could take for them are escaped as well. */
const special: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '＜': '&lt;',
  '＞': '&gt;',
  '﹤': '&lt;',
  '﹥': '&gt;',
}

function escaped(text: string): string {
  return text.replaceAll(/[&<>＜＞﹤﹥]/g, (character) => special[character] ?? '')
}
