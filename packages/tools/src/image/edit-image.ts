/** Has a model change a picture of the workspace as words say, and keeps what came of it beside it. */
import { longestPicturePrompt } from '@countersign/contract'
import { z } from 'zod'
import { defineTool } from '../definition.ts'
import { findDocument } from '../documents/document-file.ts'
import { failed } from '../result.ts'
import { commandText, pathText } from '../text.ts'
import { replacing } from './generate-image.ts'
import {
  makePictures,
  type PictureWish,
  pathsBeside,
  pictureFor,
  picturesInput,
  planPictures,
} from './made-pictures.ts'

export const editImage = defineTool({
  name: 'edit_image',
  version: '1',
  description:
    'Change a picture of the workspace as a description says, by the model that is chosen for pictures. Where a mask (a picture of the same size) is transparent it is changed. The original stays; each costs money.',
  input: z.strictObject({
    image: pathText,
    prompt: commandText(longestPicturePrompt),
    mask: pathText.exactOptional(),
    ...picturesInput,
  }),
  category: 'image',
  group: 'image',
  tags: ['change', 'retouch', 'picture', 'photo', 'inpaint', 'background', 'remove', 'add to photo', 'mask'],
  effect: 'idempotent',
  floor: 1,
  output: { integrity: 'tool', confidentiality: 'private', sources: [] },
  runs: 'executor',
  sandbox: 'documents',
  egress: 'none',
  undo: 'restore_files',
  describe: (args) => `Make ${pathsOf(args).join(', ')} by changing ${args.image}`,
  preview: (args) => ({
    kind: 'text',
    title: 'Change a picture',
    text: [
      args.image,
      args.prompt,
      args.mask ?? '',
      `to ${pathsOf(args).join(', ')}`,
      replacing(args.overwrite),
    ]
      .filter(Boolean)
      .join('\n'),
  }),
  async effects(args, inspect) {
    const found = await findDocument(args.image, inspect)
    if (found.kind !== 'found') return found
    const mask = args.mask === undefined ? undefined : await findDocument(args.mask, inspect)
    if (mask && mask.kind !== 'found') return mask
    const planned = await planPictures(pathsOf(args), args.overwrite, inspect)
    if (planned.kind !== 'found') return planned
    const read = mask ? [found, mask] : [found]
    return {
      kind: 'found',
      resources: [...read.map(({ resource }) => resource), ...planned.resources],
      effects: [...read.map(({ effect }) => effect), ...planned.effects],
    }
  },
  async run(args, capabilities, signal) {
    const { prompt, n: count, size } = args
    const image = await pictureFor(capabilities, { path: args.image, format: 'png' }, signal)
    if ('reason' in image) return failed(image.reason)
    const mask =
      args.mask === undefined
        ? undefined
        : await pictureFor(capabilities, { path: args.mask, format: 'png' }, signal)
    if (mask && 'reason' in mask) return failed(mask.reason)
    const wishes = { ...(size === undefined ? {} : { size }), ...(mask ? { mask } : {}) }
    return makePictures(
      capabilities,
      { kind: 'edit', prompt, image, count, ...wishes },
      pathsOf(args),
      signal,
    )
  },
})

function pathsOf(args: PictureWish): string[] {
  return pathsBeside(args, 'edited')
}
