/** Owns which answers are being waited for, by program: whoever is put out hears no more of them, at once. */
import { CountersignError } from '@countersign/contract'

export interface OpenStreams {
  /** Aborted when the program is put out, or when `other` is. */
  open(program: string, other: AbortSignal): { readonly signal: AbortSignal; readonly close: () => void }
  /** The programs that wait for something. */
  programs(): readonly string[]
  end(program: string): void
}

/** So that one program cannot keep the whole gateway waiting. */
const mostOfOne = 32

export function createOpenStreams(): OpenStreams {
  const streams = new Map<string, Set<AbortController>>()
  return {
    open(program, other) {
      const own = streams.get(program) ?? new Set()
      if (own.size >= mostOfOne)
        throw new CountersignError('limit_reached', `This program waits for ${mostOfOne} answers already.`, {
          next: 'Wait for one of them.',
        })
      const control = new AbortController()
      streams.set(program, own.add(control))
      return {
        signal: AbortSignal.any([control.signal, other]),
        close() {
          own.delete(control)
          if (own.size === 0 && streams.get(program) === own) streams.delete(program)
        },
      }
    },
    programs: () => [...streams.keys()],
    end(program) {
      for (const control of streams.get(program) ?? []) control.abort(putOutError())
    },
  }
}

export function putOutError(): CountersignError {
  return new CountersignError('not_authenticated', 'This program is not let in any more.', {
    next: 'The operator sees why with `countersign program list`.',
  })
}
