import { createHash, randomBytes, randomUUIDv7 } from 'node:crypto'
import { appendFileSync } from 'node:fs'
import {
  CountersignError,
  type DeviceList,
  idFrom,
  LimitNode,
  type NodePairingRequestView,
  type NodeView,
  nodePairingText,
  SignedStatement,
  statementText,
} from '@countersign/contract'
import { generateKey, type HostIdentity, publicKeyOf, verifyText } from '@countersign/contract/node'
import { pairingWords } from '@countersign/contract/words'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createContext, type GlobalFlags, type OptionValues } from '../context.ts'
import { failed, written } from '../output/answer.ts'
import { failureOf } from '../output/failure.ts'
import { ownNodes } from '../own-nodes.ts'
import { type FakeRequest, fakeClient } from '../testing/fake-client.ts'
import { usualFlags } from '../testing/flags.ts'
import { type TestHome, testHome, testHost } from '../testing/home.ts'
import { revocationSigned } from './device-statement.ts'
import { nodeHostRows } from './rows/node-host.ts'

const now = new Date('2026-08-01T12:00:00.000Z')
let home: TestHome
let identity: HostIdentity
let nodes: NodeView[]
let waiting: NodePairingRequestView[]
let stated: SignedStatement[]
let sent: FakeRequest[]
let origins: DeviceList['origins']

beforeEach(() => {
  home = testHome()
  identity = home.establish()
  nodes = []
  waiting = []
  stated = []
  sent = []
  origins = []
})
afterEach(() => home.remove())

function asking(name: string): NodePairingRequestView {
  return {
    id: randomUUIDv7().replaceAll('-', ''),
    node: idFrom('node', randomUUIDv7()),
    executor: idFrom('exe', randomUUIDv7()),
    key: generateKey().publicKey,
    name,
    platform: 'linux',
    nonce: randomBytes(16).toString('base64url'),
    createdAt: now.toISOString(),
    expiresAt: new Date(now.getTime() + 300_000).toISOString(),
  }
}

function known(name: string, change: Partial<NodeView> = {}): NodeView {
  return {
    id: idFrom('node', randomUUIDv7()),
    name,
    platform: 'linux',
    key: generateKey().publicKey,
    addedAt: '2026-07-31T12:00:00.000Z',
    revokedAt: null,
    online: true,
    seenAt: now.toISOString(),
    advert: {
      executor: idFrom('exe', randomUUIDv7()),
      platform: 'linux',
      version: '1.0.0',
      sandbox: { kind: 'available', name: 'bubblewrap' },
      folder: 'Shared',
      capabilities: [
        { capability: 'files', state: 'ready', reason: '', fix: '' },
        { capability: 'camera', state: 'denied', reason: 'Its system refuses.', fix: 'Allow it there.' },
      ],
      statements: 3,
      witnessed: 12,
    },
    off: [],
    complaint: null,
    busy: 0,
    ...change,
  }
}

const wordsOf = ({ key, nonce }: NodePairingRequestView, root = identity.device.keys.publicKey) =>
  pairingWords(
    createHash('sha256')
      .update(nodePairingText({ gateway: identity.trust.gateway.key, root, node: key }, nonce))
      .digest(),
  ).join(' ')

function answer(asked: FakeRequest): unknown {
  sent.push(asked)
  const { method, path } = asked
  if (path === '/v1/nodes') return { nodes }
  if (path === '/v1/nodes/pairing/requests') return waiting
  if (path === '/v1/devices') return { devices: [], passkeys: [], origins, problems: [] }
  if (path === '/v1/pairing/invitations') return { expiresAt: now.toISOString() }
  if (path === '/v1/devices/statements') {
    stated.push(SignedStatement.parse(asked.body))
    return { ok: true, ledger: 7 }
  }
  if (method === 'POST') return { ok: true, ledger: 8 }
  throw new CountersignError('not_found', path)
}

