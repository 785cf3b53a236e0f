/**
 * Owns whether a body that was signed can be read in another form than its writer chose. Many sign no content type, so
 * that whoever shows the e-mail once more could choose it, and with it which of the quoted words look like theirs. Pure.
 */

export interface BodyForm {
  /** Undefined where there is none. */
  readonly type: string | undefined
  readonly encoding: string | undefined
  /** With line ends of one sign. */
  readonly body: string
}

/** Where neither line is signed: there is one way to read it. */
export function hasOneForm({ type = 'text/plain', encoding = '7bit', body }: BodyForm): boolean {
  const kind = type.trim().toLowerCase().split(/[;\s]/, 1)[0] ?? ''
  const coding = encoding.trim().toLowerCase()
  if (kind.startsWith('multipart/')) {
    const [, quoted, bare] = /;\s*boundary\s*=\s*(?:"([^"\r\n]{1,100})"|([^\s;"]{1,100}))/i.exec(type) ?? []
    const boundary = quoted ?? bare
    // Another boundary than its writer's does not stand at the beginning.
    return boundary !== undefined && body.startsWith(`--${boundary}\n`) && /^(?:7bit|8bit)$/.test(coding)
  }
  // The source of several parts is no text.
  if (kind !== 'text/plain' || /^--\S.{0,100}\ncontent-[a-z-]+:/im.test(body)) return false
  if (/^(?:7bit|8bit)$/.test(coding)) return !/=$/m.test(body)
  // No program writes a line end so, and every sign of this kind it writes with a code.
  return coding === 'quoted-printable' && !/=(?!\n|[0-9A-F]{2}|$)|=0[AD]|^.{77}/im.test(body)
}
