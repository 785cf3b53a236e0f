/**
 * Owns the making of a system prompt. Pure: the same context gives the same text. Refuses to leave the base out, and
 * to let content that is not the operator's own stand anywhere but inside its tag.
 */
import { operatorLabel } from '@countersign/contract'
import { promptLimits } from '../limits.ts'
import type { ComposedPrompt, PromptContext, PromptOptions, SectionName } from './context.ts'
import { type Kept, type List, listsOf, type Section, sectionLabel, sectionText } from './section.ts'
import { sectionsOf } from './sections.ts'

/**
 * The lists that get shorter where there is no room, and in which order; after them whole sections go, the last first.
 * What the operator wants to be followed always gets shorter only when nothing stands behind it any more.
 */
const shortenedFirst = ['goals', 'summaries', 'memories', 'notes', 'interests', 'facts', 'learnings', 'steps']

export function composePrompt(context: PromptContext, options: PromptOptions = {}): ComposedPrompt {
  const longest = options.maxPromptLength ?? promptLimits.longest
  const all = sectionsOf(context, options).filter((section) => sectionText(section, new Map()) !== '')
  const kept = new Map<List, number>(listsOf(all).map((each) => [each, each.items.length]))
  const dropped: SectionName[] = []
  let sections = all
  const room = () => longest - textOf(sections, kept).length

  for (const name of shortenedFirst) {
    const each = [...kept.keys()].find((list) => list.name === name)
    if (each) shorten(each, kept, room)
  }
  while (room() < 0 && sections.length > 1) {
    const last = sections.slice(-1)
    for (const each of listsOf(last)) shorten(each, kept, room)
    if (room() >= 0) break
    sections = sections.slice(0, -1)
    dropped.push(...last.map(({ name }) => name))
  }

  const text = textOf(sections, kept)
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
function shorten(each: List, kept: Map<List, number>, room: () => number): void {
  for (let count = kept.get(each) ?? 0; count > 0 && room() < 0; count -= 1) kept.set(each, count - 1)
}

function textOf(sections: readonly Section[], kept: Kept): string {
  return sections
    .map((section) => sectionText(section, kept))
    .filter((text) => text !== '')
    .join('\n')
}
