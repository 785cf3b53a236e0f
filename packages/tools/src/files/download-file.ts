/** Fetches one address and writes what came into the workspace. Refuses redirects, and answers that are cut short. */
import { sha256Hex } from '@countersign/contract/node'
import { z } from 'zod'
import { defineTool } from '../definition.ts'
import { failed, sizeOf, succeeded } from '../result.ts'
import { nameText, pathText } from '../text.ts'
import { changeEffect, fileResource, isReplaceable, see, undoOf } from './place.ts'

export const downloadFile = defineTool({
  name: 'download_file',
  version: '2',
  description: 'Download a file from an address into the workspace, replacing it if it exists.',
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
  async effects({ url, path }, look) {
    const sight = look.url(url, 'GET')
    if (sight.kind === 'refused') return { kind: 'invalid', reason: sight.reason }
    const seen = await see(path, look)
    if (seen.kind !== 'seen') return seen
    if (seen.sight.kind === 'directory')
      return { kind: 'invalid', reason: `${path} is a folder. Name the file in it.` }
    const { scheme, host, port } = sight.resource
    return {
      kind: 'found',
      resources: [sight.resource, fileResource('write', seen)],
      effects: [
        {
          verb: 'fetch',
          object: `${scheme}://${host}:${port}`,
          scope: 'boundary',
          reversible: true,
          outward: false,
          leaves: ['the address'],
        },
        changeEffect('write', seen, isReplaceable(seen.sight)),
      ],
    }
  },
  async run({ url, path }, hands, signal) {
    const place = hands.files.place(path)
    if (place.root === 'nowhere') return failed(place.reason)
    const answer = await hands.web.request({
      url,
      method: 'GET',
      headers: {},
      body: '',
      maxBytes: largestDownload,
      timeoutMs: longestWait,
      signal,
    })
    if (answer.kind === 'failed') return failed(answer.reason)
    if (answer.status < 200 || answer.status > 299) return failed(refusalOf(answer.status, answer.headers))
    if (answer.truncated)
      return failed(`The file is larger than ${sizeOf(answer.body.length)}. Nothing was written.`)
    const outcome = await hands.files.write(place, answer.body)
    if (outcome.kind === 'failed') return failed(outcome.reason)
    const summary = `Downloaded ${path} (${sizeOf(answer.body.length)}) from ${new URL(answer.url).host}`
    return succeeded(summary, summary, undoOf(path, sha256Hex(answer.body), outcome))
  },
})

const largestDownload = 16 * 1024 * 1024
const longestWait = 30_000

function refusalOf(status: number, headers: readonly (readonly [string, string])[]): string {
  const location = headers.find(([name]) => name.toLowerCase() === 'location')?.[1]
  const led = location === undefined ? '' : ` It leads on to ${location}; download that address instead.`
  return `The answer was ${status}, so nothing was written.${led}`
}
