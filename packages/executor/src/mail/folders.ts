/** Finds folders by what they are for, whatever a server calls them, and e-mails in them by their Message-ID. */
import type { EmailPlace, Failure } from '@countersign/tools'
import type { ImapFlow } from 'imapflow'

export type Purpose = '\\Sent' | '\\Trash' | '\\Drafts'

const words: Readonly<Record<Purpose, string>> = {
  '\\Sent': 'sent e-mails',
  '\\Trash': 'what is thrown away',
  '\\Drafts': 'drafts',
}

export async function folderFor(
  client: ImapFlow,
  purpose: Purpose,
): Promise<{ readonly kind: 'folder'; readonly path: string } | Failure> {
  const found = (await client.list()).find(({ specialUse }) => specialUse === purpose)
  if (found) return { kind: 'folder', path: found.path }
  return { kind: 'failed', reason: `The server has no folder for ${words[purpose]}. Make one there.` }
}

/** The e-mails of the folder that say they have this id, oldest first. */
export async function withMessageId(
  client: ImapFlow,
  folder: string,
  messageId: string,
): Promise<readonly EmailPlace[]> {
  const { uidValidity } = await client.mailboxOpen(folder, { readOnly: true })
  const uids = (await client.search({ header: { 'message-id': messageId } }, { uid: true })) || []
  return uids.map((uid) => ({ folder, uidValidity: String(uidValidity), uid }))
}

/** Opens the folder of an e-mail. A folder that was made anew has other e-mails under the same numbers. */
export async function openAt(
  client: ImapFlow,
  { folder, uidValidity }: EmailPlace,
  readOnly: boolean,
): Promise<Failure | undefined> {
  const opened = await client.mailboxOpen(folder, { readOnly })
  if (String(opened.uidValidity) === uidValidity) return undefined
  return { kind: 'failed', reason: `${folder} was made anew since. List its e-mails again.` }
}

export const gone: Failure = {
  kind: 'failed',
  reason: 'The e-mail is not there any more. List the e-mails again.',
}
