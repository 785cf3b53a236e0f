/** Owns the name of one e-mail: account, folder, the server's count of the folder's lives, and its number there. */
import { MailFolder } from '@countersign/contract'
import { z } from 'zod'

export interface EmailPlace {
  readonly folder: string
  /** A folder that was made anew numbers its e-mails anew. */
  readonly uidValidity: string
  readonly uid: number
}

const shape = /^([a-z][a-z0-9_-]{0,31})\/([^/\s]{1,600})\/([1-9]\d{0,18})\/([1-9]\d{0,9})$/

export const EmailId = z
  .string()
  .max(700)
  .refine((id) => placeIn(id) !== undefined, 'not the id of an e-mail, as list_emails gives them')

export function emailId(account: string, { folder, uidValidity, uid }: EmailPlace): string {
  return `${account}/${encodeURIComponent(folder)}/${uidValidity}/${uid}`
}

export function accountIn(id: string): string | undefined {
  return shape.exec(id)?.[1]
}

export function placeIn(id: string): EmailPlace | undefined {
  const [, , folder = '', uidValidity = '', uid = ''] = shape.exec(id) ?? []
  if (uid === '') return undefined
  try {
    const name = FolderName.safeParse(decodeURIComponent(folder))
    return name.success && encodeURIComponent(name.data) === folder
      ? { folder: name.data, uidValidity, uid: Number(uid) }
      : undefined
  } catch {
    return undefined
  }
}

/** What the schema has let through is the id of an e-mail. */
export function requirePlace(id: string): EmailPlace {
  const place = placeIn(id)
  if (!place) throw new TypeError('not the id of an e-mail')
  return place
}

export const FolderName = MailFolder
