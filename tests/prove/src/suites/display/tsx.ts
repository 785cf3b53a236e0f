/** Lets Node read the parts of the web app: what it cannot read by itself is turned into plain modules first. */
import { createRequire, registerHooks } from 'node:module'
import { pathToFileURL } from 'node:url'

const web = new URL('../../../../../packages/web/package.json', import.meta.url)

/** A package that the web app declares. */
export async function fromWeb<T>(name: string): Promise<T> {
  return (await import(pathToFileURL(createRequire(web).resolve(name)).href)) as T
}

interface Transformer {
  transformSync(
    name: string,
    text: string,
    options: { jsx: { runtime: 'automatic' } },
  ): { readonly code: string; readonly errors: readonly unknown[] }
}

export async function readTsx(): Promise<void> {
  const vite = createRequire(createRequire(web).resolve('vite/package.json'))
  const transformer = (await import(pathToFileURL(vite.resolve('rolldown/utils')).href)) as Transformer
  registerHooks({
    load(url, context, nextLoad) {
      if (!url.endsWith('.tsx')) return nextLoad(url, context)
      const loaded = nextLoad(url, { ...context, format: 'module' })
      const text =
        typeof loaded.source === 'string'
          ? loaded.source
          : Buffer.from(loaded.source as Uint8Array).toString()
      const { code, errors } = transformer.transformSync(url, text, { jsx: { runtime: 'automatic' } })
      if (errors.length > 0) throw new Error(`${url}: ${JSON.stringify(errors)}`)
      return { ...loaded, format: 'module', source: code }
    },
  })
}
