/** Owns the pace of streamed text: at most twenty times a second, and the first words at once. */

export interface Deltas {
  add(kind: 'text' | 'reasoning', text: string): void
  /** Forgets what was not shown; the reply itself follows. */
  stop(): void
}

const paceMs = 50

export function createDeltas(show: (kind: 'text' | 'reasoning', text: string) => void): Deltas {
  const waiting = { text: '', reasoning: '' }
  let timer: NodeJS.Timeout | undefined

  function flush(): void {
    timer = undefined
    for (const kind of ['reasoning', 'text'] as const) {
      if (waiting[kind] === '') continue
      show(kind, waiting[kind])
      waiting[kind] = ''
      timer = setTimeout(flush, paceMs)
    }
  }

  return {
    add(kind, text) {
      waiting[kind] += text
      if (!timer) flush()
    },
    stop() {
      clearTimeout(timer)
      timer = undefined
      waiting.text = ''
      waiting.reasoning = ''
    },
  }
}
