/** Types one line after another into a test host, each once its question stands there. Never for use outside tests. */
import { stripVTControlCharacters } from 'node:util'
import type { TestHost } from './home.ts'

const lookMs = 5

/** Ends with `stop`. When no line is left, it leaves. */
export function typeLines(host: TestHost, lines: readonly string[]): { stop(): void } {
  const left = [...lines]
  let asked = 0
  const typing = setInterval(() => {
    const texts = [host.written(), host.complaints()].map(stripVTControlCharacters)
    const seen = texts.join('')
    if (seen.length === asked || !texts.some((text) => /[:?] $/.test(text))) return
    asked = seen.length
    host.typed.write(`${left.shift() ?? 'q'}\n`)
  }, lookMs)
  return { stop: () => clearInterval(typing) }
}
