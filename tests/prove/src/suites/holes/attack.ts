/** What an attack is: one way in that was open once, tried against the real product, with the mutant that opens it again. */
import type { Stage } from './stage.ts'

export interface Attack {
  /** The name of its file. */
  readonly name: string
  /** What must hold, in one sentence. */
  readonly promise: string
  /** A file in `mutants/` that takes the defence away. With it loaded, the attack must succeed. */
  readonly mutant: string
  run(stage: Stage): Promise<AttackResult>
}

export interface AttackResult {
  /** The attack reached what it wanted. */
  readonly open: boolean
  /** The nearest honest act worked, so the attack failed because of the defence and not because of its own set-up. */
  readonly control: boolean
  /** What was seen, for the row of the report. */
  readonly saw: string
}
