/** Owns one line of IRC: read from what a server sent, and composed so that no text becomes a second line. Pure. */

export interface IrcLine {
  readonly tags: ReadonlyMap<string, string>
  /** Who sent it; a server has no user and no host. */
  readonly source: IrcMask | null
  /** In capital letters, or three digits. */
  readonly command: string
  readonly params: readonly string[]
}

export interface IrcMask {
  readonly nick: string
  readonly user: string
  readonly host: string
}

const mostParams = 20

export function readIrcLine(text: string): IrcLine | undefined {
  let rest = text
  const part = (): string => {
    const end = rest.indexOf(' ')
    const found = end === -1 ? rest : rest.slice(0, end)
    rest = end === -1 ? '' : rest.slice(end + 1).replace(/^ +/, '')
    return found
  }
  const tags = rest.startsWith('@') ? readTags(part().slice(1)) : new Map<string, string>()
  const source = rest.startsWith(':') ? readMask(part().slice(1)) : null
  const command = part().toUpperCase()
  if (!/^([A-Z]+|\d{3})$/.test(command)) return undefined
  const params: string[] = []
  while (rest !== '' && params.length < mostParams) {
    if (rest.startsWith(':')) {
      params.push(rest.slice(1))
      break
    }
    params.push(part())
  }
  return { tags, source, command, params }
}

/** Undefined where there is no nickname in it. */
export function readMask(text: string): IrcMask | null {
  const [, nick = '', user = '', host = ''] = /^([^!@]+)(?:!([^@]*))?(?:@(.*))?$/.exec(text) ?? []
  return nick === '' ? null : { nick, user, host }
}

/** One person as the server shows them. The nickname in small letters: it is the same in large ones. */
export const maskText = ({ nick, user, host }: IrcMask): string => `${lowered(nick)}!${user}@${host}`

/** Only letters: whether brackets are letters too differs from network to network, and two people must not become one. */
export const lowered = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase())

export function composeIrcLine(command: string, ...params: readonly string[]): string {
  const line = [
    command,
    ...params.map((param, index) => {
      const isLast = index === params.length - 1
      const isPlain = /^[^\s:][^\s]*$/.test(param)
      if (/[\r\n\0]/.test(param) || (!isLast && !isPlain))
        throw new Error('This is no part of a line of IRC.')
      return isLast && !isPlain ? `:${param}` : param
    }),
  ]
  return line.join(' ')
}

function readTags(text: string): Map<string, string> {
  const pairs = text.split(';').map((tag) => {
    const at = tag.indexOf('=')
    return at === -1 ? ([tag, ''] as const) : ([tag.slice(0, at), unescaped(tag.slice(at + 1))] as const)
  })
  return new Map(pairs)
}

const escapes: Readonly<Record<string, string>> = { ':': ';', s: ' ', r: '\r', n: '\n' }

const unescaped = (value: string): string =>
  value.replaceAll(/\\(.?)/gs, (_, letter: string) => escapes[letter] ?? letter)
