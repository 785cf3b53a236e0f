/**
 * The program for sound. It asks ffprobe and ffmpeg of the host, which run in the same sandbox, and lets them open the
 * one file and only forms that hold sound: lists that name other files are not among them.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { asked, soundPlace as place, safely } from './ffmpeg.ts'
import { type Json, type Made, Refusal, serve } from './serve.ts'

type Request =
  | { readonly op: 'info' }
  | { readonly op: 'split'; readonly points: readonly number[]; readonly ending: string }

const longestField = 300

await serve<Request>(async (request, bytes) => {
  writeFileSync(place, bytes)
  const facts = lookAt()
  return request.op === 'info' ? { facts } : split(request, facts.seconds)
})

interface Probed {
  readonly streams?: readonly Record<string, unknown>[]
  readonly format?: Record<string, unknown>
}

function lookAt(): { readonly seconds: number; readonly [name: string]: Json } {
  const words = ['-of', 'json', '-show_format', '-show_streams', place]
  const { streams = [], format = {} } = JSON.parse(ran('ffprobe', [...safely, ...words])) as Probed
  const sound = streams.find(({ codec_type }) => codec_type === 'audio')
  if (!sound) throw new Refusal('There is no sound in it.')
  const tags = Object.fromEntries(
    Object.entries({ ...recordOf(sound.tags), ...recordOf(format.tags) }).map(([name, value]) => [
      name.toLowerCase(),
      value,
    ]),
  )
  const text = (value: unknown): Json =>
    typeof value === 'string' && value !== '' ? value.slice(0, longestField) : null
  return {
    format: text(format.format_long_name),
    codec: text(sound.codec_name),
    seconds: numberOf(format.duration) ?? numberOf(sound.duration) ?? 0,
    bitRate: numberOf(format.bit_rate) ?? numberOf(sound.bit_rate),
    sampleRate: numberOf(sound.sample_rate),
    channels: numberOf(sound.channels),
    title: text(tags.title),
    artist: text(tags.artist),
    album: text(tags.album),
    date: text(tags.date),
    genre: text(tags.genre),
    comment: text(tags.comment),
  }
}

function split({ points, ending }: Extract<Request, { op: 'split' }>, seconds: number): Made {
  const late = points.find((point) => point >= seconds)
  if (late !== undefined)
    throw new Refusal(`It is ${seconds.toFixed(1)} seconds long; ${late} is after its end.`)
  const source = ['-nostdin', ...safely, '-i', place, '-map', '0:a:0', '-map_metadata', '0']
  if (ending === 'flac') {
    // Its head says how long it is and is written last, so each part is written by itself. That loses nothing either.
    for (const [index, from] of [0, ...points].entries()) {
      const until = points[index] === undefined ? [] : ['-to', String(points[index])]
      ran('ffmpeg', [...source, '-ss', String(from), ...until, '-c', 'flac', partName(index, ending)])
    }
  } else {
    const cut = ['-f', 'segment', '-segment_times', points.join(','), '-reset_timestamps', '1']
    ran('ffmpeg', [...source, '-c', 'copy', ...cut, `/tmp/part-%03d.${ending}`])
  }
  const parts = readdirSync('/tmp').filter((name) => name.startsWith('part-'))
  const files = parts.toSorted().map((name) => readFileSync(`/tmp/${name}`))
  if (files.length !== points.length + 1)
    throw new Refusal('It cannot be split at these points: they are too close.')
  return { facts: { seconds, parts: files.length }, files }
}

function partName(index: number, ending: string): string {
  return `/tmp/part-${String(index).padStart(3, '0')}.${ending}`
}

function ran(program: 'ffprobe' | 'ffmpeg', words: readonly string[]): string {
  return asked(program, words, 2_000_000).toString('utf8')
}

function numberOf(value: unknown): number | null {
  const number = typeof value === 'string' || typeof value === 'number' ? Number(value) : Number.NaN
  return Number.isFinite(number) ? number : null
}

function recordOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? { ...value } : {}
}
