/** Owns what a command gives back, and how that becomes bytes: one JSON document or text, and an exit code. */

export interface CommandFailure {
  readonly type: string
  readonly message: string
  /** What to do now. */
  readonly next: string
  readonly exit: number
  readonly details?: Readonly<Record<string, unknown>>
}

export type CommandAnswer =
  | {
      readonly kind: 'done'
      /** What stands beside `ok` in the JSON document. */
      readonly data: Readonly<Record<string, unknown>>
      /** Made only for people: a program that asks for JSON does not wait for it. */
      readonly text: string | (() => string)
    }
  | { readonly kind: 'failed'; readonly failure: CommandFailure }
  /** The command has written everything itself. */
  | { readonly kind: 'ended'; readonly exit: number }

export interface WrittenAnswer {
  readonly output: string
  readonly errors: string
  readonly exit: number
}

export const done = (
  data: Readonly<Record<string, unknown>>,
  text: string | (() => string),
): CommandAnswer => ({
  kind: 'done',
  data,
  text,
})
export const failed = (failure: CommandFailure): CommandAnswer => ({ kind: 'failed', failure })
export const ended = (exit: number): CommandAnswer => ({ kind: 'ended', exit })

export function written(answer: CommandAnswer, json: boolean): WrittenAnswer {
  switch (answer.kind) {
    case 'ended':
      return { output: '', errors: '', exit: answer.exit }
    case 'done':
      return {
        output: json ? document({ ok: true, ...answer.data }) : withBreak(answerText(answer.text)),
        errors: '',
        exit: 0,
      }
    case 'failed': {
      const { exit, ...error } = answer.failure
      if (json) return { output: document({ ok: false, error }), errors: '', exit }
      return { output: '', errors: withBreak(`${error.message}\n${error.next}`), exit }
    }
  }
}

const answerText = (text: string | (() => string)): string => (typeof text === 'string' ? text : text())

function document(value: Readonly<Record<string, unknown>>): string {
  return `${JSON.stringify(value)}\n`
}

function withBreak(text: string): string {
  return text === '' || text.endsWith('\n') ? text : `${text}\n`
}
