/**
 * The compatibility kit of channels: the cases that ours pass too, put to the adapter of an author against the author's scripted
 * platform, and the same channel in the sandbox, where it says what it is, connects and carries a message each way.
 */
import { existsSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { join } from 'node:path'
import { duplexPair } from 'node:stream'
import { pathToFileURL } from 'node:url'
import {
  adapterOf,
  encodeLine,
  type PluginChannelDefinition,
  readMessages,
} from '@countersign/channels/plugin-api'
import { runCases, type TestPlatform, type Without } from '@countersign/channels/plugin-kit'
import { type PluginChannelEnd, type PluginManifest, pluginChannelKind } from '@countersign/contract'
import { type Check, firstLineOf, openCheck } from '../check.ts'
import { entryUrls } from '../entry.ts'
import type { ScratchHost } from '../scratch-host.ts'

const platformFiles = ['test/platform.ts', 'test/platform.js']
const patienceMs = 10_000
const mostShown = 8

export interface ScriptedPlatform {
  readonly open: () => Promise<TestPlatform>
  readonly without: Without
}

/** What its author wrote runs in this process, with the same copy of what it imports. */
export async function scriptedPlatform(folder: string): Promise<ScriptedPlatform | undefined> {
  const file = platformFiles.map((path) => join(folder, path)).find((path) => existsSync(path))
  if (file === undefined) return undefined
  const { openPlatform, without = {} } = (await authorsModule(file)) as {
    readonly openPlatform?: () => Promise<TestPlatform>
    readonly without?: Without
  }
  if (!openPlatform) throw new Error(`${file} exports no openPlatform.`)
  return { open: openPlatform, without }
}

function authorsModule(path: string): Promise<unknown> {
  const urls: Readonly<Record<string, string>> = entryUrls()
  const hooks = registerHooks({
    resolve: (specifier, context, next) =>
      urls[specifier] === undefined ? next(specifier, context) : { url: urls[specifier], shortCircuit: true },
  })
  return import(pathToFileURL(path).href).finally(() => hooks.deregister())
}

interface Examined {
  readonly folder: string
  readonly manifest: PluginManifest
}

export async function checkCases(
  { folder, manifest }: Examined,
  tell: (done: number, of: number) => void,
): Promise<Check> {
  const check = openCheck('channel')
  try {
    const scripted = await scriptedPlatform(folder)
    if (!scripted) {
      check.problem(
        `is a channel, and has no scripted platform: ${platformFiles[0]}`,
        'Write one that exports openPlatform, as the example plugin-notes does.',
      )
      return check.end('')
    }
    const { channel } = (await authorsModule(join(folder, manifest.main))) as {
      readonly channel: PluginChannelDefinition
    }
    const { without } = scripted
    const report = await runCases({
      adapter: adapterOf(pluginChannelKind(manifest.name), channel),
      platform: await scripted.open(),
      without,
      patienceMs,
      tell,
    })
    for (const { title, problem } of report.problems.slice(0, mostShown))
      check.problem(
        `does not pass “${title}”: ${firstLineOf(problem)}`,
        'Correct the adapter or the platform.',
      )
    for (const [ability, reason] of Object.entries(without))
      check.note(`not asked about ${ability}: ${reason}`)
    const passed = report.cases - new Set(report.problems.map(({ title }) => title)).size
    return check.end(`${passed} of ${report.cases} cases passed, ${report.left} do not apply`)
  } catch (error) {
    check.problem(`cannot be put to the cases: ${firstLineOf(error)}`, 'See what it says, and correct it.')
    return check.end('')
  }
}

/** In the sandbox, once it was let in. */
export async function checkInSandbox(
  host: Pick<ScratchHost, 'channel' | 'sandbox'>,
  { manifest, platform, launch }: { manifest: PluginManifest; platform: TestPlatform; launch: string },
): Promise<Check> {
  const check = openCheck('sandbox')
  const life = openLife(host, { plugin: manifest.name, launch })
  try {
    const { settings, secrets } = platform
    await life.said('up')
    life.tell({ type: 'start', settings, secrets, state: null })
    await life.said('connected')
    const chat = platform.chats.ana.id
    const message = { key: 'k', chat, thread: null, text: 'hello', format: 'plain', buttons: [], file: null }
    life.tell({ type: 'send', n: 1, message })
    const { result } = await life.said('done')
    if (result?.kind !== 'sent' || !platform.shown(platform.chats.ana).some(({ text }) => text === 'hello'))
      check.problem('does not send in the sandbox', 'Use fetch, WebSocket or webCall, which know the proxy.')
    await platform.says(platform.people.ana, platform.chats.ana, 'good day')
    await life.said('event')
    life.tell({ type: 'stop' })
    await life.end
  } catch (error) {
    check.problem(`does not work in the sandbox: ${firstLineOf(error)}`, 'Give it no more than hosts.')
  } finally {
    life.stop()
    await life.end
  }
  const where = host.sandbox.kind === 'available' ? host.sandbox.sandbox.name : 'no sandbox'
  return check.end(`connects, sends and hears in ${where}, with its hosts and nothing else`)
}

interface Said {
  readonly type: string
  readonly n?: number
  readonly result?: { readonly kind: string }
}

function openLife(host: Pick<ScratchHost, 'channel'>, wanted: { plugin: string; launch: string }) {
  const [near, line] = duplexPair()
  const stop = new AbortController()
  const heard: Said[] = []
  let woken = Promise.withResolvers<void>()
  const tell = (message: object) => void line.write(encodeLine(message))
  readMessages(line, {
    message(message) {
      const said = message as Said
      heard.push(said)
      if (said.type === 'event' || said.type === 'keep') tell({ type: 'taken', n: said.n })
      woken.resolve()
      woken = Promise.withResolvers()
    },
    broken: () => stop.abort(),
  })
  const end: Promise<PluginChannelEnd> = host.channel(wanted, near, stop.signal)
  return {
    end,
    tell,
    stop: () => stop.abort(),
    async said(type: string): Promise<Said> {
      const late = AbortSignal.timeout(3 * patienceMs)
      const tooLate = new Promise<'late'>((resolve) => late.addEventListener('abort', () => resolve('late')))
      for (;;) {
        const found = heard.find((message) => message.type === type)
        if (found) return found
        const wake = await Promise.race([woken.promise, end, tooLate])
        if (wake === 'late') throw new Error(`It did not say ${type}.`)
        if (typeof wake === 'object') throw new Error(wake.reason)
        const last = heard.at(-1)
        if (last?.type === 'rejected' || last?.type === 'disconnected') throw new Error(JSON.stringify(last))
      }
    },
  }
}
