/** Owns an index of extensions that a stranger hosts, and the command line of an operator who uses it. */
import { extensionIndexFormat } from '@countersign/contract'
import { type KeyPair, signText } from '@countersign/contract/node'
import { run } from '../../../../../packages/cli/src/program.ts'
import { testHome, testHost } from '../../../../../packages/cli/src/testing/home.ts'
import type { Stage } from './stage.ts'

const place = 'https://index.test/index.json'

export const indexEntry = {
  name: 'files',
  kind: 'server',
  description: 'Files of a folder.',
  source: { kind: 'address', url: 'https://files.test/mcp' },
}

export interface HostedIndex {
  /** What stands at its address from now on, signed where there is a key. */
  says(index: object, key?: KeyPair): void
  leadsTo(location: string): void
  /** All that the command shows. */
  command(...words: readonly string[]): Promise<string>
  /** Adds the index to those of the operator. */
  add(): Promise<string>
}

export function openHostedIndex(stage: Stage): HostedIndex {
  const home = testHome()
  home.establish()
  stage.afterwards(() => home.remove())
  const hosted = new Map<string, () => Response>()
  const command = async (...words: readonly string[]) => {
    const send = async (input: string | URL | Request) => {
      const found = hosted.get(input instanceof Request ? input.url : input.toString())
      return found?.() ?? new Response('', { status: 404 })
    }
    const host = { ...testHost({ home }), fetch: send }
    await run([...words], host)
    return host.written() + host.complaints()
  }
  return {
    says(index, key) {
      const usual = { format: extensionIndexFormat, title: 'House', version: 1, entries: [indexEntry] }
      const text = JSON.stringify({ ...usual, ...index })
      hosted.set(place, () => new Response(text))
      if (key) hosted.set(`${place}.sig`, () => new Response(signText(key.privateKey, text)))
      else hosted.delete(`${place}.sig`)
    },
    leadsTo(location) {
      hosted.set(place, () => new Response(null, { status: 302, headers: { location } }))
    },
    command,
    add: () => command('extension', 'index', 'add', 'house', place),
  }
}
