/**
 * Owns what the records of a task say for a call that strangers' words may have led to: that it only makes a new
 * document, writes one that the operator named, looks where nothing can be carried, or was asked for. Pure; the kernel brings the
 * records, and in doubt a fact is false.
 */
import {
  changesTaker,
  type Effect,
  type FileResource,
  type JsonValue,
  type Resource,
} from '@countersign/contract'
import { askedFact, mayBeAskedFor } from './asked-for.ts'
import { listedIn } from './listed-question.ts'
import { isNobodysOrder, isPlainDocument } from './plain-document.ts'
import { isExpectedLook, lookOf } from './plain-look.ts'
import { isPublicQuestion, isReaderLook, isSaidQuestion, questionOf } from './reader.ts'
import { type CallInTask, isExpectedWrite, isOwnCall, type TaskFacts, type TaskSoFar } from './task-so-far.ts'
import { mayBeHeld, unaskedIn } from './unasked.ts'
import { ofPath, standsWhole } from './whole-in.ts'

export const nothingKnown: TaskFacts = {
  fresh: false,
  named: false,
  look: false,
  question: false,
  listed: null,
  reader: false,
  asked: null,
  unasked: null,
}

/** After these a person looks again. */
export const mostWrites = 20

/** Whether the records of the task could say something for the call. */
export function mayBeExpected(call: CallInTask): boolean {
  if (call.inReader || mayBeAskedFor(call) || mayBeHeld(call) || isNewFolder(call)) return true
  return [lookOf, questionOf, documentOf, madeByProgram].some((of) => of(call) !== undefined)
}

export function taskFactsOf(call: CallInTask, soFar: TaskSoFar): TaskFacts {
  return { ...whatSpeaksFor(call, soFar), unasked: unaskedIn(call, soFar) }
}

function whatSpeaksFor(call: CallInTask, soFar: TaskSoFar): TaskFacts {
  if (call.inReader) {
    const isFree = isReaderLook(call, soFar)
    return { ...nothingKnown, look: isFree, reader: isFree }
  }
  const words = questionOf(call)
  if (words !== undefined) {
    const free = { look: isPublicQuestion(call, soFar), question: isSaidQuestion(words, soFar) }
    // What needs no list depends on none.
    const listed = free.look || free.question ? null : listedIn(words, soFar)
    return { ...nothingKnown, ...free, listed, question: free.question || listed !== null }
  }
  const look = lookOf(call)
  if (look) return { ...nothingKnown, look: isExpectedLook(look, soFar) }
  const made = madeByProgram(call)
  if (made) return { ...nothingKnown, fresh: soFar.writes + made.length <= mostWrites }
  if (isNewFolder(call)) return { ...nothingKnown, fresh: soFar.writes < mostWrites }
  const written = documentFacts(call, soFar)
  // What needs no wish uses none up.
  return isExpectedWrite(written) ? written : { ...written, asked: askedFact(call, soFar) }
}

function documentFacts(call: CallInTask, soFar: TaskSoFar): TaskFacts {
  const document = documentOf(call)
  if (!document || soFar.writes >= mostWrites) return nothingKnown
  const { path, identity, content } = document
  return {
    ...nothingKnown,
    fresh: identity === 'absent' || (content !== null && soFar.made.get(path) === content),
    named: soFar.saidNow.some((words) => standsWhole(words, path, ofPath)),
  }
}

/** The document that the call writes and all that it changes, where facts of the task could speak for it. */
export function documentOf(call: CallInTask): FileResource | undefined {
  return isOwnCall(call) && call.label.integrity === 'untrusted' ? documentIn(call) : undefined
}

/** Whoever makes the call, and whatever its run has read. */
export function documentIn({
  tool,
  args,
  effects,
  resources,
}: Omit<CallInTask, 'label'>): FileResource | undefined {
  if (!effects.every(isUndoableInside)) return undefined
  const [document, ...others] = resources.filter((resource) => resource.type !== 'url')
  if (document?.type !== 'file' || document.op !== 'write' || others.length > 0) return undefined
  if (document.root !== 'workspace' || !writers.has(tool.name)) return undefined
  const text = tool.name === textWriter ? args['content'] : null
  if (text !== null && typeof text !== 'string') return undefined
  return isPlainDocument({ path: document.path, text }) ? document : undefined
}

/** With those above it that are made on the way. */
const deepest = 8

/** A folder that was not there, and nothing in it: no name by which somebody looks for one. */
function isNewFolder(call: CallInTask): boolean {
  const { tool, effects, resources, label } = call
  const isNew = (one: Resource) =>
    one.type === 'file' &&
    one.root === 'workspace' &&
    one.op === 'write' &&
    one.identity === 'absent' &&
    one.path.split('/').length <= deepest &&
    isNobodysOrder(`${one.path}/_`)
  return (
    tool.name === 'create_folder' &&
    isOwnCall(call) &&
    label.integrity === 'untrusted' &&
    effects.every(isUndoableInside) &&
    resources.length > 0 &&
    resources.every(isNew)
  )
}

/**
 * The new documents that a program made and all that it changed. The executor compared the list in the call with what is
 * held, so the whole text of each stands in the call, as in a write.
 */
export function madeByProgram(call: CallInTask): readonly FileResource[] | undefined {
  return isOwnCall(call) && call.label.integrity === 'untrusted' ? documentsOfProgram(call) : undefined
}

/** Whoever ran it, and whatever its run has read. */
export function documentsOfProgram({
  tool,
  args,
  effects,
  resources,
}: Omit<CallInTask, 'label'>): readonly FileResource[] | undefined {
  if (tool.name !== changesTaker) return undefined
  const files = Array.isArray(args['files']) ? args['files'] : []
  const documents = resources.filter((resource) => resource.type === 'file')
  if (!effects.every(isUndoableInside) || args['more'] !== 0 || files.length === 0) return undefined
  if (documents.length !== resources.length || documents.length !== files.length) return undefined
  const texts = new Map(files.flatMap(newText))
  const isNew = ({ root, path, op, identity }: FileResource) => {
    const text = texts.get(path)
    const isThere = root !== 'workspace' || op !== 'write' || identity !== 'absent'
    return !isThere && text !== undefined && isPlainDocument({ path, text })
  }
  return documents.every(isNew) ? documents : undefined
}

function newText(file: JsonValue): readonly (readonly [string, string])[] {
  if (typeof file !== 'object' || file === null || Array.isArray(file)) return []
  const { path, text, change, kind, runs } = file
  const isPlain = change === 'made' && kind === 'file' && runs === false
  return isPlain && typeof path === 'string' && typeof text === 'string' ? [[path, text]] : []
}

/** They write what stands in the call, or what is on a page that is open. What copies or fetches has another source. */
const textWriter = 'write_file'
const writers: ReadonlySet<string> = new Set([textWriter, 'browser_screenshot'])

function isUndoableInside({ verb, scope, reversible, outward, leaves }: Effect): boolean {
  const isMild = verb === 'read' || verb === 'list' || verb === 'write'
  return isMild && scope === 'inside' && reversible && !outward && leaves.length === 0
}
