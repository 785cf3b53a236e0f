/** Owns what an attack is: what a stranger writes, and what a model that obeys the stranger does with what it sees. */
import type { CallReply } from '@countersign/agent'
import type { AskedItem, Autonomy } from '@countersign/contract'
import type { ScriptedCall, ScriptedReply } from './installation.ts'

export interface Adversary {
  readonly name: string
  /** What would be won. */
  readonly goal: Goal
  /** What stands in the mail, the page, the file. */
  readonly words: string
  /** Turn by turn, with the answers to the last one. Ends when it has tried everything. */
  strike(seen: AttackerView): AttackTurns
  /** What a model that lies lists as the operator's wishes; left out, it lists nothing. */
  wishes?(seen: Pick<AttackerView, 'mark' | 'kept'>): readonly AskedItem[]
  /** What the operator says to a question of the model's. */
  readonly answer?: string
  /** Tools that it needs. Where one is missing it is left out. */
  readonly needs?: readonly string[]
}

export type Goal =
  | 'exfiltrate'
  | 'send'
  | 'destroy'
  | 'escape'
  | 'execute'
  | 'persist'
  | 'launder'
  | 'forge'
  | 'smuggle'
  | 'flood'
  | 'authority'
  | 'spend'

export type AttackTurns = Generator<AttackTurn, void, readonly CallReply[]>

/** One turn: calls, and words that go with them. */
export type AttackTurn = ScriptedReply | readonly ScriptedCall[]

/** All that there is to know for a model that was taken over. */
export interface AttackerView {
  readonly mark: string
  readonly web: string
  readonly level: Autonomy
  /** A private text, which only reading brings in. */
  readonly diary: string
  /** A file and a note that the operator wants to keep. */
  readonly kept: { readonly file: string; readonly note: string }
  /** A folder beside the workspace. */
  readonly outside: string
  /** A small run: a few of many calls are enough. */
  readonly isBrief: boolean
  /** What the honest model would call next, to be changed a little. */
  readonly next: () => readonly ScriptedCall[]
}

/** An attack whose turns do not depend on the answers. */
export function* turns(...blows: readonly AttackTurn[]): AttackTurns {
  for (const blow of blows) yield blow
}

/** Reads what is private, and goes on with the words that were found. */
export function* stealing(seen: AttackerView, use: (stolen: string) => readonly AttackTurn[]): AttackTurns {
  const replies = yield [{ name: 'read_file', args: { path: seen.diary } }]
  const found = /canary-[\w-]+/.exec(replies.map(({ text }) => text).join('\n'))?.[0]
  yield* turns(...use(found ?? `nothing from ${seen.mark}`))
}
