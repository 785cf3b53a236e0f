/**
 * Owns what a program finds around it. Runs inside the machine as source text, so it stands alone: no imports, nothing
 * from outside the function. What it protects is the program's convenience; the boundary is the machine.
 */

/** What the machine gives: texts and numbers only. */
export interface Host {
  /** Resolves with the answer, `1` or `0` for good or bad before its text. */
  call(tool: string, args: string): Promise<string> | string
  hash(algorithm: string, text: string): string | undefined
  random(): number
  log(line: string): void
}

export interface PreludeSetup {
  readonly args: object
  readonly context: { readonly toolName: string; readonly [name: string]: string }
  readonly tools: readonly string[]
  readonly network: boolean
  /** The names of the secrets that are kept. */
  readonly keys: readonly string[]
}

export type Part = (host: Host, setup: PreludeSetup) => object

/** Gives what runs a program and tells its end as JSON. */
export function installGlobals(
  host: Host,
  setup: PreludeSetup,
  parts: readonly Part[],
): (program: () => unknown) => Promise<string> {
  const { stringify } = JSON
  const { name } = { name: setup.context.toolName }
  const worded = (value: unknown): string => {
    if (typeof value === 'string') return value
    if (value instanceof Error) return `${value.name}: ${value.message}`
    try {
      return stringify(value) ?? String(value)
    } catch {
      return String(value)
    }
  }
  const line =
    (level: string) =>
    (...values: unknown[]) =>
      host.log(`[${name}] ${level}${values.map(worded).join(' ')}`)
  const utils = {}
  for (const part of parts) Object.assign(utils, part(host, setup))
  const console = {
    log: line(''),
    info: line(''),
    debug: line(''),
    warn: line('warning: '),
    error: line('error: '),
  }
  Math.random = () => host.random()
  const { fetch, ...rest } = utils as { fetch?: unknown }
  Object.assign(globalThis, { args: setup.args, context: setup.context, console, utils: rest })
  if (setup.network) Object.assign(globalThis, { fetch })
  return async (program) => {
    try {
      const value = await program()
      return stringify({ ok: true, value: value === undefined ? null : value })
    } catch (error) {
      const isError = error instanceof Error
      const message = isError ? `${error.name}: ${error.message}` : worded(error)
      return stringify({ ok: false, message, stack: isError ? String(error.stack) : '' })
    }
  }
}
