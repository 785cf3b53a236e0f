/** Owns how a secret is spoken of: by a handle that a call may use, and by a mark where a value was taken out. */

// One value to a name. A service that needs several takes a name for each, with the service before the dot.
const name = '[a-z][a-z0-9_-]*(?:\\.[a-z][a-z0-9_-]*)?'
const handle = new RegExp(`\\{\\{secret:((?=[^}]{1,64}\\}\\})${name})\\}\\}`, 'g')
const mark = /‹secret:[^›]{1,64}›/

export const secretName = new RegExp(`^(?=.{1,64}$)${name}$`)

/** What a model writes where the value is to go. The value is put in on the way out, after the decision. */
export function secretHandle(name: string): string {
  return `{{secret:${name}}}`
}

/** What stands where a value was taken out. It never becomes a value again: a call that holds one is refused. */
export function secretMark(name: string): string {
  return `‹secret:${name}›`
}

/** The names of the secrets that a text asks for, sorted, each once. */
export function secretsIn(text: string): string[] {
  return [...new Set([...text.matchAll(handle)].map(([, name = '']) => name))].toSorted()
}

export function withSecrets(text: string, valueOf: (name: string) => string): string {
  return text.replaceAll(handle, (_, name: string) => valueOf(name))
}

export function holdsMark(text: string): boolean {
  return mark.test(text)
}
