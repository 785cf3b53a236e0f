/**
 * Owns which tools fit a search, the best first: those that have all the words, then those that have some. Within each
 * they are ranked by how rare the words are and where they stand (BM25 over weighted fields).
 */
import type { ToolFacts } from '@countersign/contract'
import { synonymsOf } from './synonyms.ts'
import { pairsOf, type SearchWord, searchWordsOf, wordsOfRequest } from './words.ts'

export interface ToolSearch {
  readonly query: string
  readonly category?: string
}

const mostShown = 10
/** A tool that has all the words by chance must not hide the one that was meant. */
const leastShown = 5
const weights = { name: 3, tags: 2.5, description: 1, category: 0.7 }
/** How soon a word that stands in several fields counts no more. */
const saturation = 1.5
/** How much a field of many words counts less than one of few. */
const lengthShare = 0.3
/** What a word counts that only means the same. */
const synonymShare = 0.5

interface Posting {
  readonly position: number
  readonly weight: number
}

interface Index {
  readonly postings: ReadonlyMap<string, readonly Posting[]>
  /** The words that are tags: such a word is meant, however common it is. */
  readonly tagged: ReadonlySet<string>
  readonly count: number
}

/** Lists of tools do not change; a list that is gone takes its index along. */
const indexes = new WeakMap<readonly ToolFacts[], Index>()

export function findTools(
  tools: readonly ToolFacts[],
  { query, category }: ToolSearch,
): readonly ToolFacts[] {
  const wanted = category?.toLowerCase()
  const fits = (tool: ToolFacts) =>
    wanted === undefined || tool.category.toLowerCase() === wanted || tool.group.toLowerCase() === wanted
  if (query.trim().toLowerCase() === 'all') return tools.filter(fits)
  const index = indexOf(tools)
  const words = wordsOfRequest(query)
  const scores = scoresOf(words, index)
  const full = [...new Set(words.flatMap(({ stem, empty }) => (empty ? [] : [stem])))]
  const hits = full.map((stem) => new Set(index.postings.get(stem)?.map(({ position }) => position)))
  const found = [...scores].flatMap(([position, score]) => {
    const tool = tools[position]
    return tool && fits(tool) ? [{ tool, position, score }] : []
  })
  const ranked = found.toSorted((left, right) => right.score - left.score || left.position - right.position)
  const hasAll = ({ position }: { position: number }) => hits.every((places) => places.has(position))
  const all = full.length === 0 ? [] : ranked.filter(hasAll)
  const near = all.length === 0 ? ranked : ranked.slice(0, leastShown)
  return [...new Set([...all, ...near])]
    .slice(0, Math.max(all.length === 0 ? mostShown : leastShown, Math.min(all.length, mostShown)))
    .map(({ tool }) => tool)
}

function scoresOf(words: readonly SearchWord[], index: Index): ReadonlyMap<number, number> {
  const scores = new Map<number, number>()
  const credit = (found: ReadonlyMap<number, number>) => {
    for (const [position, score] of found) scores.set(position, (scores.get(position) ?? 0) + score)
  }
  for (const pair of new Set(pairsOf(words))) credit(best([[pair, 1]], index))
  for (const stem of new Set(words.map((word) => word.stem))) {
    const empty = words.some((word) => word.stem === stem && word.empty) && !index.tagged.has(stem)
    const others = [...synonymsOf(stem), ...(empty ? [] : longerWords(stem, index))]
    const shares = others.map((other) => [other, synonymShare] as const)
    credit(best(empty ? shares : [[stem, 1], ...shares], index))
  }
  return scores
}

/** A word that no tool has may be the beginning of one, such as "calc". */
function longerWords(stem: string, { postings }: Index): string[] {
  if (stem.length < 3 || postings.has(stem)) return []
  return [...postings.keys()].filter((term) => term.startsWith(stem) && !term.includes(' '))
}

/** Of the words that one word may stand for, a tool is credited with the best only. */
function best(
  terms: readonly (readonly [term: string, share: number])[],
  { postings, count }: Index,
): ReadonlyMap<number, number> {
  const found = new Map<number, number>()
  for (const [term, share] of terms) {
    const holders = postings.get(term) ?? []
    const rarity = Math.log(1 + (count - holders.length + 0.5) / (holders.length + 0.5))
    for (const { position, weight } of holders) {
      const score = (share * rarity * weight) / (saturation + weight)
      if (score > (found.get(position) ?? 0)) found.set(position, score)
    }
  }
  return found
}

function indexOf(tools: readonly ToolFacts[]): Index {
  const known = indexes.get(tools)
  if (known) return known
  const fields = tools.map(fieldsOf)
  const averages = Object.fromEntries(
    (Object.keys(weights) as Field[]).map((field) => [
      field,
      fields.reduce((sum, each) => sum + each[field].length, 0) / Math.max(1, fields.length),
    ]),
  ) as Record<Field, number>
  const postings = new Map<string, Posting[]>()
  const tagged = new Set<string>()
  for (const [position, each] of fields.entries()) {
    for (const term of each.tags) tagged.add(term)
    const terms = new Map<string, number>()
    for (const field of Object.keys(weights) as Field[]) {
      const length = 1 - lengthShare + (lengthShare * each[field].length) / (averages[field] || 1)
      for (const term of each[field]) terms.set(term, (terms.get(term) ?? 0) + weights[field] / length)
    }
    for (const [term, weight] of terms) {
      const holders = postings.get(term) ?? []
      holders.push({ position, weight })
      postings.set(term, holders)
    }
  }
  const index = { postings, tagged, count: tools.length }
  indexes.set(tools, index)
  return index
}

type Field = keyof typeof weights

function fieldsOf({ name, description, tags, category, group }: ToolFacts): Record<Field, readonly string[]> {
  const nameWords = searchWordsOf(name.replaceAll('_', ' '))
  const tagWords = tags.map(searchWordsOf)
  return {
    name: [...nameWords.map(({ stem }) => stem), ...pairsOf(nameWords)],
    // Each once: a word in two tags is no better a fit.
    tags: [...new Set(tagWords.flatMap(termsOfTag))],
    description: [...new Set(full(searchWordsOf(description)))],
    category: [
      ...new Set(full([category, group].flatMap((text) => searchWordsOf(text.replace(/(?=[A-Z])/g, ' '))))),
    ],
  }
}

/** An empty word counts as a tag of its own, and in a phrase with its neighbours only. */
function termsOfTag(words: readonly SearchWord[]): string[] {
  return words.length === 1 ? words.map(({ stem }) => stem) : [...full(words), ...pairsOf(words)]
}

function full(words: readonly SearchWord[]): string[] {
  return words.flatMap(({ stem, empty }) => (empty ? [] : [stem]))
}
