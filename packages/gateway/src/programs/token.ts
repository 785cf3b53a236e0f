/** Owns the tokens of programs: what one looks like, and what is kept of it. */
import { randomBytes } from 'node:crypto'
import { sha256Hex } from '@countersign/contract/node'

const tokenBytes = 32
const tokenShape = /^cs_[A-Za-z0-9_-]{43}$/
const shownEnd = 4

export const newToken = (): string => `cs_${randomBytes(tokenBytes).toString('base64url')}`

/** The hash of the token in a header; undefined where the header holds none. */
export function bearerHash(header: string | undefined): string | undefined {
  const [, token = ''] = /^Bearer +(\S+)$/i.exec(header ?? '') ?? []
  return tokenShape.test(token) ? hashOfToken(token) : undefined
}

export const hashOfToken = (token: string): string => sha256Hex(`countersign/program/v1\0${token}`)

export const endOfToken = (token: string): string => token.slice(-shownEnd)
