/** Owns the pace of what streams: at most twenty times a second, and the first words at once. */
import type { ShownChunk } from './loop.ts'

export interface DeltaPiece {
  readonly attempt: number
  readonly kind: 'text' | 'reasoning' | 'call'
  readonly text: string
  readonly tool?: string
}

export interface Deltas {
  add(shown: ShownChunk): void
  /** Forgets what was not shown; the reply itself follows. */
  stop(): void
}

const paceMs = 50

export function createDeltas(show: (piece: DeltaPiece) => void): Deltas {
  let waiting: DeltaPiece[] = []
  let attempt = 0
  let timer: NodeJS.Timeout | undefined

  function flush(): void {
    timer = undefined
    if (waiting.length === 0) return
    // What is written first is shown first; a change from words to a call and back is rare.
    for (const piece of waiting) show(piece)
    waiting = []
    timer = setTimeout(flush, paceMs)
  }

  function forget(): void {
    clearTimeout(timer)
    timer = undefined
    waiting = []
  }

  return {
    add(shown) {
      if (shown.type === 'again') {
        forget()
        attempt += 1
        // The empty piece tells that the former attempt no longer holds, before the next one says anything.
        waiting = [{ attempt, kind: 'text', text: '' }]
      } else {
        const { type: kind, text } = shown
        const tool = shown.type === 'call' ? { tool: shown.tool } : {}
        const last = waiting.at(-1)
        const same = last?.kind === kind && last.tool === tool.tool
        if (last && same) waiting[waiting.length - 1] = { ...last, text: last.text + text }
        else waiting.push({ attempt, kind, text, ...tool })
      }
      if (!timer) flush()
    },
    stop: forget,
  }
}
