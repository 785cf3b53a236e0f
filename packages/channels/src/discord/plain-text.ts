/** Owns how what people write in Discord becomes what they read there: names for ids. Pure. */

export interface DiscordTextNames {
  readonly self: string
  /** Names of the people that are mentioned, by their ids. */
  readonly people: ReadonlyMap<string, string>
}

const tag = /<(?:@!?(\d{1,20})|@&(\d{1,20})|#(\d{1,20})|a?:(\w{1,40}):\d{1,20})>/g

export function plainText(text: string, { self, people }: DiscordTextNames): string {
  let plain = ''
  let at = 0
  for (const match of text.matchAll(tag)) {
    const [whole, person, role, channel, emoji] = match
    plain += text.slice(at, match.index)
    at = match.index + whole.length
    if (person === self) {
      // Naming us is how they speak to us, not what they say.
      if (plain.trim() === '') at += /^[:,]?[ \t]*/.exec(text.slice(at))?.[0].length ?? 0
      else plain = plain.replace(/[ \t]+$/, '')
    } else if (person !== undefined) plain += `@${people.get(person) ?? person}`
    else if (role !== undefined) plain += `@${role}`
    else plain += channel === undefined ? `:${emoji}:` : `#${channel}`
  }
  return plain + text.slice(at)
}
