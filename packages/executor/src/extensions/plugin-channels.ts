/**
 * Owns the processes of plugins that are channels: each runs in the sandbox as it was let in, and its bytes are carried to the
 * gateway once it has said that it is what its manifest says. Stops each whose plugin is removed, paused, changed or stopped.
 */
import { once } from 'node:events'
import type { Duplex, Readable } from 'node:stream'
import {
  canonicalText,
  type InstalledExtensions,
  type InstalledServer,
  isStrayed,
  type JsonObject,
  listedAs,
  PluginChannel,
  type PluginChannelEnd,
  type PluginLaunch,
} from '@countersign/contract'
import { serverNamed, toolDefinitionHash } from '@countersign/tools'
import { z } from 'zod'
import type { Sandbox, SandboxStreams } from '../sandbox/port.ts'
import type { Extensions } from './extensions.ts'
import { channelLimits, serverLimits } from './server-limits.ts'
import { pluginChannelCommand, type ServerPlaces } from './server-sandbox.ts'

export interface WantedChannel {
  readonly plugin: string
  /** The hash of how it was let in. */
  readonly launch: string
}

export interface PluginChannels {
  /** Carries between the stream and the channel until one of both ends. Never rejects. */
  run(wanted: WantedChannel, line: Duplex, signal: AbortSignal): Promise<PluginChannelEnd>
  close(): Promise<void>
}

export interface PluginChannelParts extends ServerPlaces {
  readonly sandbox: Sandbox | undefined
  readonly extensions: Extensions
  /** How long it has to say what it is. */
  readonly startMs?: number
}

interface RunningChannel {
  readonly wanted: WantedChannel
  readonly stop: AbortController
  readonly over: Promise<unknown>
}

type AcceptedChannel = InstalledServer & { readonly launch: PluginLaunch }

export function createPluginChannels(parts: PluginChannelParts): PluginChannels {
  const running = new Set<RunningChannel>()
  const { extensions } = parts
  extensions.onChange((now) => stopAll(running, ({ wanted }) => !('launch' in acceptedIn(now, wanted))))
  return {
    async run(wanted, line, signal) {
      const accepted = acceptedIn(extensions.current(), wanted)
      if ('reason' in accepted) return { reason: accepted.reason, final: true }
      if (running.size >= channelLimits.mostRunning)
        return { reason: `${channelLimits.mostRunning} channels of plugins run already.`, final: false }
      const stop = new AbortController()
      const { promise: over, resolve } = Promise.withResolvers<void>()
      const one: RunningChannel = { wanted, stop, over }
      running.add(one)
      const end = await runChannel(parts, accepted, line, AbortSignal.any([stop.signal, signal])).catch(
        (error: unknown): PluginChannelEnd => ({ reason: wordsOf(error), final: false }),
      )
      running.delete(one)
      resolve()
      if (end !== 'strayed') return end
      // Whoever changes what is let in waits until each channel of it is over, this one too.
      await extensions.change((before) => withStrayed(before, wanted))
      return { reason: strayedText(wanted.plugin), final: true }
    },
    close: () => stopAll(running, () => true),
  }
}

async function stopAll(
  running: ReadonlySet<RunningChannel>,
  isOver: (channel: RunningChannel) => boolean,
): Promise<void> {
  const ending = [...running].filter(isOver)
  for (const { stop } of ending) stop.abort()
  await Promise.all(ending.map(({ over }) => over))
}

/** The entry where its channel may run as it is, or why not. */
function acceptedIn(
  installed: InstalledExtensions,
  { plugin, launch: wanted }: WantedChannel,
): AcceptedChannel | { readonly reason: string } {
  const entry = serverNamed(installed, plugin)
  if (entry?.launch.kind !== 'plugin' || !entry.launch.manifest.channel)
    return { reason: `There is no plugin ${plugin} that is a channel.` }
  if (entry.launchHash !== wanted) return { reason: `The plugin ${plugin} is not as it was.` }
  if (entry.paused) return { reason: `The plugin ${plugin} is paused.` }
  if (isStrayed(entry)) return { reason: strayedText(plugin) }
  return { ...entry, launch: entry.launch }
}

const strayedText = (plugin: string): string =>
  `The plugin ${plugin} is not what its manifest says, so all of it is stopped. Look at it: \`countersign extension show ${plugin}\`.`

