/**
 * Owns which questions a reading of the operator's words can free. Whoever wrote them knew these words and nothing else,
 * so what a run has read since stands in none of them; what they may look like is decided here. Pure; in doubt none.
 */
import { longestQuestion, mostListedQuestions } from '@countersign/contract'
import { standsIn } from './address-words.ts'
import { isSaidQuestion, mostQuestions, questionOf } from './reader.ts'
import type { CallInTask, TaskSoFar } from './task-so-far.ts'

/** Those of a list that are one line of plain text, with no address but one that the operator said. */
export function fitQuestions(questions: readonly string[], said: readonly string[]): string[] {
  const isFit = (question: string) =>
    question !== '' &&
    question.length <= longestQuestion &&
    question.trim() === question &&
    question.normalize('NFC') === question &&
    !unseen.test(question) &&
    question.split(' ').every((word) => isFitWord(word, said))
  return [...new Set(questions)].slice(0, mostListedQuestions).filter(isFit)
}

/** What is not shown, or is shown as nothing; of all spaces only the usual one. */
const unseen = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]|[^\S ]/u

function isFitWord(word: string, said: readonly string[]): boolean {
  const plain = asHostsAreRead(word)
  if (longToken.test(plain)) return false
  if (!maybeAddress.test(plain)) return true
  const bare = word.replaceAll(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}/]+$/gu, '')
  return !/[?@]/.test(asHostsAreRead(bare)) && said.some((words) => standsIn(words, bare))
}

/** Whoever looks up a host takes wide and ringed letters for plain ones, and other dots for a dot. */
function asHostsAreRead(word: string): string {
  return word.normalize('NFKC').replaceAll('。', '.')
}

/**
 * A key, or a number that stands for somebody. Words of some languages are as long, and have neither a digit nor a
 * capital in their middle.
 */
const longToken = /(?=[\p{L}\p{M}_/+-]*(?:\p{N}|\p{Ll}\p{Lu}|\p{Lu}{2}\p{Ll}))[\p{L}\p{M}\p{N}_/+-]{20,}/u
const maybeAddress =
  /\/\/|@|%[0-9a-f]{2}|[^\s.]\.[\p{L}\p{M}]{2}|\p{L}:\d|\d\.\d+\.\d+\.\d|[0-9a-f]{0,4}:[0-9a-f]{0,4}:|https?:/iu

/** Whether a list could speak for such a question at all, whatever it says. */
export function mayBeListed(call: CallInTask, { questions }: TaskSoFar): boolean {
  return questions < mostQuestions && questionOf(call) !== undefined
}

/** The reading that has the question, to the byte. Answers to choose from are the run's own words, so they were said. */
export function listedIn([question, ...options]: readonly string[], soFar: TaskSoFar): string | null {
  const { plan, questions } = soFar
  if (plan === null || question === undefined || questions >= mostQuestions) return null
  const isListed = plan.questions.includes(question)
  return isListed && (options.length === 0 || isSaidQuestion(options, soFar)) ? plan.id : null
}
