/**
 * Watches what a tool takes from its surroundings instead of from its capabilities: modules of the runtime that it imports,
 * and connections, programs and threads that it opens itself. It sees what honest code does; it is no wall. What
 * confines a tool is that its work is done by the capabilities, in the sandbox.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { isBuiltin, registerHooks } from 'node:module'
import { pathToFileURL } from 'node:url'
import { isObject } from './schema.ts'

export interface AmbientUse {
  readonly sentence: string
  readonly fix: string
}

export interface Ambient {
  /** While the module of the tool is loaded. */
  loading<T>(work: () => Promise<T>): Promise<T>
  /** Work of the tool itself. */
  inTool<T>(work: () => T): T
  /** Work that the tool's capabilities or its inspector do for it. */
  inCapability<T>(work: () => T): T
  /** What it should not have taken. */
  uses(): readonly AmbientUse[]
  /** The modules of the runtime that it may import, and did. */
  imported(): readonly string[]
  close(): void
}

export interface AmbientOptions {
  /** Where the tool is; null for a built-in one, whose imports are checked with the product. */
  readonly file: string | null
  /** What stands for a specifier in the modules of the tool, so that tool and lab share one product. */
  readonly entries: Readonly<Record<string, string>>
}

const harmless = new Set(
  [
    'assert',
    'buffer',
    'crypto',
    'events',
    'path',
    'punycode',
    'querystring',
    'stream',
    'string_decoder',
    'test',
  ].concat(['timers', 'url', 'util', 'zlib']),
)

const instead: readonly (readonly [names: readonly string[], fix: string])[] = [
  [['fs'], 'Use `capabilities.files`, and `inspect.file` or `inspect.text` in `effects`.'],
  [
    ['net', 'http', 'https', 'http2', 'tls', 'dgram', 'dns', 'fetch', 'WebSocket', 'EventSource'],
    'Use `capabilities.web`.',
  ],
  [['child_process', 'cluster', 'worker_threads', 'wasi', 'vm'], 'Use `capabilities.shell`.'],
]

export function watchAmbient({ file, entries }: AmbientOptions): Ambient {
  const place = new AsyncLocalStorage<'tool' | 'capability'>()
  const uses = new Map<string, AmbientUse>()
  const imported = new Set<string>()
  let isLoading = false
  const isTool = () => file !== null && (isLoading || place.getStore() === 'tool')
  const note = (sentence: string, name: string) => {
    if (isTool()) uses.set(sentence, { sentence, fix: fixFor(name) })
  }
  const takeModule = (specifier: string) => {
    const name = specifier.replace(/^node:/, '').split('/')[0] ?? ''
    if (harmless.has(name)) imported.add(`node:${name}`)
    else uses.set(name, { sentence: `imports node:${name}`, fix: fixFor(name) })
  }
  const hooks = file === null ? undefined : watchImports(file, entries, takeModule)
  const channels = Object.entries(channelWords).map(([name, { words, fix }]) => {
    const onMessage = () => note(words, fix)
    subscribe(name, onMessage)
    return () => unsubscribe(name, onMessage)
  })
  const replaced = [
    ...['fetch', 'WebSocket', 'EventSource'].map((name) =>
      guard(globalThis, name, () => {
        note(`calls ${name}`, name)
        return isTool() ? new Error(`${name} is not for tools: use capabilities.web.`) : undefined
      }),
    ),
    ...['getBuiltinModule', 'binding'].map((name) =>
      guard(process, name, (asked) => {
        if (isTool()) takeModule(String(asked))
        return undefined
      }),
    ),
  ]
  return {
    async loading(work) {
      isLoading = true
      try {
        return await work()
      } finally {
        isLoading = false
      }
    },
    inTool: (work) => place.run('tool', work),
    inCapability: (work) => place.run('capability', work),
    uses: () => [...uses.values()],
    imported: () => [...imported].toSorted(),
    close() {
      hooks?.deregister()
      for (const end of [...channels, ...replaced]) end()
    },
  }
}

const channelWords: Readonly<Record<string, { words: string; fix: string }>> = {
  'net.client.socket': { words: 'opened a connection itself', fix: 'net' },
  'udp.socket': { words: 'opened a socket itself', fix: 'net' },
  child_process: { words: 'started a program itself', fix: 'child_process' },
  worker_threads: { words: 'started a thread itself', fix: 'worker_threads' },
}

function fixFor(name: string): string {
  const known = instead.find(([names]) => names.includes(name))
  return known?.[1] ?? 'A tool takes what it needs from its arguments and its capabilities. Do without it.'
}

function watchImports(
  file: string,
  entries: Readonly<Record<string, string>>,
  take: (specifier: string) => void,
): { deregister(): void } {
  const own = new Set([pathToFileURL(file).href])
  return registerHooks({
    resolve(specifier, context, next) {
      if (context.parentURL === undefined || !own.has(context.parentURL)) return next(specifier, context)
      const entry = entries[specifier]
      if (entry !== undefined) return next(entry, context)
      if (isBuiltin(specifier)) take(specifier)
      const resolved = next(specifier, context)
      if (resolved.url.startsWith('file:')) own.add(resolved.url)
      return resolved
    },
  })
}

/** Puts a guard before a function that everybody can call. What is called and refused is asynchronous in every case. */
function guard(owner: object, name: string, before: (first: unknown) => Error | undefined): () => void {
  const kept = Object.getOwnPropertyDescriptor(owner, name)
  const original: unknown = Reflect.get(owner, name)
  if (typeof original !== 'function') return () => undefined
  const value = new Proxy(original, {
    apply(target, self, args: unknown[]) {
      const error = before(args[0])
      if (error) return Promise.reject(error)
      return Reflect.apply(target as () => unknown, self, args as [])
    },
    construct(target, args: unknown[]) {
      const error = before(args[0])
      if (error) throw error
      return Reflect.construct(target, args) as object
    },
  })
  Object.defineProperty(owner, name, { value, configurable: true, writable: true })
  return () => {
    if (isObject(kept)) Object.defineProperty(owner, name, kept)
    else Reflect.deleteProperty(owner, name)
  }
}
