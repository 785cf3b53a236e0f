/**
 * Owns what a reader may do, and which questions open one unasked. A reader is told one question and nothing else, so
 * the question is all that can leave by whatever it looks at afterwards.
 */
import { type JsonObject, readerTool, readerTools } from '@countersign/contract'
import { hasToken, isFound, mostLooks, onlyFetches, plainLookOf } from './plain-look.ts'
import { type CallInTask, isOwnCall, type TaskSoFar } from './task-so-far.ts'
import { wordsOf } from './words-of.ts'

/** After these a reader has read enough. */
export const mostReaderLooks = 50
/** After these a person looks again: by the order of words that were said something can be told, a little each time. */
export const mostQuestions = 10
/** In characters, with the answers to choose from. */
const longestQuestion = 200

/** The words of the question that the call asks, where the records of its task could speak for it. */
export function questionOf(call: CallInTask): string | undefined {
  const { tool, args, effects, resources, label, secrets } = call
  if (tool.name !== readerTool || !isOwnCall(call) || label.confidentiality === 'secret') return undefined
  if (resources.length > 0 || secrets.length > 0 || !onlyFetches(effects)) return undefined
  return wordsToLeave(args)
}

/** A choice of answers is told to the reader too. */
function wordsToLeave({ question, answer }: JsonObject): string | undefined {
  if (typeof question !== 'string') return undefined
  const options =
    typeof answer === 'object' && answer !== null && 'options' in answer ? answer['options'] : []
  if (!Array.isArray(options) || !options.every((each) => typeof each === 'string')) return undefined
  return [question, ...options].join(' ')
}

/** A run that knows nothing private and read no stranger's words can ask whatever it likes. */
export function isPublicQuestion({ label }: CallInTask, soFar: TaskSoFar): boolean {
  const isClean = label.confidentiality === 'public' && label.integrity !== 'untrusted'
  return isClean && !soFar.wasInside && soFar.looks < mostLooks
}

/** Whoever knows something private can ask only in words that the operator said, and small ones that say nothing. */
export function isSaidQuestion(words: string, { said, questions }: TaskSoFar): boolean {
  if (words.length > longestQuestion || questions >= mostQuestions) return false
  const known = new Set(said.flatMap(wordsOf))
  const asked = wordsOf(words)
  return asked.some((word) => known.has(word)) && asked.every((word) => known.has(word) || small.has(word))
}

/** They make a question of a topic. None of them names, counts or denies anything. */
const small: ReadonlySet<string> = new Set(
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
