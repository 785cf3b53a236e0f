/** Saves a picture of the page that is open in the browser as a file in the workspace, and says how to take it back. */
import { PictureFile } from '@countersign/contract'
import { sha256Hex } from '@countersign/contract/node'
import { z } from 'zod'
import { defineTool } from '../definition.ts'
import { changeEffect, fileResource, fileUndo, inspectFile, isReplaceable } from '../files/file-effects.ts'
import { failed, sizeOf, succeeded } from '../result.ts'
import { pathText } from '../text.ts'
import { longestWait, pageLabel, pageUrl, readingPage, worthOf } from './page.ts'

export const browserScreenshot = defineTool({
  name: 'browser_screenshot',
  version: '5',
  description:
    'Save a picture of the page that is open in the browser, as the last call left it, as a PNG in the workspace; you are shown it where you take pictures. With fullPage also what lies below the view.',
  input: z.strictObject({
    url: pageUrl,
    path: pathText.refine((path) => /\.png$/i.test(path), 'must end with .png'),
    fullPage: z.boolean().default(false),
  }),
  category: 'browser',
  group: 'browser',
  tags: ['picture', 'image', 'capture', 'photo', 'png', 'web page', 'snapshot', 'screen', 'screengrab'],
  effect: 'idempotent',
  floor: 1,
  output: pageLabel,
  runs: 'executor',
  sandbox: 'browser',
  egress: 'checked',
  undo: 'restore_file',
  describe: ({ url, path, fullPage }) =>
    `Save a picture of ${fullPage ? 'the whole of ' : ''}${url} as ${path}`,
  preview: ({ url, path }) => ({ kind: 'text', title: `Save a picture as ${path}`, text: url }),
  async effects({ url, path }, inspect) {
    const page = readingPage(url, inspect)
    if (page.kind !== 'found') return page
    const seen = await inspectFile(path, inspect)
    if (seen.kind !== 'seen') return seen
    const { inspection } = seen
    if (inspection.kind === 'directory') return { kind: 'invalid', reason: `${path} is a directory.` }
    return {
      kind: 'found',
      resources: [...page.resources, fileResource('write', seen)],
      effects: [...page.effects, changeEffect('write', seen, isReplaceable(inspection))],
    }
  },
  async run({ url, path, fullPage }, capabilities, signal) {
    const location = capabilities.files.locate(path)
    if (location.root === 'nowhere') return failed(location.reason)
    const seen = await capabilities.browser.act({ action: 'screenshot', url, fullPage }, longestWait, signal)
    if (seen.kind === 'failed') return failed(seen.reason)
    if (seen.image === null) return failed('There is no picture.')
    const outcome = await capabilities.files.write(location, seen.image)
    if (outcome.kind === 'failed') return failed(outcome.reason)
    const summary = `Saved a picture of ${url} as ${path} (${sizeOf(seen.image.length)})`
    const sha256 = sha256Hex(seen.image)
    const undo = fileUndo(path, sha256, outcome)
    const done = succeeded([summary, ...seen.notes].join('\n'), summary, undo)
    const picture = PictureFile.safeParse({ path: location.path, sha256, bytes: seen.image.length })
    return worthOf(seen, picture.success ? { ...done, pictures: [picture.data] } : done)
  },
})
