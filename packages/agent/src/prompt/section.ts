/** Owns one section of a prompt as it can be cut: lines that stay with it, and lists that get shorter from their end. */
import { joinLabels, type Label } from '@countersign/contract'
import type { SectionName } from './context.ts'

export interface Section {
  readonly name: SectionName
  readonly open: string
  readonly close: string
  readonly parts: readonly SectionPart[]
}

export type SectionPart = SectionLine | SectionList

export interface SectionLine {
  readonly kind: 'line'
  readonly text: string
  readonly label: Label | null
}

export interface SectionList {
  readonly kind: 'list'
  /** For whoever asks what was cut. */
  readonly name: string
  /** Around the items; nothing of it stands there without one. */
  readonly open: string
  readonly close: string
  readonly items: readonly { readonly text: string; readonly label: Label | null }[]
  /** How many there were before the most of its kind was taken. */
  readonly of: number
}

/** How many items of each list are there. */
export type ListLengths = ReadonlyMap<SectionList, number>

export const line = (text: string, label: Label | null = null): SectionLine => ({ kind: 'line', text, label })

export function list(
  name: string,
  items: readonly { readonly text: string; readonly label: Label | null }[],
  most: number,
  around: { readonly open: string; readonly close: string } = { open: '', close: '' },
): SectionList {
  return { kind: 'list', name, ...around, items: items.slice(0, most), of: items.length }
}

/** Empty where nothing of it is there. */
export function sectionText(section: Section, kept: ListLengths): string {
  const parts = section.parts.map((part) => partText(part, kept)).filter((text) => text !== '')
  if (parts.length === 0) return ''
  const inside = parts.join('\n')
  const between = section.open === '' || (parts.length === 1 && !inside.includes('\n')) ? '' : '\n'
  return `${section.open}${between}${inside}${between}${section.close}`
}

export function sectionLabel(section: Section, kept: ListLengths, before: Label): Label {
  const labels = section.parts.flatMap((part) =>
    part.kind === 'line'
      ? [part.text === '' ? null : part.label]
      : part.items.slice(0, kept.get(part) ?? part.items.length).map((item) => item.label),
  )
  return labels.reduce<Label>((joined, label) => (label ? joinLabels(joined, label) : joined), before)
}

export const listsOf = (sections: readonly Section[]): SectionList[] =>
  sections.flatMap(({ parts }) => parts.filter((part) => part.kind === 'list'))

function partText(part: SectionPart, kept: ListLengths): string {
  if (part.kind === 'line') return part.text
  const items = part.items.slice(0, kept.get(part) ?? part.items.length).map(({ text }) => text)
  if (items.length === 0) return ''
  return [part.open, ...items, part.close].filter((text) => text !== '').join('\n')
}
