/**
 * Owns how a text becomes the words that a search compares: stems, pairs of neighbours, and a name for what is no word
 * but shows what is meant, such as an address or a sum.
 */
import { stemOf } from './stem.ts'

export interface SearchWord {
  readonly stem: string
  /** Says nothing about what is wanted, unless a tool names it as a tag. */
  readonly empty: boolean
}

const emptyWords = new Set(
  `a about after again also am an and any anything are as at be because been before being both but by can cannot could
  d did do does doing don each else few for from get give go had has have he her here hers him his how i if in into is
  it its just let like ll m me might mine more most much must my need no not now of off on once one only or other our
  ours out over own please put re s said same say see she should so some someone something still such t tell than that
  the their them then there these they thing this those to too two up us ve very want was we were what when where which
  while who whom whose why will with would yes you your yours`.split(/\s+/),
)

const articles = new Set(['=a', '=an', '=the'])

/** What a text holds besides words, and the words that it stands for. The first that fits takes the text away. */
const shapes: readonly (readonly [RegExp, string])[] = [
  [/\b(?:https?:\/\/|www\.)\S+/gi, ' url link '],
  [/[\w.+-]+@[\w-]+(?:\.[\w-]+)*/g, ' email '],
  [/#[\da-f]{3,8}\b/gi, ' hex color '],
  [/\b\d*d\d+\b/gi, ' dice '],
  [/(?<=\d)\s*°?\s*[CF]\b|(?<=\d)\s*°/g, ' degrees '],
  [/(?<=\d)\s*%/g, ' percent '],
  [/(?<=[\d)])\s*(?:[*×÷^]|[+/](?=\s*[\d(]))\s*(?=[\d(a-z])/gi, ' arithmetic '],
  [/\b[\w-]+\.(?:docx?|xlsx?|pptx?|od[tsp])\b/gi, ' office document file '],
  [/\b[\w-]+\.(?:txt|md|csv|json|ya?ml|pdf|png|jpe?g|gif|mp[34]|zip|html?|js|ts|py|log)\b/gi, ' file '],
  [/\b(?:mon|tues|wednes|thurs|fri|satur|sun)day\b/gi, ' weekday '],
  [/\b[\w-]+\.(?:com|org|net|io|example)\b(?:\/\S*)?/gi, ' url website '],
]

/** The words of what a person or a model asks for. */
export function wordsOfRequest(text: string): readonly SearchWord[] {
  let plain = text.normalize('NFKD').replace(/\p{M}/gu, '').replace(/[’‘]/g, "'")
  for (const [shape, words] of shapes) plain = plain.replace(shape, words)
  return searchWordsOf(plain)
}

export function searchWordsOf(text: string): readonly SearchWord[] {
  const found = text.toLowerCase().match(/[\p{L}\p{N}]+(?:\+\+|#)?/gu) ?? []
  return found.map((word) => {
    const empty = emptyWords.has(word) || /^\d+$/.test(word)
    // Marked, because the stem of "note" is "not".
    return { stem: empty ? `=${word}` : stemOf(word), empty }
  })
}

/** Neighbours but for articles, so that "get rid" or "how many" can mean more than their words. */
export function pairsOf(words: readonly SearchWord[]): readonly string[] {
  const stems = words.flatMap(({ stem }) => (articles.has(stem) ? [] : [stem]))
  return stems.slice(1).map((stem, location) => `${stems[location]} ${stem}`)
}
