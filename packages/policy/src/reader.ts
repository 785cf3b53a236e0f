/**
 * Owns what a reader may do, and which questions open one unasked. A reader is told one question and nothing else, so
 * the question is all that can leave by whatever it looks at afterwards.
 */
import { type JsonObject, longestQuestion, readerTool, readerTools } from '@countersign/contract'
import { hasToken, isFound, mostLooks, onlyFetches, plainLookOf } from './plain-look.ts'
import { type CallInTask, isOwnCall, type TaskSoFar } from './task-so-far.ts'

/** After these a reader has read enough. */
export const mostReaderLooks = 50
/** After these a person looks again: by the order of words that were said something can be told, a little each time. */
export const mostQuestions = 10

/** The question that the call asks, with the answers to choose from, where the records of its task could speak for it. */
export function questionOf(call: CallInTask): readonly string[] | undefined {
  const { tool, args, effects, resources, label, secrets } = call
  if (tool.name !== readerTool || !isOwnCall(call) || label.confidentiality === 'secret') return undefined
  if (resources.length > 0 || secrets.length > 0 || !onlyFetches(effects)) return undefined
  return wordsToLeave(args)
}

/** A choice of answers is told to the reader too. */
function wordsToLeave({ question, answer }: JsonObject): readonly string[] | undefined {
  if (typeof question !== 'string') return undefined
  const options =
    typeof answer === 'object' && answer !== null && 'options' in answer ? answer['options'] : []
  if (!Array.isArray(options) || !options.every((each) => typeof each === 'string')) return undefined
  return [question, ...options]
}

/** A run that knows nothing private and read no stranger's words can ask whatever it likes. */
export function isPublicQuestion({ label }: CallInTask, soFar: TaskSoFar): boolean {
  const isClean = label.confidentiality === 'public' && label.integrity !== 'untrusted'
  return isClean && !soFar.wasInside && soFar.looks < mostLooks
}

/**
 * Whoever knows something private can ask only in words that the operator said, each as it was said and no more often,
 * and small ones that say nothing. Nothing else stands between them: whatever can be chosen freely can tell something.
 */
export function isSaidQuestion(parts: readonly string[], { said, questions }: TaskSoFar): boolean {
  const text = parts.map((part) => part.replace(/[?.]$/, '')).join(' ')
  // With the answers to choose from.
  if (text.length > longestQuestion || questions >= mostQuestions) return false
  const left = Map.groupBy(said.flatMap(saidWords), (word) => word)
  const uses = new Map<string, number>()
  let [small, own] = [0, 0]
  for (const [at, word] of text.split(' ').entries()) {
    const used = (uses.get(word.toLowerCase()) ?? 0) + 1
    uses.set(word.toLowerCase(), used)
    const most = left.get(word)?.length ?? 0
    const isSmall =
      smallWords.has(at === 0 ? word.replace(/^[A-Z]/, (first) => first.toLowerCase()) : word) &&
      used <= mostOfOne
    if (used <= most) own += 1
    else if (isSmall) small += 1
    else return false
  }
  return own > 0 && small <= mostSmall
}

/** Each as it stands, and in small letters, without the marks around it. */
function saidWords(words: string): string[] {
  return words.split(/\s+/).flatMap((word) => {
    const bare = word.replaceAll(/^[^\p{L}\p{N}]+|[^\p{L}\p{M}\p{N}]+$/gu, '')
    return [...new Set([bare, bare.toLowerCase()])].filter((each) => each !== '')
  })
}

const mostSmall = 8
const mostOfOne = 2

/** They make a question of a topic. None of them names, counts or denies anything. */
const smallWords: ReadonlySet<string> = new Set(
  `a an the this that these those and or but if than as of in on at by for from to with about into between near per is
  are was were be been do does did has have can could may should will would what which who whose when where why how much
  many i you one it its they them their there`.split(/\s+/),
)

/** Whatever a reader knows is public, so the address says nothing; what remains are requests that act by a token. */
export function isReaderLook(call: CallInTask, soFar: TaskSoFar): boolean {
  const look = call.inReader && readerTools.includes(call.tool.name) ? plainLookOf(call) : undefined
  if (!look || soFar.looks >= mostReaderLooks) return false
  if (look.search !== null || isFound(look.url, look.address, soFar)) return true
  const isAsked = soFar.said.some((words) => words.includes(look.address))
  return isAsked || !(hasToken(look.url) || madeToken.test(look.url.pathname))
}

/** Words of a path stand apart; what is long and stands together was not made up by a reader. */
const madeToken = /[\p{L}\p{N}]{20,}/u
