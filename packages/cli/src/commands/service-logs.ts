/** `countersign service logs`: the end of the gateway's log, and what is added to it. */
import { closeSync, existsSync, openSync, readSync, statSync } from 'node:fs'
import { StringDecoder } from 'node:string_decoder'
import { errorCatalogue } from '@countersign/contract'
import type { Context, Handler } from '../context.ts'
import { gatewayLog, lastLines } from '../gateway-process.ts'
import { done, ended, failed } from '../output/answer.ts'
import { usage } from '../output/failure.ts'
import { line } from '../output/safe-text.ts'

const lookMs = 250
const usualLines = 50
const chunkBytes = 65_536

export const logs: Handler = async (context, _args, options) => {
  const count = options['lines'] === undefined ? usualLines : Number(options['lines'])
  if (!Number.isSafeInteger(count) || count < 1)
    return usage(`--lines ${String(options['lines'])} is not a number of lines.`, 'service logs')
  const follow = options['follow'] === true
  if (follow && context.flags.json) return usage('--follow has no JSON output.', 'service logs')
  const log = gatewayLog((await context.paths()).logs)
  if (!existsSync(log))
    return failed({
      type: 'not_found',
      message: `There is no log yet at ${log}.`,
      next: 'Start the gateway with `countersign service start` or `countersign up`.',
      exit: errorCatalogue.not_found.exit,
    })
  const from = statSync(log).size
  const tail = lastLines(log, count)
  if (!follow) return done({ log, lines: tail }, () => tail.map(line).join('\n'))
  for (const entry of tail) context.host.output.write(`${line(entry)}\n`)
  await followed(context, log, from)
  return ended(0)
}

/** Until it is interrupted, or nobody reads any more. A log that became shorter was begun anew. */
async function followed(context: Context, log: string, from: number): Promise<void> {
  const { output, wait } = context.host
  const interrupt = new AbortController()
  const end = () => interrupt.abort()
  process.once('SIGINT', end)
  output.once('close', end)
  const limit = context.flags.waitMs
  if (limit !== undefined) setTimeout(end, limit).unref()
  const decoder = new StringDecoder('utf8')
  let at = from
  let rest = ''
  try {
    while (!interrupt.signal.aborted) {
      const size = existsSync(log) ? statSync(log).size : 0
      if (size < at) at = 0
      const bytes = readFrom(log, at, size)
      at += bytes.length
      const parts = (rest + decoder.write(bytes)).split('\n')
      rest = parts.pop() ?? ''
      for (const entry of parts) output.write(`${line(entry)}\n`)
      if (bytes.length === 0) await wait(lookMs, interrupt.signal)
    }
  } finally {
    process.off('SIGINT', end)
  }
}

function readFrom(path: string, from: number, to: number): Buffer {
  const length = Math.min(to - from, chunkBytes)
  if (length <= 0) return Buffer.alloc(0)
  const handle = openSync(path, 'r')
  try {
    const buffer = Buffer.alloc(length)
    return buffer.subarray(0, readSync(handle, buffer, 0, length, from))
  } finally {
    closeSync(handle)
  }
}
