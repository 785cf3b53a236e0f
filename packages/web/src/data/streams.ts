/** Owns the text that is still being said. It is not in the log: the reply itself replaces it. Pure. */
import type { GatewayEvent, RunId, ServerFrame } from '@countersign/contract'

export type Delta = Extract<ServerFrame, { type: 'delta' }>

/** What one run has said of its present turn so far. */
export interface Stream {
  readonly run: RunId
  readonly turn: number
  readonly attempt: number
  readonly text: string
  readonly reasoning: string
  /** The tool whose arguments are being written, if one is. */
  readonly tool: string | null
}

export type Streams = Readonly<Record<RunId, Stream>>

export const noStreams: Streams = {}

export function withDelta(streams: Streams, delta: Delta): Streams {
  const before = streams[delta.run]
  const same = before !== undefined && before.turn === delta.turn && before.attempt === delta.attempt
  // Frames of an attempt that came to nothing may still arrive after the next one began.
  if (before !== undefined && !same && isEarlier(delta, before)) return streams
  const stream: Stream = same
    ? before
    : { run: delta.run, turn: delta.turn, attempt: delta.attempt, text: '', reasoning: '', tool: null }
  return { ...streams, [delta.run]: grown(stream, delta) }
}

/** A reply or an end takes the place of what was streamed. */
export function withoutEnded(streams: Streams, event: GatewayEvent): Streams {
  const { body } = event
  if (body.type !== 'turn.replied' && body.type !== 'run.ended') return streams
  const stream = streams[body.run]
  if (stream === undefined || (body.type === 'turn.replied' && stream.turn > body.turn)) return streams
  const { [body.run]: _ended, ...others } = streams
  return others
}

function isEarlier(delta: Delta, stream: Stream): boolean {
  return delta.turn < stream.turn || (delta.turn === stream.turn && delta.attempt < stream.attempt)
}

function grown(stream: Stream, delta: Delta): Stream {
  switch (delta.kind) {
    case 'text':
      return { ...stream, text: stream.text + delta.text, tool: null }
    case 'reasoning':
      return { ...stream, reasoning: stream.reasoning + delta.text }
    case 'call':
      return { ...stream, tool: delta.tool ?? stream.tool }
  }
}