async function command(
  name: string,
  args: string[] = [],
  options: OptionValues = {},
  { flags = {}, typed }: { readonly flags?: Partial<GlobalFlags>; readonly typed?: string } = {},
) {
  const row = nodeHostRows.find((each) => each.name === name)
  if (!row) throw new Error(`no ${name}`)
  const host = testHost({ home, clock: () => now, terminal: typed !== undefined, platform: 'linux' })
  if (typed !== undefined) host.typed.write(`${typed}\n`)
  const context = {
    ...createContext(host, { ...usualFlags, plain: true, ...flags }),
    gateway: () =>
      Promise.resolve({
        url: 'http://127.0.0.1:7347',
        client: fakeClient(answer),
        identity: { ...identity, nodes: ownNodes(home.paths.devices, identity) },
      } as never),
  }
  const outcome = await (async () => {
    try {
      return written(await (await row.load())(context, args, options), false)
    } catch (error) {
      return written(failed(await failureOf(error)), false)
    }
  })()
  return { ...outcome, text: `${host.written()}${outcome.output}${outcome.errors}` }
}

function isSigned({ statement, by }: SignedStatement): boolean {
  const key = publicKeyOf(identity.device.keys.publicKey)
  return by?.device === identity.device.id && verifyText(key, statementText(statement), by.signature)
}

const file = (signed: SignedStatement) => appendFileSync(home.paths.devices, `${JSON.stringify(signed)}\n`)

describe('node list and node show', () => {
  it('tell who is there, what each can do, and what stands in the way', async () => {
    waiting = [asking('garage')]
    nodes = [
      known('laptop', { off: ['screen'] }),
      known('attic', { online: false, complaint: 'another history' }),
      known('old', { revokedAt: now.toISOString() }),
    ]
    const { text } = await command('node list')
    expect(text).toContain('1 waiting to be let in')
    expect(text).toMatch(/laptop +connected +linux +files +screen/)
    expect(text).toMatch(/attic +away, seen .+, complains about the ledger/)
    expect(text).not.toContain('old')
    expect((await command('node list', [], { all: true })).text).toContain('old')
    const shown = await command('node show', ['laptop'])
    expect(shown.text).toContain('denied: Its system refuses. Allow it there.')
    expect(shown.text).toContain('seen up to entry 12')
    expect((await command('node show', ['nobody'])).exit).toBe(3)
  })
})

describe('node approve', () => {
  it('signs for exactly the key whose words were compared, and makes the words by itself', async () => {
    const request = asking('laptop')
    waiting = [request]
    expect((await command('node requests')).text).toContain(wordsOf(request))
    const { text } = await command('node approve', [], {}, { typed: 'y' })
    expect(text).toContain(wordsOf(request))
    expect(text).toContain('laptop is let in.')
    const { node, executor, key } = request
    expect(stated).toMatchObject([
      { statement: { kind: 'node', node, executor, key, name: 'laptop' }, passkey: null },
    ])
    expect(stated.every(isSigned)).toBe(true)
  })

  it('shows other words where somebody stands between', async () => {
    const request = asking('laptop')
    expect(wordsOf(request, generateKey().publicKey)).not.toBe(wordsOf(request))
    waiting = [request]
    const words = wordsOf({ ...request, key: generateKey().publicKey })
    expect((await command('node approve', [], { words })).errors).toContain('The words differ')
    expect(stated).toEqual([])
  })

  it('signs nothing when the person says anything but yes, or nobody compared', async () => {
    waiting = [asking('laptop')]
    for (const typed of ['', 'n', 'yes'])
      expect((await command('node approve', [], {}, { typed })).text).toContain('still pending')
    expect((await command('node approve', [], {}, { flags: { yes: true } })).exit).toBe(2)
    expect((await command('node approve')).exit).toBe(2)
    expect(stated).toEqual([])
  })

  it("takes the words instead of a person, and a name of the operator's", async () => {
    const request = asking('DESKTOP-4711')
    waiting = [request, asking('garage')]
    expect((await command('node approve', [], { words: wordsOf(request) })).errors).toContain('2 computers')
    const { exit } = await command('node approve', ['DESKTOP-4711'], {
      words: wordsOf(request),
      name: 'workshop',
    })
    expect(exit).toBe(0)
    expect(stated).toMatchObject([{ statement: { name: 'workshop' } }])
  })

  it('refuses on request', async () => {
    waiting = [asking('laptop')]
    expect((await command('node refuse')).text).toContain('Refused laptop.')
    expect(sent.at(-1)?.path).toBe(`/v1/nodes/pairing/requests/${waiting[0]?.id}/refuse`)
    waiting = []
    expect((await command('node refuse')).errors).toContain('No computer is waiting')
  })
})

