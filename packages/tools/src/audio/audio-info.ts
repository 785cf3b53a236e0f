/** Says what a sound file of the workspace is: its length, form and quality, and its title and artist. */
import { z } from 'zod'
import { defineTool } from '../definition.ts'
import { findDocument, openDocument } from '../documents/document-file.ts'
import { failed, succeeded } from '../result.ts'
import { pathText } from '../text.ts'
import { withoutFfmpeg } from './ffmpeg.ts'

const field = z.string().max(1_000).nullable()
const figure = z.number().nullable()

const Facts = z.strictObject({
  format: field,
  codec: field,
  seconds: z.number().min(0),
  bitRate: figure,
  sampleRate: figure,
  channels: figure,
  title: field,
  artist: field,
  album: field,
  date: field,
  genre: field,
  comment: field,
})

export const audioInfo = defineTool({
  name: 'audio_info',
  version: '1',
  description:
    'Say how long a sound file is, its format, bit rate, sample rate and channels, and its title and artist.',
  input: z.strictObject({ path: pathText }),
  category: 'audio',
  group: 'audio',
  tags: ['duration', 'length', 'how long', 'mp3', 'music', 'recording', 'metadata', 'sound', 'bitrate'],
  effect: 'pure',
  floor: 0,
  output: { integrity: 'tool', confidentiality: 'private', sources: [] },
  runs: 'executor',
  sandbox: 'documents',
  egress: 'none',
  describe: ({ path }) => `Look at the properties of ${path}`,
  preview: ({ path }) => ({ kind: 'text', title: 'Sound properties', text: path }),
  async effects({ path }, inspect) {
    const found = await findDocument(path, inspect)
    if (found.kind !== 'found') return found
    const missing = await withoutFfmpeg(inspect)
    return missing ?? { kind: 'found', resources: [found.resource], effects: [found.effect] }
  },
  async run({ path }, capabilities, signal) {
    const job = { program: 'audio', op: 'info' } as const
    const opened = await openDocument(capabilities, { path, job, form: Facts }, signal)
    if (opened.kind === 'failed') return failed(opened.reason)
    return succeeded(
      JSON.stringify(opened.facts),
      `${path} is ${opened.facts.seconds.toFixed(1)} seconds of ${opened.facts.codec ?? 'sound'}`,
    )
  },
})
