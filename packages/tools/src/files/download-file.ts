/**
 * Fetches one address and writes what came into the workspace. Follows redirects of the same host, says where others
 * lead, and refuses answers that are cut short.
 */
import { sha256Hex } from '@countersign/contract/node'
import { z } from 'zod'
import type { WebResponse } from '../capabilities.ts'
import { defineTool } from '../definition.ts'
import { failed, sizeOf, succeeded } from '../result.ts'
import { nameText, pathText } from '../text.ts'
import { redirectedTo } from '../web/redirected.ts'
import { changeEffect, fileResource, fileUndo, inspectFile, isReplaceable } from './file-effects.ts'

export const downloadFile = defineTool({
  name: 'download_file',
  version: '3',
  description:
    'Download a file of up to 16 MiB from an address into the workspace, replacing it if it exists. Follows redirects of the same host.',
  input: z.strictObject({ url: nameText(8192), path: pathText }),
  category: 'files',
  group: 'filesystem',
  tags: [
    'fetch',
    'wget',
    'curl',
    'save',
    'url',
    'internet',
    'get',
    'picture',
    'image',
    'zip',
    'pdf',
    'from the internet',
    'onto disk',
  ],
  effect: 'once',
  floor: 2,
  output: { integrity: 'untrusted', confidentiality: 'public', sources: ['web'] },
  runs: 'executor',
  sandbox: 'files',
  egress: 'checked',
  undo: 'restore_file',
  describe: ({ url, path }) => `Download ${url} to ${path}`,
  preview: ({ url, path }) => ({ kind: 'text', title: 'Download file', text: `${url}\nto ${path}` }),
  async effects({ url, path }, inspect) {
    const inspection = inspect.url(url, 'GET')
    if (inspection.kind === 'refused') return { kind: 'invalid', reason: inspection.reason }
    const seen = await inspectFile(path, inspect)
    if (seen.kind !== 'seen') return seen
    if (seen.inspection.kind === 'directory')
      return { kind: 'invalid', reason: `${path} is a folder. Name the file in it.` }
    const { scheme, host, port } = inspection.resource
    return {
      kind: 'found',
      resources: [{ ...inspection.resource, redirects: 'same-host' }, fileResource('write', seen)],
      effects: [
        {
          verb: 'fetch',
          object: `${scheme}://${host}:${port}`,
          scope: 'boundary',
          reversible: true,
          outward: false,
          leaves: ['the address'],
        },
        changeEffect('write', seen, isReplaceable(seen.inspection)),
      ],
    }
  },
  async run({ url, path }, capabilities, signal) {
    const location = capabilities.files.locate(path)
    if (location.root === 'nowhere') return failed(location.reason)
    const answer = await capabilities.web.request({
      url,
      method: 'GET',
      headers: {},
      body: '',
      maxBytes: largestDownload,
      timeoutMs: longestWait,
      signal,
    })
    if (answer.kind === 'failed') return failed(answer.reason)
    if (answer.status < 200 || answer.status > 299) return failed(refusalOf(answer))
    if (answer.truncated)
      return failed(`The file is larger than ${sizeOf(answer.body.length)}. Nothing was written.`)
    const outcome = await capabilities.files.write(location, answer.body)
    if (outcome.kind === 'failed') return failed(outcome.reason)
    const summary = `Downloaded ${path} (${sizeOf(answer.body.length)}) from ${new URL(answer.url).host}`
    return succeeded(summary, summary, fileUndo(path, sha256Hex(answer.body), outcome))
  },
})

const largestDownload = 16 * 1024 * 1024
const longestWait = 30_000

function refusalOf(answer: WebResponse): string {
  const leads = redirectedTo(answer)
  return `The answer was ${answer.status}, so nothing was written.${leads === undefined ? '' : ` ${leads}`}`
}
