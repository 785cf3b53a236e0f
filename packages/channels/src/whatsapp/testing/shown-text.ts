/** Owns how a phone shows a text of WhatsApp: marks that embrace words are gone, and what has no width is not seen. Pure. */
import type { Shown } from '../../testing/platform.ts'

const spans = [
  /(?<![\p{L}\p{N}\u2060])```([\s\S]*?)```/gu,
  /(?<!\u2060)`([^`\n]+)`/gu,
  /(?<![\p{L}\p{N}\u2060])\*(\S|\S[^*\n]*\S)\*(?![\p{L}\p{N}])/gu,
  /(?<![\p{L}\p{N}\u2060])_(\S|\S[^_\n]*\S)_(?![\p{L}\p{N}])/gu,
  /(?<![\p{L}\p{N}\u2060])~(\S|\S[^~\n]*\S)~(?![\p{L}\p{N}])/gu,
  /^> (.*)$/gmu,
]

export function readAsShown(body: string): Pick<Shown, 'text' | 'links'> {
  // What stands in a block of code is not looked at again.
  const kept: string[] = []
  const keep = (_: string, inner: string): string => `\ue000${kept.push(inner.trim()) - 1}\ue001`
  let text = body
  for (const [index, span] of spans.entries())
    text = index < 2 ? text.replaceAll(span, keep) : text.replaceAll(span, '$1')
  text = text.replaceAll(/\ue000(\d+)\ue001/g, (_, index: string) => kept[Number(index)] ?? '')
  text = text.replaceAll('\u2060', '')
  const links = [...text.matchAll(/\bhttps?:\/\/[^\s<>()]+/g)].map(([link]) => link)
  return { text, links }
}
