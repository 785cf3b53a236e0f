/** Owns how a secret is spoken of: by a handle that a call may use, and by a mark where a value was taken out. */

const handle = /\{\{secret:([a-z][a-z0-9_-]{0,63})\}\}/g
const mark = /‹secret:[^›]{1,64}›/

export const secretName = /^[a-z][a-z0-9_-]{0,63}$/

/** What a model writes where the value is to go. The value is put in on the way out, after the decision. */
export function secretHandle(name: string): string {
  return `{{secret:${name}}}`
}

/** What stands where a value was taken out. It never becomes a value again: a call that holds one is refused. */
export function secretMark(name: string): string {
  return `‹secret:${name}›`
}

/** The names of the secrets that a text asks for, in order, each once. */
export function secretsIn(text: string): string[] {
  return [...new Set([...text.matchAll(handle)].map(([, name = '']) => name))].toSorted()
}

export function withSecrets(text: string, valueOf: (name: string) => string): string {
  return text.replaceAll(handle, (_, name: string) => valueOf(name))
}

export function holdsMark(text: string): boolean {
  return mark.test(text)
}
