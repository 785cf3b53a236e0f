/** Asks with marks and arrow keys, on a terminal that can be drawn on. The only file that knows the library. */
import { Writable } from 'node:stream'
import { confirm, isCancel, multiselect, select, text, updateSettings } from '@clack/prompts'
import type { Context } from '../context.ts'
import type { OutputStream } from '../host.ts'
import { type Asked, type Asking, type Choice, type TextQuestion, usualAt } from './question.ts'

export function askDrawn({ host, paint }: Pick<Context, 'host' | 'paint'>): Asking {
  const { input } = host
  const output = paint('strong', ' ') === ' ' ? uncoloured(host.output) : host.output
  // The end of a typed input leaves, as it does at a shell.
  updateSettings({ aliases: { '\u0004': 'cancel' } })

  /** A terminal that goes away leaves, too. */
  async function ended<Value>(
    ask: (common: {
      readonly input: typeof input
      readonly output: Writable
      readonly signal: AbortSignal
    }) => Promise<Value | symbol>,
  ): Promise<Asked<Value>> {
    const gone = new AbortController()
    const leave = () => gone.abort()
    input.once('end', leave)
    try {
      const value = await ask({ input, output, signal: gone.signal })
      return isCancel(value) || typeof value === 'symbol' ? { kind: 'left' } : { kind: 'answered', value }
    } finally {
      input.off('end', leave)
      // A command that asked its last question ends.
      input.pause()
    }
  }

  return {
    async text(question) {
      const typing = typingOf(question)
      const asked = await ended<string | undefined>((common) => text({ ...common, ...typing.options }))
      return asked.kind === 'left' ? asked : { kind: 'answered', value: typing.typed() }
    },
    async choice({ message, choices, usual }) {
      const asked = await ended<number>((common) =>
        select({ ...common, message, options: optionsOf(choices), initialValue: usualAt(choices, usual) }),
      )
      return asked.kind === 'left' ? asked : valueAt(choices, asked.value)
    },
    async several({ message, choices }) {
      const asked = await ended<number[]>((common) =>
        multiselect({ ...common, message, required: false, options: optionsOf(choices) }),
      )
      if (asked.kind === 'left') return asked
      const value = choices.flatMap((choice, at) => (asked.value.includes(at) ? [choice.value] : []))
      return { kind: 'answered', value }
    },
    async agreement({ message }) {
      const asked = await ended<boolean>((common) => confirm({ ...common, message, initialValue: false }))
      return asked.kind === 'answered' && asked.value
    },
  }
}

/** By their place: what is chosen need not be a text. */
function optionsOf(choices: readonly Choice<unknown>[]) {
  return choices.map(({ label, hint }, value) => ({ value, label, ...(hint ? { hint } : {}) }))
}

function valueAt<Value>(choices: readonly Choice<Value>[], at: number): Asked<Value> {
  const chosen = choices[at]
  return chosen === undefined ? { kind: 'left' } : { kind: 'answered', value: chosen.value }
}

/** The library paints by itself; what it paints is taken away again where no colour is wanted. */
function uncoloured(output: OutputStream): Writable {
  const plain = new Writable({
    decodeStrings: false,
    write(chunk: string | Buffer, _encoding, done) {
      output.write(String(chunk).replace(painting, ''))
      done()
    },
  })
  return Object.defineProperties(plain, {
    columns: { get: () => output.columns },
    rows: { get: () => output.rows },
    isTTY: { value: output.isTTY },
  })
}

// oxlint-disable-next-line no-control-regex
const painting = /\u001b\[[\d;]*m/g

/** Remembers what was typed, since what Enter alone stands for is shown as the answer. */
function typingOf({ message, empty, problem }: TextQuestion) {
  let typed = ''
  return {
    typed: () => typed,
    options: {
      message,
      ...(empty === undefined ? {} : { placeholder: `Enter: ${empty}`, defaultValue: empty }),
      validate(value: string | undefined): string | undefined {
        typed = (value ?? '').trim()
        return problem?.(typed)
      },
    },
  }
}
