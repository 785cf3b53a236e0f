/** Asks line by line: with `--plain`, and on a terminal that cannot be drawn on. `q` leaves where something is chosen. */
import { createInterface } from 'node:readline/promises'
import type { Context } from '../context.ts'
import { columns, indent } from '../output/columns.ts'
import { line } from '../output/safe-text.ts'
import { type Asked, type Asking, type Choice, usualAt } from './question.ts'

type LineContext = Pick<Context, 'host' | 'say'>

export function askByLines(context: LineContext): Asking {
  const { say } = context
  return {
    async text({ message, empty, problem }) {
      for (;;) {
        const typed = await typedLine(
          context,
          `${message}${empty === undefined ? '' : ` (Enter: ${empty})`}: `,
        )
        if (typed === undefined) return { kind: 'left' }
        const wrong = problem?.(typed)
        if (wrong === undefined) return { kind: 'answered', value: typed }
        say(wrong)
      }
    },
    async choice({ message, choices, usual }) {
      say(indent(columns(choices.map(rowOf))))
      const first = choices[usualAt(choices, usual)]
      const enter = first === undefined ? '' : keyOf(first, choices.indexOf(first))
      const asked = await chosen(
        context,
        `${message} Enter takes ${enter}, q leaves: `,
        (typed) => named(choices, typed === '' ? enter : typed),
        'not one of the options.',
      )
      return asked.kind === 'left' ? asked : { kind: 'answered', value: asked.value.value }
    },
    async several({ message, choices }) {
      say(indent(columns(choices.map(rowOf))))
      const asked = await chosen(
        context,
        `${message} For example 1 3; Enter takes none, q leaves: `,
        (typed) => {
          const found = typed
            .split(/[\s,]+/)
            .filter((each) => each !== '')
            .map((each) => named(choices, each))
          return found.every((each) => each !== undefined) ? found : undefined
        },
        'not all of these are numbers from the list.',
      )
      if (asked.kind === 'left') return asked
      return { kind: 'answered', value: asked.value.map(({ value }) => value) }
    },
    async agreement({ message, otherwise }) {
      const typed = await typedLine(context, `${message} Type y, or anything else to ${otherwise}: `)
      return typed?.toLowerCase() === 'y'
    },
  }
}

async function typedLine({ host }: LineContext, question: string): Promise<string | undefined> {
  const reader = createInterface({ input: host.input, output: host.output })
  try {
    const ended = new Promise<undefined>((resolve) => reader.once('close', () => resolve(undefined)))
    return (await Promise.race([reader.question(question), ended]))?.trim()
  } finally {
    reader.close()
  }
}

/** Asks until an answer can be read. */
async function chosen<Value>(
  context: LineContext,
  question: string,
  read: (typed: string) => Value | undefined,
  wrong: string,
): Promise<Asked<Value>> {
  for (;;) {
    const typed = await typedLine(context, question)
    if (typed === undefined || typed === 'q') return { kind: 'left' }
    const value = read(typed)
    if (value !== undefined) return { kind: 'answered', value }
    context.say(`${line(typed)}: ${wrong}`)
  }
}

function rowOf(choice: Choice<unknown>, at: number): string[] {
  return [keyOf(choice, at), choice.label, choice.hint ?? '']
}

function keyOf({ key }: Choice<unknown>, at: number): string {
  return key ?? String(at + 1)
}

function named<Value>(choices: readonly Choice<Value>[], typed: string): Choice<Value> | undefined {
  const word = typed.toLowerCase()
  return choices.find((choice, at) => keyOf(choice, at) === word || choice.label.toLowerCase() === word)
}
