/**
 * Owns which words of an e-mail are its writer's own: without what they quote and how they sign. What somebody else
 * wrote must not be taken for their words, so that doubt cuts. Pure.
 */

export interface OwnWords {
  readonly text: string
  /** They pass on what somebody else wrote, and it stands in the text. */
  readonly isForwarded: boolean
}

const longest = 100_000
/** No line that says whose words follow is longer. */
const longestMark = 500
const forwarded =
  /^[ \t*_-]{0,40}(?:(?:begin )?forwarded message|weitergeleitete nachricht|message transf[ée]r[ée]|mensaje reenviado|proslijeđena poruka|messaggio inoltrato)\b/i
const passedOn = /^(?:fwd?|wg|tr|rv|proslijeđeno):/i
/** What mail programs put above what is answered. */
const original =
  /^\s*[*_>]*\s*-{2,}\s*(?:original message|ursprüngliche nachricht|message d['’]origine|mensaje original|izvorna poruka|messaggio originale|[\p{L} ]{3,40})\s*-{2,}\s*$/iu
const ruled = /^\s*(?:_{10,}|-{10,})\s*$/
const attribution =
  /^\s*(?:on\b.{4,300}\bwrote|am\b.{4,300}\bschrieb.{0,120}|le\b.{4,300}\ba [ée]crit|el\b.{4,300}\bescribi[óo]|il\b.{4,300}\bha scritto|dana\b.{4,300}\b(?:je )?napisa(?:o|la)(?:\/la)?|.{0,200}<[^<>\s]+@[^<>\s]+>.{0,80})\s*:\s*$/i
/** What telephones put below all that is written on them. */
const device =
  /^\s{0,3}(?:sent (?:from|with|via) |get outlook for |gesendet (?:von|mit) |von meinem .{1,40} gesendet|envoyé (?:de|depuis) |inviato da |enviado desde |poslano (?:s|sa|iz|pomoću) )[^.]{0,80}\.?\s{0,3}$/i
const headerLine = /^\s*[*_]{0,2}[\p{L}][\p{L} .-]{1,24}[*_]{0,2}\s*:[*_]{0,2}\s+\S/u

export function ownWords(whole: string, subject: string): OwnWords {
  const text = whole
    .toWellFormed()
    .replaceAll(/\r\n?/g, '\n')
    .replaceAll(/[^\P{Cc}\n\t]/gu, '')
    .slice(0, 4 * longest)
  const lines = text.split('\n')
  const own = passedOn.test(subject) ? undefined : withoutQuotes(lines)
  const kept = withoutSignature(own ?? lines).join('\n')
  const shown = own ? kept.replaceAll(/\n{3,}/g, '\n\n') : kept
  return { text: shown.trim().slice(0, longest).toWellFormed(), isForwarded: own === undefined }
}

const isQuoted = (line: string | undefined): boolean => /^\s{0,3}>/.test(line ?? '')

/** Undefined where they pass it on rather than answer it. */
function withoutQuotes(lines: readonly string[]): string[] | undefined {
  const kept: string[] = []
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? ''
    if (isQuoted(line)) continue
    if (line.length > longestMark) {
      kept.push(line)
      continue
    }
    if (forwarded.test(line)) return undefined
    if (
      original.test(line) ||
      isHeaderBlock(lines, at) ||
      (ruled.test(line) && isHeaderBlock(lines, nextFull(lines, at)))
    )
      break
    const length = attributionLength(lines, at)
    if (length > 0) {
      // Where the quote has no marks, all that follows is quoted.
      if (!isQuoted(lines[nextFull(lines, at + length - 1)])) break
      at += length - 1
      continue
    }
    kept.push(line)
  }
  return kept
}

function nextFull(lines: readonly string[], at: number): number {
  let next = at + 1
  while (next < lines.length && lines[next]?.trim() === '') next += 1
  return next
}

/** It may be broken over three lines. */
function attributionLength(lines: readonly string[], at: number): number {
  for (const length of [1, 2, 3]) {
    const part = lines.slice(at, at + length)
    if (part.length < length || (length > 1 && part.some((line) => line.trim() === ''))) return 0
    const joined = part.join(' ')
    if (joined.length > longestMark) return 0
    if (attribution.test(joined)) return length
  }
  return 0
}

/** From, Sent, To and Subject in whatever language: lines of that form, one of them with an address. */
function isHeaderBlock(lines: readonly string[], at: number): boolean {
  const block: string[] = []
  for (let next = at; next < lines.length && block.length < 8; next += 1) {
    const line = lines[next] ?? ''
    if (!headerLine.test(line.slice(0, longestMark))) break
    block.push(line)
  }
  return block.length >= 3 && block.some((line) => /[^\s<>]@[^\s<>]/.test(line.slice(0, longestMark)))
}

function withoutSignature(lines: readonly string[]): string[] {
  // The sign for it has a space at its end; many programs lose it.
  const at = lines.findIndex((line) => /^--\s{0,3}$/.test(line))
  const kept = at === -1 ? [...lines] : lines.slice(0, at)
  while (
    kept.length > 0 &&
    (kept.at(-1)?.trim() === '' || device.test((kept.at(-1) ?? '').slice(0, longestMark)))
  )
    kept.pop()
  return kept
}
