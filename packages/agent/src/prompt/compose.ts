/**
 * Owns the making of a system prompt. Pure: the same context gives the same text. Refuses to leave the base out, and
 * to let content that is not the operator's own stand anywhere but inside its tag.
 */
import { operatorLabel } from '@countersign/contract'
import { promptLimits } from '../limits.ts'
import type { ComposedPrompt, PromptContext, PromptOptions, SectionName } from './context.ts'
import {
  type ListLengths,
  listsOf,
  type Section,
  type SectionList,
  sectionLabel,
  sectionText,
} from './section.ts'
import { sectionsOf } from './sections.ts'

/**
 * The lists that get shorter where there is no space, and in which order; after them whole sections go, the last first.
 * What the operator wants to be followed always gets shorter only when nothing stands behind it any more.
 */
const shortenedFirst = [
  'goals',
  'summaries',
  'memories',
  'notes',
  'interests',
  'preferences',
  'facts',
  'skills',
  'plugins',
  'files',
  'own learnings',
  'learnings',
  'steps',
]

export function composePrompt(context: PromptContext, options: PromptOptions = {}): ComposedPrompt {
  const longest = options.maxPromptLength ?? promptLimits.longest
  const all = sectionsOf(context, options).filter((section) => sectionText(section, new Map()) !== '')
  const kept = new Map<SectionList, number>(listsOf(all).map((each) => [each, each.items.length]))
  const dropped: SectionName[] = []
  let sections = all
  const spaceLeft = () => longest - promptText(sections, kept).length

  for (const name of shortenedFirst) {
    const each = [...kept.keys()].find((list) => list.name === name)
    if (each) shorten(each, kept, spaceLeft)
  }
  while (spaceLeft() < 0 && sections.length > 1) {
    const last = sections.slice(-1)
    for (const each of listsOf(last)) shorten(each, kept, spaceLeft)
    if (spaceLeft() >= 0) break
    sections = sections.slice(0, -1)
    dropped.push(...last.map(({ name }) => name))
  }

  const text = promptText(sections, kept)
  const there = sections.filter((section) => sectionText(section, kept) !== '')
  const lists = new Set(listsOf(sections))
  return {
    text,
    length: text.length,
    tokens: Math.ceil(text.length / promptLimits.charactersPerToken),
    label: there.reduce((label, section) => sectionLabel(section, kept, label), operatorLabel),
    sections: there.map((section) => ({ name: section.name, length: sectionText(section, kept).length })),
    dropped,
    cut: [...kept]
      .filter(([each]) => lists.has(each))
      .flatMap(([{ name, of }, count]) => (count < of ? [{ list: name, kept: count, of }] : [])),
  }
}

/** From the end, where the least fitting stand. */
function shorten(each: SectionList, kept: Map<SectionList, number>, spaceLeft: () => number): void {
  for (let count = kept.get(each) ?? 0; count > 0 && spaceLeft() < 0; count -= 1) kept.set(each, count - 1)
}

function promptText(sections: readonly Section[], kept: ListLengths): string {
  return sections
    .map((section) => sectionText(section, kept))
    .filter((text) => text !== '')
    .join('\n')
}
