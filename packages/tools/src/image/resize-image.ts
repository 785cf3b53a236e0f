/** Makes a smaller or larger copy of a picture of the workspace, and says how to take it back. */
import { z } from 'zod'
import { defineTool } from '../definition.ts'
import { findDocument, openDocument } from '../documents/document-file.ts'
import { endingOf, keepFile, planFile, stemOf } from '../documents/made-file.ts'
import { failed } from '../result.ts'
import { pathText } from '../text.ts'

const formats = {
  jpg: 'jpeg',
  jpeg: 'jpeg',
  png: 'png',
  webp: 'webp',
  gif: 'gif',
  tif: 'tiff',
  tiff: 'tiff',
  avif: 'avif',
} as const

const Facts = z.object({ width: z.int().min(1), height: z.int().min(1) })

export const resizeImage = defineTool({
  name: 'resize_image',
  version: '1',
  description:
    'Make a copy of a picture (JPEG, PNG, WebP, GIF, TIFF, AVIF) in another size or format. It fits inside width and height unless fit says otherwise. Place and camera data are left out.',
  input: z.strictObject({
    image: pathText,
    width: z.int().min(1).max(7_000),
    height: z.int().min(1).max(7_000),
    fit: z.enum(['inside', 'cover', 'contain', 'fill', 'outside']).default('inside'),
    outputPath: pathText.optional(),
    quality: z.int().min(1).max(100).default(80),
    overwrite: z.boolean().default(false),
  }),
  category: 'image',
  group: 'image',
  tags: ['picture', 'photo', 'scale', 'shrink', 'smaller', 'enlarge', 'thumbnail', 'convert', 'crop', 'jpeg'],
  effect: 'idempotent',
  floor: 1,
  output: { integrity: 'tool', confidentiality: 'private', sources: [] },
  runs: 'executor',
  sandbox: 'documents',
  egress: 'none',
  undo: 'restore_file',
  describe: (args) => `Make ${outputOf(args)} from ${args.image}`,
  preview: (args) => ({
    kind: 'text',
    title: 'Resize picture',
    text: `${args.image}\nto ${outputOf(args)}\n${args.width} × ${args.height}, ${args.fit}`,
  }),
  async effects(args, inspect) {
    const problem = formatProblem(outputOf(args))
    if (problem !== undefined) return { kind: 'invalid', reason: problem }
    const found = await findDocument(args.image, inspect)
    if (found.kind !== 'found') return found
    const planned = await planFile(outputOf(args), args.overwrite, inspect)
    if (planned.kind !== 'found') return planned
    if (planned.resource.path === found.resource.path)
      return {
        kind: 'invalid',
        reason: `${args.image} would be replaced by its copy. Name another outputPath.`,
      }
    return {
      kind: 'found',
      resources: [found.resource, planned.resource],
      effects: [found.effect, planned.effect],
    }
  },
  async run(args, capabilities, signal) {
    const path = outputOf(args)
    const format = formatOf(path)
    if (format === undefined) return failed(formatProblem(path) ?? '')
    const { image, width, height, fit, quality } = args
    const job = { program: 'image', op: 'resize', width, height, fit, format, quality } as const
    const made = await openDocument(capabilities, { path: image, job, form: Facts }, signal)
    if (made.kind === 'failed') return failed(made.reason)
    const told = `${made.facts.width} × ${made.facts.height}`
    return keepFile(capabilities, { path, bytes: made.files[0], told })
  },
})

interface Wish {
  readonly image: string
  readonly width: number
  readonly height: number
  readonly outputPath?: string | undefined
}

function outputOf({ image, width, height, outputPath }: Wish): string {
  return outputPath ?? `${stemOf(image)}-${width}x${height}.${endingOf(image)}`
}

function formatOf(path: string): (typeof formats)[keyof typeof formats] | undefined {
  const ending = endingOf(path)
  return Object.entries(formats).find(([name]) => name === ending)?.[1]
}

function formatProblem(path: string): string | undefined {
  return formatOf(path) === undefined
    ? `${path} must end in one of ${Object.keys(formats).join(', ')}.`
    : undefined
}
