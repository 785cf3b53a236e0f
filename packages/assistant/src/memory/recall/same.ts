/** Owns how alike two memories are: whether one repeats the other, and how near their matters are. Pure. */
import { wordsIn } from '@countersign/contract'
import { likenessOf } from './vector-index.ts'

/** A memory taken apart once, to be compared with many. */
export interface Comparable {
  readonly words: ReadonlySet<string>
  /** The words by which two facts differ even if all else is alike: figures, and names as far as they can be told. */
  readonly marks: ReadonlySet<string>
  readonly vector: Float32Array | null
}

export interface Similarity {
  /** It says the same: nothing is lost without it. */
  readonly repeats: boolean
  /** From about nothing to one: by meaning, or by words where there are no vectors. */
  readonly nearness: number
}

export function comparableOf(content: string, vector: Float32Array | null): Comparable {
  const words = wordsIn(content)
  const raised = wordsIn(content.replaceAll(/(?<![\p{L}\p{N}])\p{Ll}[\p{L}\p{N}'’]*/gu, ' '))
  const marks = raised.filter((word) => !beginnings.has(word)).map(withoutEnding)
  return { words: new Set(words.map(withoutEnding)), marks: new Set(marks), vector }
}

export function kinshipOf(one: Comparable, other: Comparable): Similarity {
  const shared = sharedShare(one.words, other.words)
  const nearness = one.vector && other.vector ? likenessOf(one.vector, other.vector) : shared
  const isClose = shared >= repeatedWords || (one.vector !== null && nearness >= repeatedMeaning)
  const repeats = isClose && isMarkedAlike(one, other) && isMarkedAlike(other, one)
  return { repeats, nearness }
}

const repeatedWords = 0.85
const repeatedMeaning = 0.9

/** What stands large at the beginning of a sentence and is no name. */
const beginnings: ReadonlySet<string> = new Set(
  `a all an and as at be but by do for from he her his how i if in is it its keep leave my never no not of on or our
   please remember she so the their there they this to use we what when where which who with you your`.split(
    /\s+/u,
  ),
)

function isMarkedAlike(one: Comparable, other: Comparable): boolean {
  return one.marks.isSubsetOf(other.words)
}

function sharedShare(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  const both = one.intersection(other).size
  return both / Math.max(1, one.size + other.size - both)
}

function withoutEnding(word: string): string {
  return word.replace(/['’]s$/u, '')
}
