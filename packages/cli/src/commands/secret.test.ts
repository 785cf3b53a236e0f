import { type Destination, type SecretEntry, type SecretStored, secretHandle } from '@countersign/contract'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Context, createContext, type OptionValues } from '../context.ts'
import { written } from '../output/answer.ts'
import { failureOf } from '../output/failure.ts'
import { usualFlags } from '../testing/flags.ts'
import { type TestHome, type TestHost, testHome, testHost } from '../testing/home.ts'
import { list, remove, rotate, set } from './secret.ts'

const at = '2030-01-01T00:00:00.000Z'
const value = 'ghp_0123456789abcdef'

let home: TestHome
let kept: Map<string, { readonly secret: SecretEntry; readonly value: string }>
beforeEach(() => {
  home = testHome()
  kept = new Map()
})
afterEach(() => home.remove())

/** A gateway that keeps secrets in memory. */
const client = {
  secrets: async () => Array.from(kept.values(), ({ secret }) => secret),
  async storeSecret(
    name: string,
    given: { value: string; destinations: Destination[]; tools: string[]; description?: string },
  ) {
    const replaced = kept.has(name)
    const secret = {
      name,
      description: given.description ?? '',
      destinations: given.destinations,
      tools: given.tools,
      createdAt: at,
      rotatedAt: null,
      lastUsedAt: null,
    }
    kept.set(name, { secret, value: given.value })
    return { secret, handle: secretHandle(name), replaced, ledger: 7 } satisfies SecretStored
  },
  async rotateSecret(name: string, given: { value: string }) {
    const old = kept.get(name)
    if (!old) throw new Error('unknown')
    kept.set(name, { ...old, value: given.value })
    return { secret: old.secret, handle: secretHandle(name), replaced: true, ledger: 8 }
  },
  async removeSecret(name: string) {
    kept.delete(name)
    return { name, ledger: 9 }
  },
}

interface Outcome {
  readonly exit: number
  readonly text: string
  readonly errors: string
}

async function run(
  handler: typeof set,
  args: string[],
  options: OptionValues = {},
  typing: { keys?: string; pipe?: string | null; json?: boolean } = {},
): Promise<Outcome> {
  const host: TestHost = testHost({ home, terminal: typing.keys !== undefined, clock: () => new Date(at) })
  const raw: boolean[] = []
  if (typing.keys !== undefined) Object.assign(host.input, { setRawMode: (on: boolean) => raw.push(on) })
  if (typing.keys !== undefined) host.typed.write(typing.keys)
  else if (typing.pipe !== null) host.typed.end(typing.pipe ?? '')
  const flags = { ...usualFlags, json: typing.json === true }
  const context = { ...createContext(host, flags), gateway: async () => ({ client }) } as unknown as Context
  const answer = await handler(context, args, options).catch(async (error: unknown) => ({
    kind: 'failed' as const,
    failure: await failureOf(error),
  }))
  const { output, errors, exit } = written(answer, flags.json)
  const all = { exit, text: host.written() + output, errors: host.complaints() + errors }
  // A terminal that stays raw would not echo what is typed next.
  if (raw.length > 0) expect(raw.at(-1)).toBe(false)
  expect(`${all.text}${all.errors}`).not.toContain(value)
  return all
}

const github = { host: 'api.github.com' }

