/** Owns whom an e-mail goes to. Refuses what is not one plain address, and more recipients than a person reads. */
import { MailAddress } from '@countersign/contract'
import { z } from 'zod'

const most = 50

/** One address, or several; each once. */
export const recipients = z
  .union([MailAddress, z.array(MailAddress).min(1).max(most)])
  .transform((value) => unique(typeof value === 'string' ? [value] : value))

export const moreRecipients = z.array(MailAddress).max(most).transform(unique).default([])

export function unique(addresses: readonly string[]): string[] {
  const seen = new Set<string>()
  return addresses.filter((address) => {
    const same = address.toLowerCase()
    return seen.has(same) ? false : seen.add(same) !== undefined
  })
}
