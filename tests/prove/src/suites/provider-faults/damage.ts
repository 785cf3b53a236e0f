/** The ways in which a stream is damaged. */
import type { Random } from '../../../../../packages/executor/src/testing/random.ts'
import type { Delivery } from './byte-server.ts'
import { contentTypeOf } from './cuts.ts'
import type { Recording } from './recordings.ts'

export interface DamagedStream {
  readonly how: string
  readonly delivery: Delivery
  /** No reply may come of it. */
  readonly mustFail: boolean
}

interface Change {
  readonly bytes?: Buffer
  readonly status?: number
  readonly contentType?: string
  readonly ends?: Delivery['ends']
  readonly mustFail?: boolean
}

type Damage = (recording: Recording, random: Random) => Change

const damages: Readonly<Record<string, Damage>> = {
  'one byte changed': ({ bytes }, random) => ({ bytes: flipped(bytes, random, 1) }),
  'some bytes changed': ({ bytes }, random) => ({ bytes: flipped(bytes, random, 2 + random.below(12)) }),
  'one bit turned': ({ bytes }, random) => {
    const at = random.below(bytes.length)
    const changed = Buffer.from(bytes)
    changed[at] = (changed[at] ?? 0) ^ (1 << random.below(7))
    return { bytes: changed }
  },
  'a line sent twice': (recording, random) =>
    edited(recording, (lines) => {
      const at = random.below(lines.length)
      lines.splice(at, 0, lines[at] ?? '')
    }),
  'an event sent twice': (recording, random) =>
    editedEvents(recording, (events) => {
      const at = random.below(events.length)
      events.splice(at, 0, events[at] ?? '')
    }),
  'a line left out': (recording, random) =>
    edited(recording, (lines) => lines.splice(random.below(lines.length), 1)),
  'an event left out': (recording, random) =>
    editedEvents(recording, (events) => events.splice(random.below(events.length), 1)),
  'two events swapped': (recording, random) =>
    editedEvents(recording, (events) => {
      const [a, b] = [random.below(events.length), random.below(events.length)]
      ;[events[a], events[b]] = [events[b] ?? '', events[a] ?? '']
    }),
  'a piece left out': ({ bytes }, random) => {
    const at = random.below(bytes.length)
    return { bytes: Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + 1 + random.below(60))]) }
  },
  'a huge line': (recording, random) =>
    edited(recording, (lines) =>
      lines.splice(random.below(lines.length), 0, `data: {"x":"${'y'.repeat(100_000)}"}`),
    ),
  'bytes that are no text': ({ bytes }, random) => ({
    bytes: inserted(bytes, random.below(bytes.length - 1), Buffer.from([0xff, 0xc0, 0xfe])),
    mustFail: true,
  }),
  'a NUL': ({ bytes }, random) => ({ bytes: inserted(bytes, random.below(bytes.length), Buffer.alloc(1)) }),
  'noise inside': ({ bytes }, random) => {
    const noise = Buffer.from(Array.from({ length: 1 + random.below(40) }, () => 32 + random.below(95)))
    return { bytes: inserted(bytes, random.below(bytes.length), noise) }
  },
  'an error event': (recording, random) => {
    const { before, after } = splitAtEvent(recording, random)
    const error = Buffer.from(errorOf(recording))
    return { bytes: Buffer.concat([before, error, after]), mustFail: true }
  },
  'an error event and nothing more': (recording, random) => ({
    bytes: Buffer.concat([splitAtEvent(recording, random).before, Buffer.from(errorOf(recording))]),
    mustFail: true,
  }),
  'another type of content': (_, random) => ({
    contentType: random.pick(['text/html', 'application/json', 'application/octet-stream', 'text/plain']),
  }),
  'another status': (_, random) => ({
    status: random.pick([301, 400, 401, 402, 403, 404, 408, 409, 413, 422, 429, 500, 502, 503, 504, 529]),
    mustFail: true,
  }),
  'an error with its status': (recording, random) => ({
    status: random.pick([400, 401, 429, 500, 503, 529]),
    contentType: 'application/json',
    bytes: Buffer.from(`{"error":${JSON.stringify({ message: 'No.', type: recording.kind })}}`),
    mustFail: true,
  }),
  'a page instead': () => ({
    bytes: Buffer.from('<html><body>Bad gateway</body></html>'),
    contentType: 'text/html',
    mustFail: true,
  }),
  'an empty body': () => ({ bytes: Buffer.alloc(0), mustFail: true }),
  'silence halfway': ({ bytes }, random) => ({
    bytes: bytes.subarray(0, random.below(bytes.length)),
    ends: 'stall',
    mustFail: true,
  }),
  'a cut and another beginning': ({ bytes }, random) => ({
    bytes: Buffer.concat([bytes.subarray(0, random.below(bytes.length)), bytes]),
  }),
}

