/** Owns which kinds of channels there are: those of the product, and one for each plugin that is a channel. */
import { type ChannelManifest, declaredManifest, manifests } from '@countersign/channels'
import {
  type Channel,
  type InstalledExtensions,
  isPluginChannelKind,
  isStrayed,
  pluginChannelKind,
  pluginOfChannelKind,
} from '@countersign/contract'
import type { CarriedChannel } from '@countersign/executor'
import { type ChannelChild, ownChild } from './channel-child.ts'

/** What was let in from outside, and who starts what of it is a channel. */
export interface PluginHost {
  extensions(): InstalledExtensions
  channel(wanted: { readonly plugin: string; readonly launch: string }): CarriedChannel
  watchExtensions(listener: () => void): () => void
}

export interface ChannelKinds {
  all(): readonly ChannelManifest[]
  find(kind: string): ChannelManifest | undefined
  /** When the plugin that is there was let in; undefined where no plugin brings this kind. */
  broughtAt(kind: string): string | undefined
  /** Why no channel of this kind can run now; null where it can. */
  problem(kind: string): string | null
  /** Tells when a plugin came, went or was changed. */
  watch(listener: () => void): () => void
  /** Another text for every other program that it would be. */
  program(kind: string): string
  /** Throws where the plugin is another one than the channel was meant for. */
  open(channel: Pick<Channel, 'kind' | 'broughtAt'>): ChannelChild
}

export function createChannelKinds(host: PluginHost, mainPath: string): ChannelKinds {
  const plugins = () =>
    host.extensions().servers.flatMap((server) => {
      const channel = server.launch.kind === 'plugin' ? server.launch.manifest.channel : undefined
      if (!channel) return []
      const kind = pluginChannelKind(server.name)
      return [{ kind, server, manifest: declaredManifest(kind, channel) }]
    })
  const pluginFor = (kind: string) => plugins().find((each) => each.kind === kind)
  const find = (kind: string) =>
    isPluginChannelKind(kind) ? pluginFor(kind)?.manifest : manifests.find((each) => each.kind === kind)
  return {
    all: () => [...manifests, ...plugins().map(({ manifest }) => manifest)],
    find,
    broughtAt: (kind) => (isPluginChannelKind(kind) ? pluginFor(kind)?.server.addedAt : undefined),
    problem(kind) {
      if (!isPluginChannelKind(kind)) return find(kind) ? null : `There is no kind ${kind} any more.`
      const name = pluginOfChannelKind(kind)
      const server = pluginFor(kind)?.server
      if (!server) return goneText(name)
      if (server.paused)
        return `The plugin ${name} is paused. Resume it: \`countersign extension resume ${name}\`.`
      return isStrayed(server)
        ? `The plugin ${name} is not what its manifest says, so all of it is stopped. Look at it: \`countersign extension show ${name}\`.`
        : null
    },
    watch: (listener) => host.watchExtensions(listener),
    program: (kind) => pluginFor(kind)?.server.launchHash ?? '',
    open({ kind, broughtAt }) {
      const plugin = pluginFor(kind)?.server
      if (!isPluginChannelKind(kind)) return ownChild(mainPath, kind)
      if (plugin?.addedAt !== broughtAt || !plugin) throw new Error(goneText(pluginOfChannelKind(kind)))
      return carriedChild(host.channel({ plugin: plugin.name, launch: plugin.launchHash }))
    },
  }
}

const goneText = (plugin: string): string =>
  `The plugin ${plugin} that brought it was removed. Let it in again and resume the channel, or remove the channel.`

function carriedChild({ stream, ended, stop }: CarriedChannel): ChannelChild {
  return {
    stdin: stream,
    stdout: stream,
    pid: undefined,
    ended: ended.then(({ reason, final }) => ({ problem: reason, final })),
    kill: stop,
  }
}
