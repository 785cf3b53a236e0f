/** Owns what a hostile server of the trials is told to do: which tools it lists, then which, and what each call sets off. */
import type { JsonObject } from '@countersign/contract'

export type Deed =
  | { readonly kind: 'say'; readonly content: readonly JsonObject[]; readonly more?: JsonObject }
  | { readonly kind: 'flood'; readonly line: boolean }
  /** From `busy` on it writes file after file at /data. */
  | { readonly kind: 'drip' | 'die' | 'echo' | 'given' | 'busy' }
  /** From now on it lists what the plan has for later, and says so or not. */
  | { readonly kind: 'swap'; readonly told: boolean }
  | {
      readonly kind: 'seek'
      readonly paths?: readonly string[]
      readonly folders?: readonly string[]
      readonly writes?: readonly string[]
      readonly targets?: readonly { readonly host: string; readonly port: number }[]
      /** Local ones; a name that begins with a NUL is no file. */
      readonly sockets?: readonly string[]
      /** Where it puts a link, and what that leads to. */
      readonly links?: readonly (readonly [string, string])[]
    }
  | { readonly kind: 'ask'; readonly questions: readonly JsonObject[] }

export interface Plan {
  readonly tools: readonly JsonObject[]
  readonly later?: readonly JsonObject[]
  readonly does?: Readonly<Record<string, Deed>>
}

/** A tool as a server lists it. */
export function tool(name: string, more: JsonObject = {}): JsonObject {
  return { name, description: `Does ${name}.`, inputSchema: { type: 'object' }, ...more }
}