async function runChannel(
  parts: PluginChannelParts,
  accepted: AcceptedChannel,
  line: Duplex,
  signal: AbortSignal,
): Promise<PluginChannelEnd | 'strayed'> {
  const { name, launch, launchHash } = accepted
  const { sandbox, extensions, startMs = serverLimits.startMs } = parts
  if (!sandbox)
    return { reason: 'The channel of a plugin needs a sandbox, and there is none here.', final: true }
  let said: 'nothing' | 'itself' | 'something else' = 'nothing'
  const talk = async ({ stdin, stdout }: SandboxStreams) => {
    const announced = await firstLine(stdout, startMs)
    if (announced === undefined) return
    said = isAsAccepted(accepted, announced) ? 'itself' : 'something else'
    if (said === 'itself') await carry({ stdin, stdout }, line)
  }
  const command = await pluginChannelCommand({ name, launch, talk, signal }, parts)
  const { stderr } = await sandbox.run(command, signal)
  // Set by the talk, which is over.
  if ((said as string) === 'something else') return 'strayed'
  const now = acceptedIn(extensions.current(), { plugin: name, launch: launchHash })
  if ('reason' in now) return { reason: now.reason, final: true }
  const complaint = stderr.trim().slice(-500).toWellFormed()
  const why = said === 'nothing' ? 'It did not say what it is.' : 'It ended.'
  return { reason: complaint === '' ? why : `${why} It complained: ${complaint}`, final: false }
}

function withStrayed(before: InstalledExtensions, { plugin, launch }: WantedChannel): InstalledExtensions {
  return {
    ...before,
    servers: before.servers.map((server) =>
      server.name === plugin && server.launchHash === launch ? { ...server, strayed: true } : server,
    ),
  }
}

/** What the runner says before it serves. It shares a process with the plugin, so these are the words of a stranger. */
const Announcement = z.strictObject({
  tools: z
    .array(z.looseObject({ name: z.string(), description: z.string(), input: z.custom<JsonObject>() }))
    .max(100),
  channel: PluginChannel,
})

function isAsAccepted({ tools, launch }: AcceptedChannel, line: string): boolean {
  const announced = Announcement.safeParse(jsonOf(line))
  if (!announced.success) return false
  const { channel } = launch.manifest
  const accepted = tools.map(({ definition }) => definition)
  const listed = announced.data.tools.map((tool) => toolDefinitionHash(listedAs(tool)))
  const canonical = (value: unknown) => canonicalText(JSON.parse(JSON.stringify(value)) as JsonObject)
  return (
    channel !== undefined &&
    canonical(announced.data.channel) === canonical(channel) &&
    accepted.toSorted().join() === listed.toSorted().join()
  )
}

/** Undefined where none came in time, or one without end. What comes after it stays to be read. */
function firstLine(stdout: Readable, patienceMs: number): Promise<string | undefined> {
  const { promise, resolve } = Promise.withResolvers<string | undefined>()
  const pieces: Buffer[] = []
  let size = 0
  const done = (line: string | undefined) => {
    clearTimeout(timer)
    stdout.off('data', take).off('close', none).off('end', none).off('error', none)
    stdout.pause()
    resolve(line)
  }
  const none = () => done(undefined)
  const take = (chunk: Buffer) => {
    const end = chunk.indexOf(10)
    pieces.push(end === -1 ? chunk : chunk.subarray(0, end))
    size += chunk.length
    if (end === -1 && size <= channelLimits.maxAnnouncementBytes) return
    done(end === -1 ? undefined : Buffer.concat(pieces).toString())
    const rest = chunk.subarray(end + 1)
    if (end !== -1 && rest.length > 0) stdout.unshift(rest)
  }
  const timer = setTimeout(none, patienceMs)
  stdout.on('data', take).once('close', none).once('end', none).once('error', none)
  return promise
}

/** Until one side ends. */
async function carry({ stdin, stdout }: SandboxStreams, line: Duplex): Promise<void> {
  line.pipe(stdin)
  stdout.pipe(line, { end: false })
  const over = new AbortController()
  const { signal } = over
  await Promise.race([
    once(stdout, 'close', { signal }),
    once(stdout, 'end', { signal }),
    once(line, 'close', { signal }),
  ]).catch(() => undefined)
  over.abort()
  line.unpipe(stdin)
  stdout.unpipe(line)
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function wordsOf(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).slice(0, 500).toWellFormed()
}
