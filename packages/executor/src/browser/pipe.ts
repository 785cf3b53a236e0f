/**
 * Owns the talk with the browser over its pipes: JSON texts that end with a zero byte. Refuses a message that is too
 * large, since a page can make the browser send anything, and this process must outlive it.
 */
import { Buffer } from 'node:buffer'
import type { Readable, Writable } from 'node:stream'
import type { ConnectOverCDPTransport } from 'playwright-core'

export interface PipeEnds {
  readonly toBrowser: Writable
  readonly fromBrowser: Readable
}

/** `flooded` is told of a message that was too large, and must end the browser. */
export function createPipe(
  { toBrowser, fromBrowser }: PipeEnds,
  mostBytes: number,
  flooded: () => void,
): ConnectOverCDPTransport {
  let kept: Buffer[] = []
  let size = 0
  let isOpen = true
  const transport: ConnectOverCDPTransport = {
    send(message) {
      if (isOpen) toBrowser.write(`${JSON.stringify(message)}\0`)
    },
    close() {
      if (!isOpen) return
      isOpen = false
      kept = []
      toBrowser.destroy()
      fromBrowser.destroy()
      transport.onclose?.()
    },
  }
  const keep = (part: Buffer): void => {
    size += part.length
    if (size > mostBytes) {
      flooded()
      transport.close()
    } else kept.push(part)
  }
  fromBrowser.on('data', (chunk: Buffer) => {
    let rest = chunk
    for (let end = rest.indexOf(0); end !== -1 && isOpen; end = rest.indexOf(0)) {
      keep(rest.subarray(0, end))
      const text = Buffer.concat(kept).toString('utf8')
      kept = []
      size = 0
      rest = rest.subarray(end + 1)
      // One message is one task: its receiver's promises run before the next one arrives.
      setImmediate(() => {
        if (isOpen) transport.onmessage?.(JSON.parse(text) as object)
      })
    }
    if (isOpen) keep(rest)
  })
  for (const stream of [toBrowser, fromBrowser]) {
    stream.on('error', () => transport.close())
    stream.on('close', () => transport.close())
  }
  return transport
}
