/** Has a model make pictures that are like one of the workspace, and keeps them beside it. */
import { z } from 'zod'
import { defineTool } from '../definition.ts'
import { findDocument } from '../documents/document-file.ts'
import { failed } from '../result.ts'
import { pathText } from '../text.ts'
import { replacing } from './generate-image.ts'
import {
  makePictures,
  type PictureWish,
  pathsBeside,
  pictureFor,
  picturesInput,
  planPictures,
} from './made-pictures.ts'

export const imageVariation = defineTool({
  name: 'image_variation',
  version: '1',
  description:
    'Make variations of a picture of the workspace, by the model that is chosen for pictures. The original stays; each costs money.',
  input: z.strictObject({ image: pathText, ...picturesInput }),
  category: 'image',
  group: 'image',
  tags: ['variation', 'variant', 'similar', 'alternative', 'version', 'picture', 'photo', 'like this'],
  effect: 'idempotent',
  floor: 1,
  output: { integrity: 'tool', confidentiality: 'private', sources: [] },
  runs: 'executor',
  sandbox: 'documents',
  egress: 'none',
  undo: 'restore_files',
  describe: (args) => `Make ${pathsOf(args).join(', ')} like ${args.image}`,
  preview: (args) => ({
    kind: 'text',
    title: 'Vary a picture',
    text: [args.image, `to ${pathsOf(args).join(', ')}`, replacing(args.overwrite)]
      .filter(Boolean)
      .join('\n'),
  }),
  async effects(args, inspect) {
    const found = await findDocument(args.image, inspect)
    if (found.kind !== 'found') return found
    const planned = await planPictures(pathsOf(args), args.overwrite, inspect)
    if (planned.kind !== 'found') return planned
    return {
      kind: 'found',
      resources: [found.resource, ...planned.resources],
      effects: [found.effect, ...planned.effects],
    }
  },
  async run(args, capabilities, signal) {
    const image = await pictureFor(capabilities, { path: args.image, format: 'png' }, signal)
    if ('reason' in image) return failed(image.reason)
    const wish = args.size === undefined ? {} : { size: args.size }
    const task = { kind: 'variation', image, count: args.n, ...wish } as const
    return makePictures(capabilities, task, pathsOf(args), signal)
  },
})

function pathsOf(args: PictureWish): string[] {
  return pathsBeside(args, 'variation')
}
