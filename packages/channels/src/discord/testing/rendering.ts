/** Owns how the people in a test server read a message: what its marks do, whom it calls, and where it leads. */

export interface Read {
  readonly text: string
  readonly links: readonly string[]
  readonly pings: readonly string[]
}

/** The first that fits at a place counts. */
const rules: readonly {
  readonly pattern: RegExp
  readonly text: (match: RegExpExecArray) => string
  readonly link?: number
  readonly ping?: boolean
}[] = [
  { pattern: /\\([^0-9A-Za-z\s])/y, text: ([, sign = '']) => sign },
  { pattern: /```(?:\w+\n)?\n?([\s\S]+?)\n?```/y, text: ([, code = '']) => code },
  { pattern: /(`{1,2})([^\n]+?)\1(?!`)/y, text: ([, , code = '']) => code.trim() },
  { pattern: /<(https?:\/\/[^ >]+)>/y, text: ([, address = '']) => address, link: 1 },
  { pattern: /\[([^\]\n]+)\]\(<?([^\s)>]+)>?\)/y, text: ([, label = '']) => label, link: 2 },
  { pattern: /https?:\/\/[^\s<]+[^<.,:;"'\]\s]/y, text: ([address]) => address, link: 0 },
  { pattern: /<(?:@[!&]?|#)\d+>|@everyone|@here/y, text: ([whom]) => whom, ping: true },
  { pattern: /\*+|_+|~~|\|\|/y, text: () => '' },
]

export function readDiscordText(source: string, callsPeople: boolean): Read {
  const links: string[] = []
  const pings: string[] = []
  let text = ''
  for (let at = 0; at < source.length; ) {
    const isLineStart = at === 0 || source.charAt(at - 1) === '\n'
    const start = isLineStart ? /(?:#{1,3}|-#|>(?:>>)?) |[ ]*[-*] /y : null
    if (start) {
      start.lastIndex = at
      const mark = start.exec(source)
      if (mark) {
        text += /[-*] $/.test(mark[0]) ? '• ' : ''
        at += mark[0].length
        continue
      }
    }
    const [length, read] = readAt(source, at, links, callsPeople ? pings : [])
    text += read
    at += length
  }
  return { text, links, pings }
}

function readAt(source: string, at: number, links: string[], pings: string[]): [number, string] {
  for (const { pattern, text, link, ping } of rules) {
    pattern.lastIndex = at
    const match = pattern.exec(source)
    if (!match) continue
    if (link !== undefined) links.push(match[link] ?? '')
    if (ping) pings.push(match[0])
    return [match[0].length, text(match)]
  }
  return [1, source.charAt(at)]
}
