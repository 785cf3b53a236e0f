/**
 * Owns what the files of a skill are told to do or hide, as far as it can be seen without running them. It looks for words, so
 * a clean report proves nothing; what it finds deserves a look before the skill is let in.
 */

/** By path. */
export type ReportedFiles = ReadonlyMap<string, { readonly bytes: Uint8Array; readonly executable: boolean }>

interface Sign {
  readonly about: string
  readonly pattern: RegExp
}

const code = /\.(?:py|sh|bash|zsh|js|mjs|cjs|ts|rb|pl|php|ps1|lua|r)$/i

const signs: readonly Sign[] = [
  {
    about: 'speaks of the network',
    pattern:
      /\b(?:https?:\/\/(?!(?:www\.)?(?:w3\.org|example\.(?:com|org|net)|schemas\.))|curl|wget|urllib|requests\.(?:get|post|put)|fetch\s*\(|socket|websocket|nslookup|netcat|ncat|XMLHttpRequest|http\.client|axios|scp|ssh|ftp)/i,
  },
  {
    about: 'speaks of secrets',
    pattern:
      /(?:\bapi[_ -]?key|\bsecret|\bpassword|\bpasswd|\bcredential|\bprivate[_ -]key|\baccess[_ -]?token|\bauth[_ -]?token|\.env\b|\.ssh\b|id_rsa|id_ed25519|\.aws\b|\.npmrc|\.netrc|os\.environ|process\.env|\bprintenv\b|keychain|\bkeyring\b|wallet|seed phrase)/i,
  },
  {
    about: 'runs programs or code that is made while it runs',
    pattern:
      /(?:\beval\b|\bexec\s*\(|\bos\.system\b|\bsubprocess\b|\bchild_process\b|\bpopen\b|\bspawn(?:Sync)?\s*\(|\bsudo\b|\bchmod \+x|\|\s*(?:ba|z)?sh\b|\brm -rf?\b|`{3}(?:ba|z)?sh\b|`{3}(?:shell|console)\b|\bcrontab\b|\bnohup\b|\bFunction\s*\(|__import__|\bcompile\s*\(|importlib)/i,
  },
  {
    about: 'addresses the agent that reads it, against what it was told',
    pattern:
      /(?:\b(?:ignore|disregard|forget|override|bypass)\b[^.\n]{0,60}\b(?:instruction|prompt|rule|guideline|policy|policies|safety|order|approval|restriction)s?\b|\b(?:do not|don't|never|without)\b[^.\n]{0,40}\b(?:tell|inform|mention|ask|show|notify|asking|telling)\b[^.\n]{0,30}\b(?:user|operator|human|person|them)\b|\byou (?:are|must act as) now\b|\bsystem prompt\b|\bdeveloper mode\b|<\/?(?:system|instructions?|rules|role|user|assistant)\b|\b(?:hide|conceal) (?:this|it|that)\b|\bjailbreak|\bthe operator (?:says|said|wants|has approved|already approved)\b|\bsilently\b)/i,
  },
  { about: 'has a comment that is not shown where it is read', pattern: /<!--/ },
]

/** Joiners, marks of direction, fillers, tags, and runs of what chooses the form of a sign. */
const invisible =
  /\p{Cf}|\u034f|\u115f|\u1160|\u17b4|\u17b5|\u3164|\uffa0|[\ufe00-\ufe0f]{3}|[\u{e0100}-\u{e01ef}]/u
const packedText =
  /[A-Za-z0-9+/=_-]{200,}|(?:\\x[0-9a-f]{2}){20,}|(?:\\u[0-9a-f]{4}){20,}|(?:[0-9a-f]{2}[ ,:]?){120,}/i
const longestLine = 2_000

const mostFindings = 60
const longestFinding = 160

/** A line for each thing that was found, the first of its kind in each file. */
export function skillReport(files: ReportedFiles): string[] {
  const findings: string[] = []
  for (const [path, { bytes, executable }] of files) {
    const say = (what: string) => findings.push(`${path}: ${what}`)
    const text = textIn(bytes)
    if (text === undefined) {
      say('is no text, so nothing can be said of it')
      continue
    }
    if (executable || code.test(path) || text.startsWith('#!')) say('is a program')
    const lines = text.split('\n')
    for (const { about, pattern } of signs) {
      const at = lines.findIndex((line) => pattern.test(line.slice(0, longestLine * 4)))
      if (at !== -1) say(`${about}, line ${at + 1}: ${quoted(lines[at] ?? '', pattern)}`)
    }
    const hidden = lines.findIndex((line) => invisible.test(line))
    if (hidden !== -1) say(`has characters that cannot be seen, line ${hidden + 1}`)
    const packed = lines.findIndex((line) => packedText.test(line))
    if (packed !== -1) say(`has long text that nobody can read, as packed data is, line ${packed + 1}`)
    const long = lines.findIndex((line) => line.length > longestLine)
    if (long !== -1) say(`has a line of ${lines[long]?.length} characters, line ${long + 1}`)
  }
  const more = findings.length - mostFindings
  return more > 0 ? [...findings.slice(0, mostFindings), `and ${more} more`] : findings
}

/** Undefined where it is no text. */
export function textIn(bytes: Uint8Array): string | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
    return text.includes('\0') ? undefined : text
  } catch (error) {
    if (error instanceof TypeError) return undefined
    throw error
  }
}

/** The line around what was found. */
function quoted(line: string, pattern: RegExp): string {
  const at = Math.max(0, (pattern.exec(line)?.index ?? 0) - 40)
  return JSON.stringify(
    line
      .slice(at, at + longestFinding)
      .trim()
      .toWellFormed(),
  )
}
