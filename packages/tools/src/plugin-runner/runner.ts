/**
 * The program that is started for a plugin, in the sandbox and on the computer of its author: it loads the plugin, and answers
 * as a server of the Model Context Protocol on its standard streams, or, with `--channel`, says what it is and then speaks as a
 * channel does. With `--list` it prints what the plugin has, and ends.
 * Nobody believes it: what it lists and says is compared with the manifest outside.
 */
import { existsSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { createInterface } from 'node:readline'
import { pathToFileURL } from 'node:url'
import type * as Api from './api.ts'
import type { PluginToolDefinition } from './api.ts'

interface ChannelDefinition {
  readonly title: string
}

interface ChannelsApi {
  channelListing(definition: ChannelDefinition): object
  servePluginChannel(
    definition: ChannelDefinition,
    line: { say(text: string): void; hear: NodeJS.ReadStream; end(code: number): void },
  ): void
}

const beside = new URL('./api.js', import.meta.url)
const apiUrl = (existsSync(beside) ? beside : new URL('./api.ts', import.meta.url)).href
const channelPlaces = [
  new URL('./channels.js', import.meta.url),
  new URL('file:///opt/plugin-channels/plugin/api.ts'),
  new URL('../../../channels/src/plugin/api.ts', import.meta.url),
]
const channelsUrl = (channelPlaces.find((place) => existsSync(place)) ?? channelPlaces[0])?.href ?? ''
/** Where the schema language lies in the sandbox when it is not bundled. */
const schemaUrl = new URL('file:///opt/plugin-schema/index.js')

registerHooks({
  resolve(specifier, context, next) {
    if (specifier === 'countersign/tools') return { url: apiUrl, shortCircuit: true }
    if (specifier === 'countersign/channels') return { url: channelsUrl, shortCircuit: true }
    if (specifier === 'zod' && isOurs(context.parentURL) && existsSync(schemaUrl))
      return { url: schemaUrl.href, shortCircuit: true }
    return next(specifier, context)
  },
})

function isOurs(parent = ''): boolean {
  return parent === apiUrl || parent.startsWith('file:///opt/plugin-channels/')
}

const say = process.stdout.write.bind(process.stdout)
// What a plugin prints must not get between the messages.
process.stdout.write = process.stderr.write.bind(process.stderr) as typeof process.stdout.write

const [first = '', second = ''] = process.argv.slice(2)
const isListing = first === '--list'
const api = (await import(apiUrl)) as typeof Api
const { tools, channel } = await loaded(isListing ? second : first)

if (isListing) {
  say(`${JSON.stringify(await listing())}\n`, () => process.exit(0))
} else if (second === '--channel') {
  say(`${JSON.stringify(await listing())}\n`)
  if (channel) await serveAsChannel(channel)
} else {
  const lines = createInterface({ input: process.stdin, crlfDelay: Number.POSITIVE_INFINITY })
  lines.on('line', (line) => void heard(line))
  lines.on('close', () => process.exit(0))
}

interface LoadedPlugin {
  readonly tools: readonly PluginToolDefinition[]
  readonly channel: ChannelDefinition | undefined
}

async function loaded(entry: string): Promise<LoadedPlugin> {
  const module = (await import(pathToFileURL(entry).href)) as {
    readonly default?: unknown
    readonly channel?: ChannelDefinition
  }
  const { channel: found, default: listed = found ? [] : undefined } = module
  if (!Array.isArray(listed)) throw new Error(`The default export of ${entry} is no list of tools.`)
  return { tools: listed as PluginToolDefinition[], channel: found }
}

/** What it is, as it stands in the manifest. */
async function listing() {
  const listed = tools.map(api.listingOf)
  if (!channel) return { tools: listed }
  const { channelListing } = await channelsApi()
  return { tools: listed, channel: channelListing(channel) }
}

/** Loaded only where there is a channel. Its types are the author's: this file is of another package. */
function channelsApi(): Promise<ChannelsApi> {
  return import(channelsUrl) as Promise<ChannelsApi>
}

async function serveAsChannel(definition: ChannelDefinition): Promise<void> {
  const { servePluginChannel } = await channelsApi()
  servePluginChannel(definition, { say, hear: process.stdin, end: (code) => process.exit(code) })
}

interface Message {
  readonly id?: string | number
  readonly method?: string
  readonly params?: {
    readonly name?: string
    readonly arguments?: unknown
    readonly requestId?: string | number
    readonly protocolVersion?: string
  }
}

const underWay = new Map<string | number, AbortController>()

async function heard(line: string): Promise<void> {
  if (line.trim() === '') return
  const { id, method, params = {} } = JSON.parse(line) as Message
  if (method === 'notifications/cancelled' && params.requestId !== undefined)
    underWay.get(params.requestId)?.abort()
  if (id === undefined || method === undefined) return
  const answer = await answered(id, method, params)
  say(`${JSON.stringify({ jsonrpc: '2.0', id, ...answer })}\n`)
}

async function answered(id: string | number, method: string, params: NonNullable<Message['params']>) {
  switch (method) {
    case 'initialize':
      return {
        result: {
          protocolVersion: params.protocolVersion,
          capabilities: { tools: {} },
          serverInfo: { name: 'plugin', version: String(api.pluginApi) },
        },
      }
    case 'ping':
      return { result: {} }
    case 'tools/list':
      return {
        result: {
          tools: tools.map((tool) => {
            const { name, description, input } = api.listingOf(tool)
            return { name, description, inputSchema: input }
          }),
        },
      }
    case 'tools/call':
      return { result: await called(id, params) }
    default:
      return { error: { code: -32_601, message: `There is no method ${method}.` } }
  }
}

async function called(id: string | number, params: NonNullable<Message['params']>) {
  const tool = tools.find(({ name }) => name === params.name)
  if (!tool) return content(`There is no tool ${params.name}.`, true)
  const stop = new AbortController()
  underWay.set(id, stop)
  try {
    const { text, isError } = await api.answerOf(tool, params.arguments ?? {}, {
      dataFolder: process.env['PLUGIN_DATA'] ?? null,
      secret: (variable) => process.env[variable],
      signal: stop.signal,
    })
    return content(text, isError)
  } finally {
    underWay.delete(id)
  }
}

function content(text: string, isError: boolean) {
  return { content: [{ type: 'text', text }], isError }
}
