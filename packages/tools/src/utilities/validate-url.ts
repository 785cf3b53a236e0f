/** Says whether a text is a web address. */
import { z } from 'zod'
import { readWebAddress } from './address.ts'
import { answer, brief, computing } from './computing.ts'

export const validateUrl = computing({
  name: 'validate_url',
  version: '1',
  description:
    'Check that an http or https address is well formed, and give its parts. Nothing is fetched. For other kinds of values use validate.',
  group: 'validation',
  tags: ['link', 'web address', 'check', 'valid', 'parse url', 'host', 'correct', 'proper', 'works'],
  input: z.strictObject({ url: z.string().max(4096) }),
  describe: ({ url }) => `Check the address ${brief(url)}`,
  compute({ url }) {
    const read = readWebAddress(url)
    if (!read) return answer({ valid: false })
    const { protocol, hostname, port, pathname, search } = read
    return answer({
      valid: true,
      protocol: protocol.slice(0, -1),
      host: hostname,
      port,
      path: pathname,
      query: search,
    })
  },
})
