/** Has a model draw pictures from words, and keeps them in the workspace. */
import { longestPicturePrompt } from '@countersign/contract'
import { z } from 'zod'
import { defineTool } from '../definition.ts'
import { commandText } from '../text.ts'
import { makePictures, picturePaths, picturesInput, planPictures } from './made-pictures.ts'

export const generateImage = defineTool({
  name: 'generate_image',
  version: '1',
  description:
    'Make pictures from a description, by the model that is chosen for pictures. They are kept in the workspace as PNG, JPEG or WebP; each costs money.',
  input: z.strictObject({
    prompt: commandText(longestPicturePrompt),
    ...picturesInput,
    quality: z.enum(['standard', 'hd']).exactOptional(),
    style: z.enum(['vivid', 'natural']).exactOptional(),
  }),
  category: 'image',
  group: 'image',
  tags: ['draw', 'picture', 'illustration', 'create', 'dall-e', 'art', 'logo', 'poster', 'paint', 'image'],
  effect: 'idempotent',
  floor: 1,
  output: { integrity: 'tool', confidentiality: 'private', sources: [] },
  runs: 'executor',
  sandbox: 'documents',
  egress: 'none',
  undo: 'restore_files',
  describe: (args) => `Make ${pathsOf(args).join(', ')} from a description`,
  preview: (args) => ({
    kind: 'text',
    title: 'Make pictures',
    text: [args.prompt, `to ${pathsOf(args).join(', ')}`, replacing(args.overwrite)]
      .filter(Boolean)
      .join('\n'),
  }),
  effects: (args, inspect) => planPictures(pathsOf(args), args.overwrite, inspect),
  run(args, capabilities, signal) {
    const { prompt, n: count, size, quality, style } = args
    const wishes = {
      ...(size === undefined ? {} : { size }),
      ...(quality === undefined ? {} : { quality }),
      ...(style === undefined ? {} : { style }),
    }
    return makePictures(capabilities, { kind: 'picture', prompt, count, ...wishes }, pathsOf(args), signal)
  },
})

interface Wish {
  readonly prompt: string
  readonly n: number
  readonly outputPath?: string
}

function pathsOf({ prompt, n, outputPath }: Wish): string[] {
  const words = prompt.toLowerCase().match(/[a-z0-9]+/g) ?? []
  return picturePaths(
    outputPath ?? `pictures/${words.slice(0, 6).join('-').slice(0, 60) || 'picture'}.png`,
    n,
  )
}

export function replacing(overwrite: boolean): string {
  return overwrite ? 'Replaces what is there.' : ''
}