const kinds = Object.entries(damages)

export function damage(recording: Recording, index: number, random: Random): DamagedStream {
  // Silence takes its time, so it comes less often.
  const [how, apply] = kinds[index % kinds.length] ?? random.pick(kinds)
  const isSkipped = how === 'silence halfway' && random.below(4) > 0
  const change = isSkipped ? { bytes: flipped(recording.bytes, random, 1) } : apply(recording, random)
  return {
    how: isSkipped ? 'one byte changed' : how,
    mustFail: change.mustFail ?? false,
    delivery: {
      status: change.status ?? 200,
      contentType: change.contentType ?? contentTypeOf(recording),
      bytes: change.bytes ?? recording.bytes,
      ends: change.ends ?? (random.below(5) === 0 ? 'reset' : 'clean'),
      pieces: 1 + random.below(4),
    },
  }
}

/** How each provider says in a stream that something went wrong. */
export function errorOf({ kind }: Pick<Recording, 'kind'>): string {
  const error = { type: 'overloaded_error', code: 'server_error', message: 'Overloaded' }
  switch (kind) {
    case 'ollama':
      return `${JSON.stringify({ error: 'out of memory' })}\n`
    case 'anthropic':
      return `event: error\ndata: ${JSON.stringify({ type: 'error', error })}\n\n`
    case 'google':
      return `data: ${JSON.stringify({ error: { code: 503, status: 'UNAVAILABLE', message: 'Overloaded' } })}\n\n`
    case 'openai':
    case 'xai':
      return `data: ${JSON.stringify({ ...error, type: 'error', param: null, sequence_number: 3 })}\n\n`
    default:
      return `data: ${JSON.stringify({ error })}\n\n`
  }
}

function flipped(bytes: Buffer, random: Random, count: number): Buffer {
  const changed = Buffer.from(bytes)
  for (let done = 0; done < count; done += 1) changed[random.below(bytes.length)] = random.below(128)
  return changed
}

function inserted(bytes: Buffer, at: number, more: Buffer): Buffer {
  return Buffer.concat([bytes.subarray(0, at), more, bytes.subarray(at)])
}

function edited({ bytes }: Recording, edit: (lines: string[]) => void): Change {
  const lines = bytes.toString('utf8').split('\n')
  edit(lines)
  return { bytes: Buffer.from(lines.join('\n')) }
}

function eventsOf({ kind, bytes }: Recording): string[] {
  return bytes.toString('utf8').split(kind === 'ollama' ? /(?<=\n)/ : /(?<=\n\n)/)
}

function editedEvents(recording: Recording, edit: (events: string[]) => void): Change {
  const events = eventsOf(recording)
  edit(events)
  return { bytes: Buffer.from(events.join('')) }
}

/** Before the last events, which say that the reply is over. */
function splitAtEvent(recording: Recording, random: Random): { before: Buffer; after: Buffer } {
  const events = eventsOf(recording)
  const at = 1 + random.below(Math.max(1, events.length - 5))
  return { before: Buffer.from(events.slice(0, at).join('')), after: Buffer.from(events.slice(at).join('')) }
}