describe('node limit, rename and revoke', () => {
  it('switch off and on, and know what there is', async () => {
    nodes = [known('laptop', { off: ['screen'] })]
    const { text } = await command('node limit', ['laptop'], { off: 'camera', on: 'screen' })
    expect(text).toContain('Switched off here: camera for laptop.')
    expect(LimitNode.parse(sent.at(-1)?.body)).toEqual({ off: ['camera'] })
    expect((await command('node limit', ['laptop'], { off: 'teleport' })).errors).toContain(
      'There is no teleport',
    )
    expect((await command('node limit', ['laptop'])).exit).toBe(2)
  })

  it('state the same node anew with another name, by what this host signed itself', async () => {
    const request = asking('laptop')
    waiting = [request]
    await command('node approve', [], { words: wordsOf(request) })
    for (const signed of stated) file(signed)
    nodes = [known('laptop', { id: request.node, key: request.key })]
    await command('node rename', ['laptop', 'workshop'])
    expect(stated.at(-1)).toMatchObject({
      statement: { node: request.node, key: request.key, executor: request.executor, name: 'workshop' },
    })
    // What the gateway says of a node that this host did not let in is not signed.
    nodes = [known('laptop', { id: request.node })]
    expect((await command('node rename', ['laptop', 'workshop'])).exit).toBe(9)
    expect(stated).toHaveLength(2)
  })

  it('revoke after a confirmation only', async () => {
    nodes = [known('laptop')]
    expect((await command('node revoke', ['laptop'])).exit).toBe(2)
    expect((await command('node revoke', ['laptop'], {}, { typed: 'y' })).text).toContain(
      'Nothing was changed.',
    )
    expect(stated).toEqual([])
    expect((await command('node revoke', ['laptop'], {}, { flags: { yes: true } })).text).toContain(
      'Revoked laptop.',
    )
    expect(stated).toMatchObject([{ statement: { kind: 'revoke', target: nodes[0]?.id } }])
  })
})

describe('node invite', () => {
  it('gives the command for the other computer, and the gateway only its hash', async () => {
    expect((await command('node invite')).errors).toContain('No public origin')
    origins = [{ origin: 'https://home.example.com', served: true, acceptedAt: null }]
    const { text } = await command('node invite')
    const secret = /--invitation (\S+)/.exec(text)?.[1] ?? ''
    expect(text).toContain('countersign node pair https://home.example.com --invitation ')
    expect(JSON.stringify(sent.at(-1)?.body)).not.toContain(secret)
  })
})

describe('the nodes that this host let in', () => {
  it('are those that its own device signed for and nobody revoked', async () => {
    const request = asking('laptop')
    waiting = [request]
    await command('node approve', [], { words: wordsOf(request) })
    const [signed] = stated
    if (!signed) throw new Error('nothing was signed')
    expect(ownNodes(home.paths.devices, identity)).toEqual([])
    file({ ...signed, by: { device: identity.device.id, signature: 'AAAA' } })
    expect(ownNodes(home.paths.devices, identity)).toEqual([])
    file(signed)
    expect(ownNodes(home.paths.devices, identity)).toMatchObject([{ node: request.node, name: 'laptop' }])
    file({ ...revocationSigned(identity, request.node, now), by: null })
    expect(ownNodes(home.paths.devices, identity)).toEqual([])
  })
})
