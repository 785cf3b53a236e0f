/**
 * Owns the lines that are exchanged with a server in the sandbox: one JSON message to a line. What it says is counted; one
 * that says more than is listened to, in a message or altogether, is cut.
 */
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client'
import type { SandboxStreams } from '../sandbox/port.ts'
import { serverLimits } from './server-limits.ts'

export interface BoundedTransport extends Transport {
  /** What was said until now counts no more. */
  listenAnew(): void
  /** Why the talk ended, where it did not end by itself. */
  problem(): string | undefined
}

/** `ended` is told when the talk is over, whoever ended it. */
export function streamTransport({ stdin, stdout }: SandboxStreams, ended: () => void): BoundedTransport {
  let problem: string | undefined
  let isClosed = false
  const lines = countedLines((bytes) => {
    const message = messageOf(bytes.toString('utf8'))
    // Some servers print what is no message before they begin; it is not for us.
    if (message !== undefined && !isClosed) transport.onmessage?.(message)
  })
  const transport: BoundedTransport = {
    start: async () => {
      stdout.on('data', take)
      stdout.once('close', close)
      stdout.once('end', close)
      stdout.once('error', close)
      stdin.on('error', close)
    },
    send: (message) =>
      new Promise((resolve, reject) => {
        if (isClosed) return reject(new Error('The server has ended.'))
        stdin.write(`${JSON.stringify(message)}\n`, (error) => (error ? reject(error) : resolve()))
      }),
    close: async () => close(),
    listenAnew: lines.countAnew,
    problem: () => problem,
  }

  function close(): void {
    if (isClosed) return
    isClosed = true
    stdout.off('data', take)
    ended()
    transport.onclose?.()
  }

  function take(chunk: Buffer): void {
    const tooMuch = lines.take(chunk)
    if (tooMuch === undefined) return
    problem ??= tooMuch
    close()
  }

  return transport
}

/** Tells of each line, and says why no more is listened to when it is too much. */
function countedLines(heard: (line: Buffer) => void) {
  let said = 0
  let kept: Buffer[] = []
  let keptBytes = 0
  const { maxSaidBytes, maxMessageBytes } = serverLimits
  return {
    countAnew: () => {
      said = keptBytes
    },
    take(chunk: Buffer): string | undefined {
      said += chunk.length
      if (said > maxSaidBytes) return 'It said more than is listened to.'
      let rest = chunk
      for (let end = rest.indexOf(10); end !== -1; end = rest.indexOf(10)) {
        if (keptBytes + end > maxMessageBytes) return 'It sent a message that is too long.'
        heard(Buffer.concat([...kept, rest.subarray(0, end)]))
        kept = []
        keptBytes = 0
        rest = rest.subarray(end + 1)
      }
      if (rest.length === 0) return undefined
      kept.push(rest)
      keptBytes += rest.length
      return keptBytes > maxMessageBytes ? 'It sent a message without end.' : undefined
    },
  }
}

function messageOf(text: string): JSONRPCMessage | undefined {
  try {
    const value: unknown = JSON.parse(text)
    const isMessage =
      typeof value === 'object' && value !== null && (value as { jsonrpc?: unknown }).jsonrpc === '2.0'
    return isMessage ? (value as JSONRPCMessage) : undefined
  } catch {
    return undefined
  }
}
