/** Finds folders by what they are for, whatever a server calls them, and e-mails in them by their Message-ID. */
import { MailFolder } from '@countersign/contract'
import { type EmailPlace, type Failure, searchedLimits } from '@countersign/tools'
import type { ImapFlow, ListResponse } from 'imapflow'

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

export interface SearchedPlace {
  readonly path: string
  /** As it was a moment ago; nothing where the server did not say. */
  readonly status: FolderStatus | undefined
}

export interface FolderStatus {
  readonly uidValidity: string
  readonly uidNext: number
  readonly messages: number
}

/** Those whose e-mails are searched by meaning: not what was thrown away, is unwanted, or is not sent yet. */
export async function searchedFolders(client: ImapFlow): Promise<readonly SearchedPlace[]> {
  const listed = await client.list({ statusQuery: { messages: true, uidNext: true, uidValidity: true } })
  return searchedAmong(listed, client.capabilities.has('X-GM-EXT-1')).map(({ path, status }) => {
    const { uidValidity, uidNext, messages } = status ?? {}
    if (uidValidity === undefined || uidNext === undefined || messages === undefined)
      return { path, status: undefined }
    return { path, status: { uidValidity: String(uidValidity), uidNext: Number(uidNext), messages } }
  })
}

const unsearched = new Set(['\\Trash', '\\Junk', '\\Drafts', '\\Flagged'])
const closed = ['\\Noselect', '\\NonExistent']

/** At Gmail every e-mail is in the folder of all, and the others are views of it; elsewhere that folder is a view. */
export function searchedAmong<Folder extends Pick<ListResponse, 'path' | 'flags' | 'specialUse'>>(
  listed: readonly Folder[],
  isGmail: boolean,
): readonly Folder[] {
  const open = listed.filter(
    ({ path, flags }) => MailFolder.safeParse(path).success && !closed.some((flag) => flags.has(flag)),
  )
  const all = open.filter(({ specialUse }) => specialUse === '\\All')
  if (isGmail && all.length > 0) return all
  return open
    .filter(({ specialUse = '' }) => !unsearched.has(specialUse) && specialUse !== '\\All')
    .toSorted((left, right) => Number(right.path === 'INBOX') - Number(left.path === 'INBOX'))
    .slice(0, searchedLimits.folders)
}
