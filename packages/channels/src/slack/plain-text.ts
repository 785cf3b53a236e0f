/** Owns how Slack's markup becomes what a person reads: names for ids, links with their targets, entities as characters. Pure. */

export interface SlackTextNames {
  readonly self: string
  /** Names of the people that are mentioned, by their ids. */
  readonly people: ReadonlyMap<string, string>
}

const tag = /<([^<>]*)>/g

/** The people who are mentioned, in order; a hostile text names no more than so many. */
export function mentionedIn(text: string, most = 10): string[] {
  const ids = [...text.matchAll(/<@([A-Z0-9]{1,30})(?:\|[^<>]*)?>/g)].map(([, id = '']) => id)
  return [...new Set(ids)].slice(0, most)
}

export function plainText(text: string, names: SlackTextNames): string {
  let plain = ''
  let at = 0
  for (const match of text.matchAll(tag)) {
    plain += text.slice(at, match.index)
    at = match.index + match[0].length
    const inner = match[1] ?? ''
    if (isMentionOf(names.self, inner)) {
      // Naming us is how they speak to us, not what they say.
      const after = /^[:,]?[ \t]*/.exec(text.slice(at))
      at += plain.trim() === '' ? (after?.[0].length ?? 0) : 0
      if (plain.trim() !== '') plain = plain.replace(/[ \t]+$/, '')
    } else plain += shown(inner, names)
  }
  plain += text.slice(at)
  return plain.replaceAll(/&(lt|gt|amp);/g, (_, name: string) => entities[name] ?? '')
}

const entities: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&' }

const isMentionOf = (self: string, inner: string): boolean =>
  inner === `@${self}` || inner.startsWith(`@${self}|`)

function shown(inner: string, { people }: SlackTextNames): string {
  const bar = inner.indexOf('|')
  const target = bar === -1 ? inner : inner.slice(0, bar)
  const label = bar === -1 ? '' : inner.slice(bar + 1)
  switch (target.charAt(0)) {
    case '@':
      return `@${label || people.get(target.slice(1)) || target.slice(1)}`
    case '#':
      return `#${label || target.slice(1)}`
    case '!': {
      const word = label || target.slice(1).replace(/\^.*$/s, '')
      return word.startsWith('@') || target.startsWith('!date') ? word : `@${word}`
    }
    default: {
      const address = target.replace(/^mailto:/, '')
      return label === '' || label === address || label === target || address === `http://${label}`
        ? address
        : `${label} (${address})`
    }
  }
}
