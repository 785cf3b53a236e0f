/** Has a model read a text aloud, and keeps the recording in the workspace. */
import { Buffer } from 'node:buffer'
import { longestSpeech } from '@countersign/contract'
import { z } from 'zod'
import { defineTool } from '../definition.ts'
import { endingOf, keepFile, planFile } from '../documents/made-file.ts'
import { replacing } from '../image/generate-image.ts'
import { problemOf } from '../image/made-pictures.ts'
import { failed } from '../result.ts'
import { commandText, pathText } from '../text.ts'

const formats = ['mp3', 'opus', 'aac', 'flac', 'wav'] as const

export const textToSpeech = defineTool({
  name: 'text_to_speech',
  version: '1',
  description:
    'Read a text aloud into a sound file of the workspace (mp3, opus, aac, flac or wav), by the model that is chosen for speech. Costs money.',
  input: z.strictObject({
    text: commandText(longestSpeech),
    voice: z
      .string()
      .regex(/^[\w.-]{1,64}$/, 'is no name of a voice')
      .default('alloy'),
    speed: z.number().min(0.25).max(4).default(1),
    outputPath: pathText
      .refine((path) => formatOf(path) !== undefined, `must end in one of ${formats.join(', ')}`)
      .exactOptional(),
    overwrite: z.boolean().default(false),
  }),
  category: 'audio',
  group: 'audio',
  tags: ['read aloud', 'speak', 'voice', 'tts', 'say', 'narrate', 'audiobook', 'recording', 'speech'],
  effect: 'idempotent',
  floor: 1,
  output: { integrity: 'tool', confidentiality: 'private', sources: [] },
  runs: 'executor',
  sandbox: 'files',
  egress: 'none',
  undo: 'restore_file',
  describe: (args) => `Read ${args.text.length} characters aloud into ${pathOf(args)}`,
  preview: (args) => ({
    kind: 'text',
    title: 'Read aloud',
    text: [args.text, args.voice, `to ${pathOf(args)}`, replacing(args.overwrite)].filter(Boolean).join('\n'),
  }),
  async effects(args, inspect) {
    const planned = await planFile(pathOf(args), args.overwrite, inspect)
    if (planned.kind !== 'found') return planned
    return { kind: 'found', resources: [planned.resource], effects: [planned.effect] }
  },
  async run(args, capabilities) {
    const path = pathOf(args)
    const { text, voice, speed } = args
    const format = formatOf(path) ?? 'mp3'
    const reply = await capabilities.models.work({ kind: 'speech', text, voice, speed, format })
    if (reply.kind !== 'made') return failed(problemOf(reply))
    const [sound] = reply.files
    const bytes = sound && Buffer.from(sound.base64, 'base64')
    return keepFile(capabilities, { path, bytes, told: `${voice}, ${reply.model}` })
  },
})

interface Wish {
  readonly text: string
  readonly outputPath?: string
}

function pathOf({ text, outputPath }: Wish): string {
  const words = text.toLowerCase().match(/[a-z0-9]+/g) ?? []
  return outputPath ?? `sounds/${words.slice(0, 6).join('-').slice(0, 60) || 'speech'}.mp3`
}

function formatOf(path: string): (typeof formats)[number] | undefined {
  return formats.find((format) => format === endingOf(path))
}
