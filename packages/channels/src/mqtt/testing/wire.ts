/** Owns the wire between the adapter and the broker: it passes packets on, and can lose or answer one, or be cut. */
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import type { Fault } from '../../testing/platform.ts'

export interface Wire {
  readonly port: number
  /** Kinds of packets that the adapter sent, the newest last: 3 is PUBLISH, 4 is PUBACK. */
  readonly sent: readonly number[]
  /** For the next answer that the adapter publishes. */
  fail(fault: Fault): void
  /** Loses every acknowledgement of the adapter from now on. */
  loseAcknowledgements(yes: boolean): void
  /** The broker says so to the adapter, and hangs up. */
  dismiss(reason: number): void
  cut(): void
  close(): Promise<void>
  open(): Promise<void>
}

export async function openWire(broker: number, isAnswer: (topic: string) => boolean): Promise<Wire> {
  const sockets = new Set<Socket>()
  const adapters = new Set<Socket>()
  const sent: number[] = []
  let fault: Fault | undefined
  let isDeaf = false

  const server = createServer((adapter) => {
    const upstream = connect(broker, '127.0.0.1')
    adapters.add(adapter)
    adapter.on('close', () => adapters.delete(adapter))
    let isLosing = false
    let rest: Buffer = Buffer.alloc(0)
    const cutBoth = () => {
      adapter.destroy()
      upstream.destroy()
    }
    for (const socket of [adapter, upstream]) {
      sockets.add(socket)
      socket.on('error', cutBoth)
      socket.on('close', () => {
        sockets.delete(socket)
        // After the last words of the other side.
        adapter.end()
        upstream.end()
      })
    }
    upstream.on('data', (bytes) => {
      if (isLosing) cutBoth()
      else adapter.write(bytes)
    })
    adapter.on('data', (bytes) => {
      const { packets, left } = packetsIn(Buffer.concat([rest, bytes]))
      rest = left
      for (const packet of packets) {
        const kind = (packet[0] ?? 0) >> 4
        sent.push(kind)
        const now = kind === publish && isAnswer(topicOf(packet)) ? fault : undefined
        if (now) fault = undefined
        if (now?.kind === 'lost-before') return cutBoth()
        if (now?.kind === 'lost-after') isLosing = true
        if (now?.kind === 'slow-down' || now?.kind === 'refused')
          adapter.write(refusal(packet, now.kind === 'refused' ? notAuthorized : quotaExceeded))
        else if (!(isDeaf && kind === acknowledgement)) upstream.write(packet)
      }
    })
  })

  const open = (port: number) => new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  await open(0)
  const { port } = server.address() as AddressInfo
  const cut = () => {
    for (const socket of sockets) socket.destroy()
  }
  return {
    port,
    sent,
    fail(next) {
      fault = next
    },
    loseAcknowledgements(yes) {
      isDeaf = yes
    },
    dismiss(reason) {
      for (const adapter of adapters) adapter.end(Buffer.from([0xe0, 1, reason]))
    },
    cut,
    async close() {
      const closed = new Promise((resolve) => server.close(resolve))
      cut()
      await closed
    },
    open: () => open(port),
  }
}

const publish = 3
const acknowledgement = 4
const notAuthorized = 0x87
const quotaExceeded = 0x97

/** A packet is a byte, its length in up to four bytes of seven bits, and that much more. */
function packetsIn(bytes: Buffer): { readonly packets: readonly Buffer[]; readonly left: Buffer } {
  const packets: Buffer[] = []
  let left = bytes
  for (;;) {
    const body = bodyOf(left)
    if (!body || left.length < body.from + body.length) return { packets, left }
    packets.push(left.subarray(0, body.from + body.length))
    left = left.subarray(body.from + body.length)
  }
}

function bodyOf(packet: Buffer): { readonly from: number; readonly length: number } | undefined {
  let length = 0
  for (let at = 1; at < packet.length; at += 1) {
    const byte = packet[at] ?? 0
    length += (byte & 0x7f) * 128 ** (at - 1)
    if (byte < 0x80) return { from: at + 1, length }
  }
  return undefined
}

function topicOf(packet: Buffer): string {
  const from = bodyOf(packet)?.from ?? 0
  return packet.subarray(from + 2, from + 2 + packet.readUInt16BE(from)).toString()
}

/** A PUBACK to this PUBLISH. */
function refusal(packet: Buffer, reason: number): Buffer {
  const from = bodyOf(packet)?.from ?? 0
  const id = packet.readUInt16BE(from + 2 + packet.readUInt16BE(from))
  return Buffer.from([0x40, 3, id >> 8, id & 0xff, reason])
}
