/** Stands in for the embedding process in tests: a vector tells the length of its text and who made it, and some texts make it misbehave. */
import { writeFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { serve } from '../serve.ts'

serve(async (text) => {
  misbehave(text)
  await (text === 'slow' ? sleep(20) : new Promise(setImmediate))
  const told = text === 'environment' ? Object.keys(process.env).length : text.length
  return Float32Array.of(told, process.pid)
})

function misbehave(text: string): void {
  if (text === 'fail') throw new Error('It cannot be read.')
  if (text === 'exit') process.exit(3)
  if (text === 'abort') process.abort()
  if (/^SIG[A-Z]+$/.test(text)) process.kill(process.pid, text)
  const [, mark] = /^hang (.+)$/.exec(text) ?? []
  if (mark !== undefined) {
    writeFileSync(mark, '')
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
  }
  if (text === 'throw') {
    setImmediate(() => {
      throw new Error('It crashed.')
    })
  }
}
