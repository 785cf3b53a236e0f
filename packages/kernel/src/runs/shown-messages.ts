/**
 * Owns what the model of a segment is shown: the past, and the pictures that its calls make. No picture goes by another
 * way, and none goes before its label is the run's.
 */
import { type ModelMessage, type ModelPort, type TurnResult, windowed } from '@countersign/agent'
import { joinLabels, type Label } from '@countersign/contract'
import type { Caller } from '../dispatch/dispatch-ports.ts'
import { worthOf } from '../dispatch/file-labels.ts'
import type { FinishedTurn } from '../dispatch/finish-turn.ts'
import { type PastMessage, type PicturePorts, showPictures } from '../pictures/show-pictures.ts'
import type { Store } from '../store/store.ts'
import type { RunPreparation } from './assistant-port.ts'

/** What the model is shown of the past. */
export async function shownMessages(
  past: readonly PastMessage[],
  own: number,
  segment: PictureSegment,
): Promise<readonly ModelMessage[]> {
  const shown = await showPictures(past, segment)
  const messages = shown.flatMap((each) => each.messages)
  const ownCount = shown.slice(past.length - own).flatMap((each) => each.messages).length
  const window = windowed(messages, segment.historyTokens, ownCount)
  const left = new Set(window)
  const files = shown.flatMap((each) => (each.messages.some((one) => left.has(one)) ? each.files : []))
  await takeLabels(files, segment)
  return window
}

export interface PictureSegment extends PicturePorts {
  readonly historyTokens: number
  readonly caller: Caller
  readonly store: Store
}

interface SegmentPorts {
  readonly store: Store
  readonly model: ModelPort
  readonly readFile: PicturePorts['read']
}

export function pictureSegment(
  preparation: RunPreparation,
  asked: { readonly model?: string },
  caller: Caller,
  { store, model, readFile }: SegmentPorts,
): PictureSegment {
  const { purpose, port = model, historyTokens } = preparation
  const areTaken = async () => (await port.takesPictures?.({ purpose, ...asked })) ?? false
  return { read: readFile, areTaken, historyTokens, caller, store }
}

/** The pictures that the calls of a turn made, for the model that goes on. */
export async function showMade(turn: FinishedTurn, segment: PictureSegment): Promise<TurnResult> {
  if (turn.kind !== 'results') return turn
  const { pictures, ...results } = turn
  if (pictures.length === 0) return results
  const shown = await showPictures([{ role: 'tool', results: [], pictures }], segment)
  await takeLabels(
    shown.flatMap(({ files }) => files),
    segment,
  )
  return { ...results, shown: shown.flatMap(({ messages }) => messages.slice(1)) }
}

/** A picture is shown only once its label is the run's: what is on it was said by nobody who is asked. */
async function takeLabels(files: readonly string[], { caller, store }: PictureSegment): Promise<void> {
  if (files.length === 0) return
  const worth = await store.read(caller.held.operator, (db) => worthOf(db, files))
  caller.label = worth.reduce<Label>(
    (all, label) => joinLabels(all, label ?? lookedAt),
    joinLabels(caller.label, lookedAt),
  )
}

/** As of every file that is read, whoever it is from. */
const lookedAt: Label = { integrity: 'tool', confidentiality: 'private', sources: [] }
