/**
 * A cache of prompts as Anthropic keeps one: a request says with `cache_control` up to where it is to be kept, and what begins
 * with something that was kept is read from there. Short beginnings are not kept. About four characters to a token.
 */
import { asList, asObject, type JsonObject } from './wire.ts'

export interface CacheUse {
  readonly input: number
  readonly cached: number
  readonly written: number
}

const fewestTokens = 1_024
const mostMarks = 4

export function createPromptCache(): (body: JsonObject) => CacheUse {
  const kept = new Set<string>()
  return (body) => {
    const { parts, ends } = partsOf(body)
    if (ends.length > mostMarks) throw new Error(`A request may have ${mostMarks} marks, not ${ends.length}.`)
    const beginning = (end: number) => parts.slice(0, end + 1).join('\n')
    const tokens = (text: string) => Math.ceil(text.length / 4)
    const worth = ends.map(beginning).filter((text) => tokens(text) >= fewestTokens)
    // Whatever was kept is found again from a later mark.
    const known = parts.map((_, index) => beginning(index)).findLast((text) => kept.has(text)) ?? ''
    const cached = worth.length === 0 ? 0 : tokens(known)
    for (const text of worth) kept.add(text)
    const written = Math.max(0, tokens(worth.at(-1) ?? '') - cached)
    return { input: tokens(parts.join('\n')), cached, written }
  }
}

/** What a request is made of, in the order in which it counts, and which of them bear a mark. */
function partsOf(body: JsonObject): { readonly parts: string[]; readonly ends: number[] } {
  const messages = asList(body['messages']).map(asObject)
  const blocks = [
    ...asList(body['tools']).map(asObject),
    ...asList(body['system']).map(asObject),
    ...messages.flatMap(({ role, content }) =>
      (typeof content === 'string' ? [{ type: 'text', text: content }] : asList(content).map(asObject)).map(
        (block): JsonObject => ({ role, ...block }),
      ),
    ),
  ]
  const ends = blocks.flatMap((block, index) => ('cache_control' in block ? [index] : []))
  const withoutMark = (key: string, value: unknown) => (key === 'cache_control' ? undefined : value)
  return { parts: blocks.map((block) => JSON.stringify(block, withoutMark)), ends }
}
