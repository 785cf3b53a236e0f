/** Splits a sound file of the workspace into parts beside it, without a loss, and says how to take that back. */
import { posix } from 'node:path'
import type { Effect, Resource } from '@countersign/contract'
import { sha256Hex } from '@countersign/contract/node'
import { z } from 'zod'
import { defineTool } from '../definition.ts'
import { findDocument, openDocument } from '../documents/document-file.ts'
import { endingOf, planFile, stemOf } from '../documents/made-file.ts'
import { toldEffects } from '../files/file-effects.ts'
import { filesUndo, type WrittenFile } from '../files/restore-files.ts'
import { failed, sizeOf, succeeded } from '../result.ts'
import { pathText } from '../text.ts'
import { withoutFfmpeg } from './ffmpeg.ts'

const endings = ['mp3', 'wav', 'flac', 'ogg', 'oga', 'opus', 'm4a', 'aac', 'webm', 'mka'] as const
const Facts = z.object({ seconds: z.number(), parts: z.int() })

export const splitAudio = defineTool({
  name: 'split_audio',
  version: '1',
  description:
    'Split a sound file at points given in seconds, such as [60, 125.5]. The parts are named -part01, -part02 and so on, in its format and without loss. Replaces nothing.',
  input: z.strictObject({
    path: pathText.refine(
      (path) => endings.some((ending) => ending === endingOf(path)),
      `must end in one of ${endings.join(', ')}`,
    ),
    splitPoints: z
      .array(z.number().min(0.1).max(1_000_000))
      .min(1)
      .max(50)
      .refine(
        (points) => points.every((point, index) => index === 0 || point > (points[index - 1] ?? 0)),
        'must rise',
      ),
    outputFolder: pathText.optional(),
  }),
  category: 'audio',
  group: 'audio',
  tags: ['cut', 'trim', 'chapters', 'pieces', 'divide', 'recording', 'mp3', 'sound', 'segment'],
  effect: 'idempotent',
  floor: 1,
  output: { integrity: 'tool', confidentiality: 'private', sources: [] },
  runs: 'executor',
  sandbox: 'documents',
  egress: 'none',
  undo: 'restore_files',
  describe: (args) => `Split ${args.path} into ${partsOf(args).length} parts`,
  preview: (args) => ({
    kind: 'text',
    title: 'Split sound',
    text: [`${args.path} at ${args.splitPoints.join(', ')} seconds`, ...partsOf(args)].join('\n'),
  }),
  async effects(args, inspect) {
    const found = await findDocument(args.path, inspect)
    if (found.kind !== 'found') return found
    const missing = await withoutFfmpeg(inspect)
    if (missing) return missing
    const resources: Resource[] = [found.resource]
    const effects: Effect[] = []
    for (const part of partsOf(args)) {
      const planned = await planFile(part, false, inspect)
      if (planned.kind === 'invalid')
        return { kind: 'invalid', reason: `${planned.reason} Or name an outputFolder.` }
      if (planned.kind !== 'found') return planned
      resources.push(planned.resource)
      effects.push(planned.effect)
    }
    return { kind: 'found', resources, effects: [found.effect, ...toldEffects(effects, effects.length)] }
  },
  async run(args, capabilities, signal) {
    const { path, splitPoints: points } = args
    const job = { program: 'audio', op: 'split', points, ending: endingOf(path) } as const
    const made = await openDocument(capabilities, { path, job, form: Facts }, signal)
    if (made.kind === 'failed') return failed(made.reason)
    const parts = partsOf(args)
    if (made.files.length !== parts.length)
      return failed('The program made other parts than it was asked for.')
    const written: WrittenFile[] = []
    for (const [index, bytes] of made.files.entries()) {
      const part = parts[index] ?? ''
      const location = capabilities.files.locate(part)
      const outcome =
        location.root === 'nowhere'
          ? ({ kind: 'failed', reason: location.reason } as const)
          : await capabilities.files.write(location, bytes)
      if (outcome.kind === 'failed') {
        const left = written.map((each) => each.path).join(', ') || 'none'
        return failed(`${outcome.reason} Parts that were written before it: ${left}.`, filesUndo(written))
      }
      written.push({ path: part, present: sha256Hex(bytes), outcome })
    }
    const lines = written.map((each, index) => `${each.path} (${sizeOf(made.files[index]?.length ?? 0)})`)
    return succeeded(lines.join('\n'), `Split ${path} into ${parts.length} parts`, filesUndo(written))
  },
})

interface Wish {
  readonly path: string
  readonly splitPoints: readonly number[]
  readonly outputFolder?: string | undefined
}

/** The names are known beforehand, so that the permit can bind them. */
function partsOf({ path, splitPoints, outputFolder }: Wish): string[] {
  const stem =
    outputFolder === undefined ? stemOf(path) : posix.join(outputFolder, posix.basename(stemOf(path)))
  return Array.from({ length: splitPoints.length + 1 }, (_, index) => {
    return `${stem}-part${String(index + 1).padStart(2, '0')}.${endingOf(path)}`
  })
}
