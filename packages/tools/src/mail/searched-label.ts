/** Owns what an e-mail in the search by meaning is worth: no more than reading it. */
import { type Label, type MailAccount, MailAddress, unprovenMail } from '@countersign/contract'
import { mailLabel } from './mail-effects.ts'
import type { SearchedMail } from './searched-mail.ts'

/** What a run that reads it is marked with, its server too, and whose e-mail it is. */
export function searchedMailLabel(
  { name, imap }: Pick<MailAccount, 'name' | 'imap'>,
  { from, proven }: SearchedMail,
): Label {
  const [sender, ...others] = from
  // Nothing but an address is told of somebody who may have chosen their name for the card that shows it.
  const isOne = sender !== undefined && others.length === 0 && MailAddress.safeParse(sender.address).success
  const whose = `e-mail in ${name} from ${isOne ? sender.address : 'an unknown sender'}`
  const marks = [...(proven ? [] : [unprovenMail]), ...mailLabel.sources, imap.host, whose]
  return { ...mailLabel, sources: marks }
}
