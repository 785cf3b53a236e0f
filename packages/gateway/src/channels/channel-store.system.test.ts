import type { ChannelManifest } from '@countersign/channels'
import type { StoreChannel } from '@countersign/contract'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { type ChannelStore, createChannelStore } from './channel-store.ts'
import { type ChannelBench, openChannelBench } from './testing/channel-bench.ts'

let bench: ChannelBench
let store: ChannelStore
let vault: Map<string, { value: string; tools: readonly string[]; hosts: readonly string[] }>
let name: string
/** As of a plugin; undefined of ours. */
let broughtAt: string | undefined
beforeAll(async () => {
  bench = await openChannelBench()
})
afterAll(() => bench.close())
beforeEach(async () => {
  vault = new Map()
  broughtAt = undefined
  name = bench.addChannel()
  store = createChannelStore({
    records: bench.records,
    secrets: {
      list: () => Promise.resolve([...vault.keys()].map((key) => ({ name: key })) as never),
      store(_by, key, { value, tools, destinations }) {
        const hosts = destinations.map((each) => ('host' in each ? String(each.host) : ''))
        vault.set(key, { value, tools: tools ?? [], hosts })
        return Promise.resolve({} as never)
      },
      remove(_by, key) {
        vault.delete(key)
        return Promise.resolve(0 as never)
      },
    },
    secretValue: (key) => Promise.resolve(vault.get(key)?.value),
    kinds: {
      all: () => [manifest()],
      find: (kind) => (kind === 'remembered' ? manifest() : undefined),
      broughtAt: () => broughtAt,
    },
  })
  for (const { name: known } of await store.list(bench.operator)) await store.remove(by(), known)
})

const by = () => ({ operator: bench.operator, actor: { kind: 'operator', id: 'desk' } }) as const
const manifest = (): ChannelManifest => ({
  ...bench.channel(name).manifest,
  settings: z.strictObject({ room: z.string() }),
  secrets: [
    { name: 'token', label: 'token' },
    { name: 'proxy', label: 'password of the proxy', optional: true },
  ],
})
const given = (over: Partial<StoreChannel> = {}): StoreChannel => ({
  kind: 'remembered',
  settings: { room: 'one' },
  secrets: { token: 'value-of-the-token' },
  choices: {},
  ...over,
})
const entries = async (type: string) =>
  (
    await bench.test.kernel.readOnly(bench.operator, (db) =>
      db.selectFrom('ledger_entries').select('body').where('type', '=', type).execute(),
    )
  ).map(({ body }) => String(body))

describe('a channel', () => {
  it('is kept with its choices, and its secrets where no tool gets them', async () => {
    const { channel, replaced } = await store.store(by(), name, given({ choices: { groups: ['g1'] } }))
    expect(replaced).toBe(false)
    expect(channel.choices).toEqual({ groups: ['g1'], approvals: true, notices: true, paused: false })
    const [[key, secret] = []] = vault
    expect(key).toBe(`channel.${name}-token`)
    expect(secret?.tools).toEqual(['channel_process'])
    expect(secret?.hosts.every((host) => host.endsWith('.invalid'))).toBe(true)
    expect(JSON.stringify(await store.list(bench.operator))).not.toContain('value-of-the-token')
    expect((await entries('channel.stored')).join()).not.toContain('value-of-the-token')
    expect(await store.secretsOf(channel)).toEqual({ token: 'value-of-the-token' })
  })

  it('is of the plugin that was there when it was added or let go on, and needs its secrets anew for another', async () => {
    broughtAt = '2026-11-19T10:00:00.000Z'
    const first = await store.store(by(), name, given())
    expect(first.channel.broughtAt).toBe(broughtAt)
    broughtAt = '2026-11-19T11:00:00.000Z'
    await expect(store.store(by(), name, given({ secrets: {} }))).rejects.toThrow('needs its token')
    expect((await store.choose(by(), name, { paused: true })).channel.broughtAt).toBe(first.channel.broughtAt)
    expect((await store.choose(by(), name, { paused: false })).channel.broughtAt).toBe(broughtAt)
  })

  it('keeps what is not given again', async () => {
    await store.store(by(), name, given({ choices: { notices: false } }))
    await store.choose(by(), name, { paused: true })
    const { channel, replaced } = await store.store(
      by(),
      name,
      given({ secrets: {}, settings: { room: 'two' } }),
    )
    expect(replaced).toBe(true)
    expect(channel).toMatchObject({ settings: { room: 'two' }, choices: { notices: false, paused: true } })
    expect(await store.secretsOf(channel)).toEqual({ token: 'value-of-the-token' })
  })

  it.each<[string, Partial<StoreChannel>, string]>([
    ['of no kind', { kind: 'nothing' }, 'There is no kind of channel named nothing.'],
    ['without its secret', { secrets: {} }, 'needs its token'],
    [
      'with a secret of no name',
      { secrets: { token: 't'.repeat(8), other: 'o'.repeat(8) } },
      'has no secret other',
    ],
    ['with a setting of no name', { settings: { room: 'one', rom: 'two' } }, 'The settings of Remembered'],
    ['without a setting', { settings: {} }, 'The settings of Remembered'],
  ])('%s is refused, and nothing is kept of it', async (_, over, problem) => {
    await expect(store.store(by(), name, given(over))).rejects.toThrow(problem)
    expect(await store.list(bench.operator)).toEqual([])
    expect(vault.size).toBe(0)
  })

  it('does not become one of another kind, nor one of too many', async () => {
    await store.store(by(), name, given())
    const other = createChannelStore({
      records: bench.records,
      secrets: {
        list: () => Promise.resolve([]),
        store: () => Promise.reject(),
        remove: () => Promise.reject(),
      },
      secretValue: () => Promise.resolve(undefined),
      kinds: {
        all: () => [],
        find: () => ({ ...manifest(), kind: 'other', secrets: [] }),
        broughtAt: () => undefined,
      },
    })
    await expect(other.store(by(), name, given({ kind: 'other', secrets: {} }))).rejects.toThrow(
      'another kind',
    )
    for (let count = 1; count < 20; count += 1) await store.store(by(), `more${count}`, given())
    await expect(store.store(by(), 'one-more', given())).rejects.toThrow('20 channels already')
    await store.store(by(), 'more1', given())
  })

  it('that is not there is not chosen for and not removed', async () => {
    await expect(store.choose(by(), 'nothing', { paused: true })).rejects.toThrow(
      'There is no channel nothing.',
    )
    await expect(store.remove(by(), 'nothing')).rejects.toThrow('There is no channel nothing.')
  })

  it('is removed with its secrets, its people and what waits there, and leaves those of others', async () => {
    await store.store(by(), name, given())
    const other = bench.addChannel()
    for (const each of [name, other]) {
      await bench.letIn(each, 'ann')
      await bench.say(each, 'ann', 'Hello!')
    }
    await store.remove(by(), name)
    expect(vault.size).toBe(0)
    expect(await bench.peer(name, 'ann')).toBeUndefined()
    expect([await bench.inbox(name), await bench.letters(name)]).toEqual([[], []])
    expect(await bench.peer(other, 'ann')).toMatchObject({ state: 'paired' })
    expect(await bench.inbox(other)).toHaveLength(2)
    // Whoever comes back is a stranger.
    await bench.say(name, 'ann', 'Hello?')
    expect(await bench.peer(name, 'ann')).toMatchObject({ state: 'asking' })
  })
})
