/** Finds the web addresses of a text. */
import { z } from 'zod'
import { webAddressesIn } from './address.ts'
import { text } from './bounds.ts'
import { answer, computing } from './computing.ts'

export const extractUrls = computing({
  name: 'extract_urls',
  version: '1',
  description: 'Extract the http and https addresses of a text, each once.',
  group: 'extraction',
  tags: ['links', 'url', 'web address', 'href', 'find links', 'which links', 'parse', 'pull out', 'websites'],
  input: z.strictObject({ text }),
  describe: () => 'Find web addresses in a text',
  compute: ({ text: given }) => answer([...new Set(webAddressesIn(given))]),
})
