/** Owns a name server for tests: by UDP, with the texts of a zone, and nothing of any other name. */
import { createSocket } from 'node:dgram'
import { once } from 'node:events'

export interface NameServer {
  /** As a setting names it. */
  readonly address: string
  close(): Promise<void>
}

const flags = { answer: 0x84_00, absent: 0x84_03 } as const
const types = { text: 16 } as const

export async function openNameServer(zone: Readonly<Record<string, string>>): Promise<NameServer> {
  const socket = createSocket('udp4')
  socket.on('message', (question, from) => {
    const answer = answerTo(question, zone)
    if (answer) socket.send(answer, from.port, from.address)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  return {
    address: `127.0.0.1:${socket.address().port}`,
    async close() {
      socket.close()
      await once(socket, 'close')
    },
  }
}

/** Undefined where it is no question. */
function answerTo(question: Buffer, zone: Readonly<Record<string, string>>): Buffer | undefined {
  const labels: string[] = []
  let at = 12
  for (let length = question[at] ?? 0; length > 0; length = question[at] ?? 0) {
    labels.push(question.subarray(at + 1, at + 1 + length).toString('latin1'))
    at += 1 + length
  }
  const end = at + 5
  if (question.length < end) return undefined
  const text = question.readUInt16BE(at + 1) === types.text ? zone[labels.join('.').toLowerCase()] : undefined
  const head = Buffer.alloc(12)
  question.copy(head, 0, 0, 2)
  head.writeUInt16BE(text === undefined ? flags.absent : flags.answer, 2)
  head.writeUInt16BE(1, 4)
  head.writeUInt16BE(text === undefined ? 0 : 1, 6)
  const asked = question.subarray(12, end)
  return Buffer.concat([head, asked, ...(text === undefined ? [] : [textRecord(text)])])
}

/** The name is that of the question, which stands at the twelfth byte. */
function textRecord(text: string): Buffer {
  const pieces = text.match(/.{1,255}/g) ?? []
  const data = Buffer.concat(
    pieces.map((piece) => Buffer.from(`${String.fromCharCode(piece.length)}${piece}`, 'latin1')),
  )
  const head = Buffer.from([0xc0, 12, 0, types.text, 0, 1, 0, 0, 0, 60, 0, 0])
  head.writeUInt16BE(data.length, 10)
  return Buffer.concat([head, data])
}
