import { existsSync, readdirSync, rmdirSync, statSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { generateKey } from '@countersign/contract/node'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { readPairing } from './node-home.ts'
import { readNodePolicy } from './node-policy.ts'
import { pairingAddress } from './pairing.ts'
import { makeTestFolder, pairTestNode, runTestNode, type TestFolder } from './testing/paired-node.ts'
import { openScriptedGateway, type ScriptedGateway } from './testing/scripted-gateway.ts'

let gateway: ScriptedGateway
let place: TestFolder

beforeEach(async () => {
  gateway = await openScriptedGateway()
  place = makeTestFolder()
})
afterEach(async () => {
  await gateway.close()
  place.remove()
})

describe('pairing', () => {
  it('shows the words of the host, and then knows whom to believe', async () => {
    let shown: readonly string[] = []
    const pairing = await pairTestNode(gateway, place, (words) => {
      shown = words
      gateway.approve('laptop')
    })
    expect(shown).toEqual(gateway.words())
    expect(shown).toHaveLength(6)
    expect(pairing).toMatchObject({ name: 'laptop', address: gateway.address })
    expect(readPairing(place.paths)).toEqual(pairing)
    expect(readNodePolicy(place.paths.policy)).toMatchObject({ policy: { maxTier: 3 } })
  })

  it('keeps everything readable by its owner only', async () => {
    await pairTestNode(gateway, place)
    for (const name of readdirSync(place.paths.folder))
      expect(statSync(join(place.paths.folder, name)).mode & 0o077, name).toBe(0)
    expect(statSync(place.paths.folder).mode & 0o077).toBe(0)
  })

  it('shares nothing that holds its own key, also by a way round', async () => {
    const round = join(place.folder, 'round')
    symlinkSync(dirname(place.paths.folder), round)
    for (const shared of [place.folder, round, '/', place.paths.folder, join(place.paths.folder, 'in')])
      await expect(pairTestNode(gateway, { ...place, shared }), shared).rejects.toThrow('own')
    // Nor when a link is put in its place afterwards.
    const pairing = await pairTestNode(gateway, place)
    rmdirSync(place.shared)
    symlinkSync(place.folder, place.shared)
    await expect(runTestNode(place, pairing)).rejects.toThrow('own')
  })

  it.each(['gateway', 'root'] as const)(
    'shows other words when the key of the %s was swapped on the way',
    async (whose) => {
      const { info } = gateway
      const { publicKey } = generateKey()
      gateway.info =
        whose === 'gateway'
          ? { ...info, key: publicKey }
          : { ...info, root: { ...info.root, key: publicKey } }
      let shown: readonly string[] = []
      const pairing = pairTestNode(gateway, place, (words) => {
        shown = words
        gateway.approve('laptop')
      })
      // A middleman who swapped the gateway's key alone gets as far as words that do not agree.
      await pairing.catch(() => undefined)
      expect(shown).toHaveLength(6)
      expect(shown).not.toEqual(gateway.words())
    },
  )

  it('shows other words when its own key was swapped on the way', async () => {
    let shown: readonly string[] = []
    const middleman: typeof fetch = async (url, options) => {
      const body = typeof options?.body === 'string' ? JSON.parse(options.body) : undefined
      if (!body) return fetch(url, options)
      return fetch(url, { ...options, body: JSON.stringify({ ...body, key: generateKey().publicKey }) })
    }
    const pairing = pairTestNode(
      gateway,
      place,
      (words) => {
        shown = words
        gateway.approve('laptop')
      },
      { fetch: middleman },
    )
    await expect(pairing).rejects.toThrow('does not hold')
    expect(shown).not.toEqual(gateway.words())
  })

  it.each([
    ['signed by another key', () => gateway.approve('laptop', undefined, generateKey())],
    [
      'about another key',
      () => gateway.approve('laptop', (one) => ({ ...one, key: generateKey().publicKey }) as never),
    ],
    [
      'about another node',
      () => gateway.approve('laptop', (one) => ({ ...one, node: `node_${'0'.repeat(32)}` }) as never),
    ],
    [
      'made for another gateway',
      () => gateway.approve('laptop', (one) => ({ ...one, gateway: `gw_${'0'.repeat(32)}` }) as never),
    ],
  ])('refuses a statement that is %s, and believes nobody', async (_, approve) => {
    await expect(pairTestNode(gateway, place, () => void approve())).rejects.toThrow('does not hold')
    expect(existsSync(place.paths.trust)).toBe(false)
    expect(readPairing(place.paths)).toBeUndefined()
  })

  it('shares no folder of its own', async () => {
    const shared = join(place.paths.folder, 'shared')
    await expect(pairTestNode(gateway, { ...place, shared })).rejects.toThrow("the node's own")
    expect(existsSync(place.paths.folder)).toBe(false)
  })

  it('is done once', async () => {
    await pairTestNode(gateway, place)
    await expect(pairTestNode(gateway, place)).rejects.toThrow('a node already')
  })

  it('refuses an answer that is none of a gateway', async () => {
    gateway.info = { ...gateway.info, key: 'short' }
    await expect(pairTestNode(gateway, place)).rejects.toThrow('does not answer as a gateway')
  })
})

describe('the address', () => {
  it.each(['http://127.0.0.1:4000', 'http://localhost:4000/x', 'https://house.example/a'])(
    'may be %s',
    (text) => {
      expect(pairingAddress(text)).toBe(new URL(text).origin)
    },
  )

  it.each(['http://house.example', 'house.example', 'ftp://house.example', 'http://127.0.0.1.example'])(
    'is not %s, where others read along',
    (text) => {
      expect(() => pairingAddress(text)).toThrow('safely')
    },
  )
})
