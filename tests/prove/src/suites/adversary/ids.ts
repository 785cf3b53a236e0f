/** Owns how a script names a record whose id only the installation knows: `{id of x}` is the id that was told along with x. */
import type { ModelRequest } from '@countersign/agent'
import type { TaskTurn } from './task.ts'

const wanted = /\{id of ([^{}]+)\}/g
const anyId = /\b[a-z]+_[0-9a-f]{32}\b/

/** The turn with its ids put in, from what the model has seen. One that was never told becomes `none`. */
export function withIds(turn: TaskTurn, { messages }: ModelRequest): TaskTurn {
  const text = JSON.stringify(turn)
  if (!text.includes('{id of ')) return turn
  const lines = messages.flatMap((message) =>
    message.role === 'tool'
      ? message.results.flatMap((result) => result.text.split(/\n|(?<=\}),(?=\{)/))
      : [],
  )
  const idOf = (name: string) =>
    anyId.exec(lines.findLast((line) => line.includes(name) && anyId.test(line)) ?? '')
  return JSON.parse(text.replaceAll(wanted, (_, name: string) => idOf(name)?.[0] ?? 'none')) as TaskTurn
}

/** Whether arguments fit those of a script, whatever ids stand in them. */
export function fitsWithIds(given: string, scripted: string): boolean {
  const pieces = scripted.split(wanted).filter((_, index) => index % 2 === 0)
  if (pieces.length === 1) return given === scripted
  const escaped = pieces.map((piece) => piece.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&'))
  return new RegExp(`^${escaped.join(anyId.source)}$`, 's').test(given)
}
