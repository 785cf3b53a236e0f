/** Owns the text that names a branch or a commit. Refuses what git could take for an option, a range or a path. */
import { z } from 'zod'

const word = '[A-Za-z0-9_][A-Za-z0-9_.+-]*'
const branch = new RegExp(`^${word}(?:/${word})*$`)
const commit = new RegExp(`^${word}(?:/${word})*(?:[~^][0-9]{0,4}){0,8}$`)

export const branchName = z
  .string()
  .refine((text) => text.length <= 200 && branch.test(text) && isPlain(text), 'is not the name of a branch')

/** A branch, a tag, `HEAD~2`, or an object id. */
export const commitName = z
  .string()
  .refine((text) => text.length <= 200 && commit.test(text) && isPlain(text), 'does not name a commit')

export const objectId = z.string().regex(/^(?:[0-9a-f]{40}|[0-9a-f]{64})$/)

function isPlain(text: string): boolean {
  return !text.includes('..') && !/\.lock(?:\/|$)|\.(?:\/|$)/.test(text) && text !== '@'
}
