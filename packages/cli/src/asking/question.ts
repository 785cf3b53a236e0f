/** Owns the shapes of the questions that a command may put to a person, and of what comes back. */

export type Asked<Value> =
  | { readonly kind: 'answered'; readonly value: Value }
  /** The person thought better of it: Esc, Ctrl+C, or the end of the input. */
  | { readonly kind: 'left' }

interface Question {
  readonly message: string
  /** What to give on the command line where nobody can be asked, as a sentence. */
  readonly instead: string
}

export interface TextQuestion extends Question {
  /** What an empty answer means, in a few words. */
  readonly empty?: string
  /** Says what is wrong with an answer; nothing where it is right. */
  readonly problem?: (typed: string) => string | undefined
}

export interface Choice<Value> {
  readonly value: Value
  readonly label: string
  readonly hint?: string
  /** The letter that stands for it where lines are typed; a number otherwise. */
  readonly key?: string
}

export interface ChoiceQuestion<Value> extends Question {
  readonly choices: readonly Choice<Value>[]
  /** Where the mark stands at first; the first one otherwise. */
  readonly usual?: Value
}

export interface SeveralQuestion<Value> extends Question {
  readonly choices: readonly Choice<Value>[]
}

export interface AgreementQuestion extends Question {
  /** What happens without a yes. */
  readonly otherwise: string
}

/** One way of asking: drawn on a terminal, or line by line. */
export interface Asking {
  text(question: TextQuestion): Promise<Asked<string>>
  choice<Value>(question: ChoiceQuestion<Value>): Promise<Asked<Value>>
  several<Value>(question: SeveralQuestion<Value>): Promise<Asked<readonly Value[]>>
  /** Enter alone never agrees. */
  agreement(question: AgreementQuestion): Promise<boolean>
}

/** Where the mark stands at first. */
export function usualAt<Value>(choices: readonly Choice<Value>[], usual: Value | undefined): number {
  const at = usual === undefined ? 0 : choices.findIndex(({ value }) => value === usual)
  return Math.max(at, 0)
}
