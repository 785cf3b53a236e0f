/** Owns a channel that a plugin brought, as the gateway keeps it, and what is let in by the plugin's name later. */
import {
  type InstalledExtensions,
  noExtensions,
  type PluginChannel,
  pluginChannelKind,
} from '@countersign/contract'
import { createChannelKinds } from '../../../../../packages/gateway/src/channels/channel-kinds.ts'
import { createChannelStore } from '../../../../../packages/gateway/src/channels/channel-store.ts'
import { pauseOrphans } from '../../../../../packages/gateway/src/channels/orphaned-channels.ts'
import type { Chats } from './chats.ts'

const declared: PluginChannel = {
  title: 'Chat',
  about: 'Chats.',
  steps: ['Sign up there.'],
  settings: {},
  secret: 'the key',
  text: { most: 1_000, unit: 'characters' },
  files: null,
  can: { edit: false, typing: false, buttons: false, groups: false },
  sendsOnce: false,
  proves: 'sender',
}
const head = { api: 1, name: 'chat', version: '1.0.0', description: 'x', author: 'x', main: 'x.js' } as const

export interface PluginAt {
  readonly addedAt: string
  readonly launchHash: string
}

function installed({ addedAt, launchHash }: PluginAt): InstalledExtensions {
  const manifest = { ...head, secrets: {}, data: false, sections: [], channel: declared }
  const given = { files: [], source: 'x', folders: [], hosts: [], secrets: {}, data: false }
  const launch = { kind: 'plugin', manifest, tree: '0'.repeat(64), ...given } as const
  const state = { tools: [], offered: [], gone: [], listedAt: null, paused: false }
  return { ...noExtensions, servers: [{ name: 'chat', launch, launchHash, ...state, addedAt }] }
}

export async function openChannelOfPlugin({ bench }: Pick<Chats, 'bench'>, first: PluginAt) {
  const name = bench.addChannel()
  const { operator, records } = bench
  let plugin = first
  const started: string[] = []
  const host = {
    extensions: () => installed(plugin),
    channel: ({ launch }: { readonly launch: string }) => {
      started.push(launch)
      return { stream: undefined, ended: Promise.resolve({ reason: '', final: true }), stop: () => undefined }
    },
    watchExtensions: () => () => undefined,
  } as unknown as Parameters<typeof createChannelKinds>[0]
  const kinds = createChannelKinds(host, '')
  const vault = new Map<string, string>()
  const secrets = {
    list: async () => [...vault.keys()].map((key) => ({ name: key })),
    store: async (_by: unknown, key: string, { value }: { readonly value: string }) =>
      void vault.set(key, value),
    remove: async () => 0,
  } as unknown as Parameters<typeof createChannelStore>[0]['secrets']
  const store = createChannelStore({ kinds, records, secrets, secretValue: async (key) => vault.get(key) })
  const by = { operator, actor: { kind: 'operator', id: 'desk' } } as const
  const kind = pluginChannelKind('chat')
  await store.store(by, name, { kind, settings: {}, secrets: { credential: 'the-key' }, choices: {} })
  const kept = async () => {
    const channel = (await store.list(operator)).find((each) => each.name === name)
    if (!channel) throw new Error('The channel is gone.')
    return channel
  }
  return {
    kept,
    /** From now on this is what has the name. */
    becomes(next: PluginAt) {
      plugin = next
    },
    /** What the gateway does when what is let in has changed; says which programs it started. */
    async reconciled(): Promise<readonly string[]> {
      started.length = 0
      await pauseOrphans({ store, records, operator, kinds }, [await kept()])
      const channel = await kept()
      if (!channel.choices.paused) kinds.open(channel)
      return [...started]
    },
    resumed: () => store.choose(by, name, { paused: false }),
  }
}
