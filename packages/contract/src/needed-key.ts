/** Owns which keys a tool that somebody made needs, which of them are not kept, and what the operator does about it. */

/** A secret by its name, as whoever made the tool describes it. */
export interface NeededKey {
  readonly name: string
  readonly displayName?: string | undefined
  readonly docsUrl?: string | undefined
}

/** `mail-work` and `mail.password` are keys of the service mail too. Pure. */
export function isKept(key: string, kept: readonly string[]): boolean {
  return kept.some((name) => name === key || name.startsWith(`${key}.`) || name.startsWith(`${key}-`))
}

export function missingKeys(needed: readonly string[], kept: readonly string[]): string[] {
  return needed.filter((key) => !isKept(key, kept))
}

export function addKeyCommand(key: string): string {
  return `countersign secret set ${key} --host <host>`
}

/** What is missing and how it is added; nothing where nothing is. */
export function missingKeyText(missing: readonly string[]): string {
  if (missing.length === 0) return ''
  const which = missing.length === 1 ? 'The secret' : 'The secrets'
  const is = missing.length === 1 ? 'is' : 'are'
  const commands = missing.map((key) => `\`${addKeyCommand(key)}\``).join(', ')
  return `${which} ${missing.join(', ')} ${is} missing. The operator adds ${missing.length === 1 ? 'it' : 'them'} with ${commands}.`
}