describe('secret set', () => {
  it('takes the value from a pipe and shows what was stored, the handle, and never the value', async () => {
    const { exit, text } = await run(
      set,
      ['github'],
      { ...github, tool: 'http_request', description: 'builds' },
      { pipe: `${value}\n` },
    )
    expect(exit).toBe(0)
    expect(text).toBe(
      [
        'Stored github, 20 characters.  Ledger #7',
        'Goes to  https://api.github.com',
        'Used by  http_request',
        'Write    {{secret:github}}',
        'The agent only writes the handle. The gateway inserts the value into requests and removes it from responses.',
        '',
      ].join('\n'),
    )
    expect(kept.get('github')).toMatchObject({
      value,
      secret: { tools: ['http_request'], description: 'builds' },
    })
  })

  it('takes the value from a hidden prompt and echoes nothing of it', async () => {
    const { exit, text, errors } = await run(set, ['github'], github, { keys: `${value}\r` })
    expect(exit).toBe(0)
    expect(errors).toBe('Value of github (hidden): \n')
    expect(text).not.toContain('ghp')
    expect(kept.get('github')?.value).toBe(value)
  })

  it.each([
    ['a backspace', `${value}x\u007f\r`],
    ['a start again', `wrong\u0015${value}\r`],
    ['an arrow key', `${value.slice(0, 5)}\u001b[D${value.slice(5)}\r`],
    ['the marks of a paste', `\u001b[200~${value}\u001b[201~\r`],
    ['Ctrl-D at the end', `${value}\u0004`],
  ])('understands %s', async (_what, keys) => {
    await run(set, ['github'], github, { keys })
    expect(kept.get('github')?.value).toBe(value)
  })

  it.each([
    ['Ctrl-C', `${value}\u0003`],
    ['Ctrl-D on nothing', '\u0004'],
  ])('stores nothing after %s', async (_what, keys) => {
    const { exit, text } = await run(set, ['github'], github, { keys })
    expect([exit, text, kept.size]).toEqual([0, 'Nothing was changed.\n', 0])
  })

  it('keeps the inner line breaks of what is piped, and refuses lines that are typed', async () => {
    await run(set, ['pem'], github, { pipe: '-----BEGIN-----\nabc\n-----END-----\n' })
    expect(kept.get('pem')?.value).toBe('-----BEGIN-----\nabc\n-----END-----')
    const { exit, errors } = await run(set, ['pem2'], github, {
      keys: '-----BEGIN-----\rabc\r-----END-----\r',
    })
    expect([exit, kept.has('pem2')]).toEqual([2, false])
    expect(errors).toContain('more than one line')
  })

  it.each<[string, string, OptionValues, Destination[]]>([
    ['a port', 'a', { host: 'api.example:8443' }, [{ scheme: 'https', host: 'api.example', port: 8443 }]],
    ['plain http', 'a', { host: 'nas.local', http: true }, [{ scheme: 'http', host: 'nas.local', port: 80 }]],
    ['an address', 'a', { host: '[::1]:8080' }, [{ scheme: 'https', host: '::1', port: 8080 }]],
    [
      'a scheme',
      'a',
      { host: 'https://API.Example/' },
      [{ scheme: 'https', host: 'api.example', port: 443 }],
    ],
    [
      'several',
      'a',
      { host: 'a.example, b.example:1' },
      [
        { scheme: 'https', host: 'a.example', port: 443 },
        { scheme: 'https', host: 'b.example', port: 1 },
      ],
    ],
  ])('reads %s', async (_what, name, options, destinations) => {
    await run(set, [name], options, { pipe: value })
    expect(kept.get(name)?.secret.destinations).toEqual(destinations)
  })

  it.each<[string, string, OptionValues, string]>([
    ['no host', 'github', {}, 'Give the allowed hosts'],
    ['a wildcard', 'github', { host: '*.github.com' }, 'not one exact host'],
    ['a path', 'github', { host: 'github.com/api' }, 'not one exact host'],
    ['a user', 'github', { host: 'me@github.com' }, 'not one exact host'],
    ['a port beyond all', 'github', { host: 'github.com:70000' }, 'not one exact host'],
    ['a name of another kind', 'GitHub', github, 'not a name for a secret'],
  ])('refuses %s before it asks for the value', async (_what, name, options, words) => {
    const { exit, errors } = await run(set, [name], options, { pipe: null })
    expect([exit, kept.size]).toEqual([2, 0])
    expect(errors).toContain(words)
  })

  it('refuses a short value without repeating it', async () => {
    const { exit, errors } = await run(set, ['github'], github, { pipe: 'hunter2' })
    expect([exit, kept.size]).toEqual([2, 0])
    expect(errors).toContain('Nothing was stored.')
    expect(errors).not.toContain('hunter2')
  })

  it('says that http is open to everybody', async () => {
    expect((await run(set, ['nas'], { host: 'nas.local', http: true }, { pipe: value })).errors).toContain(
      'anyone',
    )
  })

  it('prints one document with --json, and asks nothing in a terminal then', async () => {
    const { text } = await run(set, ['github'], github, { pipe: value, json: true })
    expect(JSON.parse(text)).toMatchObject({
      ok: true,
      handle: '{{secret:github}}',
      replaced: false,
      ledger: 7,
    })
    const asked = await run(set, ['github'], github, { keys: `${value}\r`, json: true })
    expect(asked.exit).toBe(2)
    expect(JSON.parse(asked.text).error.next).toContain('Pipe it in')
  })
})

describe('the other commands', () => {
  it('list says how to begin when there is nothing', async () => {
    expect((await run(list, [])).text).toBe(
      'No secret yet. Add one with `countersign secret set github --host api.github.com`.\n',
    )
  })

  it('list shows names, places and use', async () => {
    await run(
      set,
      ['smtp.password'],
      { host: 'mail.example:465', description: 'newsletter' },
      { pipe: value },
    )
    await run(set, ['github'], { ...github, tool: 'http_request' }, { pipe: value })
    expect((await run(list, [])).text).toBe(
      [
        'Name           Goes to                   Used by       Last used  Set',
        'smtp.password  https://mail.example:465  every tool    never      just now  newsletter',
        'github         https://api.github.com    http_request  never      just now',
        '',
      ].join('\n'),
    )
    expect(JSON.parse((await run(list, [], {}, { json: true })).text).secrets).toHaveLength(2)
  })

  it('rotate takes a new value for the same places, and refuses a name that is not there before it asks', async () => {
    await run(set, ['github'], github, { pipe: value })
    expect((await run(rotate, ['github'], {}, { pipe: 'ghp_another_value' })).text).toContain(
      'Rotated github, 17 characters.',
    )
    expect(kept.get('github')?.value).toBe('ghp_another_value')
    const { exit, errors } = await run(rotate, ['gitlab'], {}, { pipe: null })
    expect([exit, errors]).toEqual([2, expect.stringContaining('no secret gitlab')])
  })

  it('rm removes, and says what it cannot do', async () => {
    await run(set, ['github'], github, { pipe: value })
    const { text } = await run(remove, ['github'])
    expect([kept.size, text]).toEqual([0, expect.stringContaining('until you revoke it')])
  })
})
