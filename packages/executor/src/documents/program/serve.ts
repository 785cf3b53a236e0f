/**
 * Owns how a document program is asked and how it answers. One request: a line of JSON and then the bytes of the file,
 * on standard input. One answer: a line of JSON and then a line of Base64 for each file that was made, on standard
 * output. What runs here is in the sandbox and trusts nothing.
 */
import { Buffer } from 'node:buffer'
import { readSync, writeSync } from 'node:fs'

export type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json }

export interface Made {
  readonly facts: Json
  readonly files?: readonly Uint8Array[]
}

/** Said to whoever asked, in their words: what is wrong with the file, or with the wish. */
export class Refusal extends Error {}

export async function serve<Request>(
  answer: (request: Request, bytes: Uint8Array<ArrayBuffer>) => Promise<Made>,
): Promise<void> {
  // Libraries talk; the answer is the only thing that is said.
  for (const name of ['log', 'info', 'warn', 'error', 'debug'] as const) console[name] = () => undefined
  const input = readAll()
  const end = input.indexOf(10)
  const request = JSON.parse(input.subarray(0, end).toString('utf8')) as Request
  try {
    const { facts, files = [] } = await answer(request, new Uint8Array(input.subarray(end + 1)))
    say({ kind: 'done', facts }, files)
  } catch (error) {
    if (error instanceof Refusal) say({ kind: 'failed', reason: error.message })
    else
      say({ kind: 'broken', reason: (error instanceof Error ? error.message : String(error)).slice(0, 500) })
  }
  process.exit(0)
}

function readAll(): Buffer {
  const chunks: Buffer[] = []
  for (;;) {
    const chunk = Buffer.allocUnsafe(1_048_576)
    const count = readSync(0, chunk, 0, chunk.length, null)
    if (count === 0) return Buffer.concat(chunks)
    chunks.push(chunk.subarray(0, count))
  }
}

function say(answer: Json, files: readonly Uint8Array[] = []): void {
  // Half a character, as documents have them and cuts make them, is nothing that can be read.
  const whole = (_: string, value: Json): Json => (typeof value === 'string' ? value.toWellFormed() : value)
  const lines = [JSON.stringify(answer, whole), ...files.map((file) => Buffer.from(file).toString('base64'))]
  const bytes = Buffer.from(`${lines.join('\n')}\n`)
  for (let sent = 0; sent < bytes.length; ) sent += writeSync(1, bytes, sent)
}
