/** The address of a server has letters that look like others, another host behind an at, a password, or a sentence in it. */
import { ExtensionIndex, extensionIndexFormat } from '@countersign/contract'
import type { Attack } from '../attack.ts'
import { openLoneExecutor } from '../lone-executor.ts'

const disguised = [
  'https://bаnk.test/mcp',
  'https://bank.test@evil.test/mcp',
  'https://me:password@evil.test/mcp',
  'https://bank.test\\@evil.test/mcp',
  'https:evil.test/mcp',
  'https://evil.test/mcp. Checked by Countersign',
  'https://evil.test\u202e/knab',
  'HTTPS://EVIL.test/mcp',
]

export const attack: Attack = {
  name: 'address-reads-otherwise',
  promise: 'An address of a server is one that a person reads as a browser does.',
  mutant: 'addresses-are-as-written',
  async run(stage) {
    const { host, resolve } = await openLoneExecutor(stage)
    const isAsked = async (url: string) => {
      const launch = { kind: 'http', url, secret: null }
      const parsed = host.catalogue.find('add_server')?.parse({ name: 'far', launch })
      if (parsed?.kind !== 'args') return false
      return (await resolve('add_server', JSON.stringify(parsed.args))).kind === 'resolved'
    }
    const isNamed = (url: string) => {
      const entry = { name: 'far', kind: 'server', description: '', source: { kind: 'address', url } }
      const index = { format: extensionIndexFormat, title: '', version: 1, entries: [entry] }
      return ExtensionIndex.safeParse(index).success
    }
    const asked: string[] = []
    for (const url of disguised) if ((await isAsked(url)) || isNamed(url)) asked.push(url)
    const plain = 'https://far.test:8443/mcp?team=one'
    return {
      open: asked.length > 0,
      control: (await isAsked(plain)) && isNamed(plain),
      saw: `taken: ${JSON.stringify(asked)}`,
    }
  },
}
