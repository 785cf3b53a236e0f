/** Turns whatever was thrown into a failure with a type, a sentence and the next step. */
import type { CommandAnswer, CommandFailure } from './answer.ts'
import { failed } from './answer.ts'

export const usageExit = 2

export function usage(message: string, command?: string): CommandAnswer {
  const help = ['countersign', ...(command ? [command] : []), '--help'].join(' ')
  return failed({ type: 'usage', message, next: `Run \`${help}\` to see how it is used.`, exit: usageExit })
}

/** Loads the catalogue only when something has failed. */
export async function failureOf(error: unknown): Promise<CommandFailure> {
  const { CountersignError, errorCatalogue, forDisplay } = await import('./catalogue.ts')
  const safe = (text: string) => forDisplay(text, { multiline: true }).text
  if (error instanceof CountersignError) {
    const details = Object.keys(error.details).length > 0 ? { details: error.details } : {}
    return {
      type: error.code,
      message: safe(error.message),
      next: nextFor(error.next, error.details),
      exit: errorCatalogue[error.code].exit,
      ...details,
    }
  }
  const { exit, next } = errorCatalogue.internal
  if (error instanceof Error && error.name === 'ZodError') {
    const message =
      'The answer of the gateway is not in the expected format. Its version may differ from this program.'
    return {
      type: 'internal',
      message,
      next: 'Compare `countersign version` with `countersign status`.',
      exit,
      details: { cause: error.message },
    }
  }
  return {
    type: 'internal',
    message: safe(error instanceof Error ? error.message : String(error)),
    next,
    exit,
  }
}

/** The catalogue speaks of `<code>` and `<id>`; where the failure names one, the next step can be copied as it stands. */
function nextFor(next: string, details: Readonly<Record<string, unknown>>): string {
  return next.replace(/<(code|id)>/g, (placeholder, name: string) => {
    const value = details[name]
    return typeof value === 'string' && /^[\w-]+$/.test(value) ? value : placeholder
  })
}
