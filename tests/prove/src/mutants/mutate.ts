/**
 * Makes a mutant: changes the text of product files while Node loads them, in the gateway and in its executor. The
 * product has no switch for this. Refuses to start when a text is not there exactly once, so a mutant that the code
 * outgrew is noticed.
 */
import { readFileSync } from 'node:fs'
import { registerHooks } from 'node:module'

export interface Mutation {
  /** The end of the file's path. */
  readonly file: string
  readonly from: string
  readonly to: string
}

/** Called by a file that Node is told to load first with `--import`; it names itself, for the executor's process. */
export function mutate(self: string, mutations: readonly Mutation[]): void {
  mutateHere([...mutations, executorToo(self)])
}

/** In this process only: what it starts is left as it is. */
export function mutateHere(all: readonly Mutation[]): void {
  for (const one of all) changed(readFileSync(new URL(one.file, packages), 'utf8'), one)
  registerHooks({
    load(url, context, nextLoad) {
      const loaded = nextLoad(url, context)
      const mine = all.filter(({ file }) => url.endsWith(`/packages/${file}`))
      if (mine.length === 0 || loaded.source === undefined || loaded.source === null) return loaded
      const text =
        typeof loaded.source === 'string'
          ? loaded.source
          : Buffer.from(loaded.source as Uint8Array).toString()
      return { ...loaded, source: mine.reduce(changed, text) }
    },
  })
}

const packages = new URL('../../../../packages/', import.meta.url)

function changed(text: string, { file, from, to }: Mutation): string {
  const parts = text.split(from)
  if (parts.length !== 2) throw new Error(`${file} has ${parts.length - 1} places that read: ${from}`)
  return parts.join(to)
}

/** The executor is given its own arguments and no environment. */
function executorToo(self: string): Mutation {
  const from = "execArgv: ['--disable-warning=ExperimentalWarning']"
  const to = `execArgv: ['--disable-warning=ExperimentalWarning', '--import', ${JSON.stringify(self)}]`
  return { file: 'executor/src/client.ts', from, to }
}
