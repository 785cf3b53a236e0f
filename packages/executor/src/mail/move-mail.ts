/** Moves an e-mail to another folder and says where it is then. */
import type { EmailPlace, Failure } from '@countersign/tools'
import { folderFor, gone, openAt, withMessageId } from './folders.ts'
import { type SessionParts, withImap } from './imap-session.ts'
import type { MailLogin } from './mail-login.ts'

export async function moveMail(
  login: MailLogin,
  { place, to }: { readonly place: EmailPlace; readonly to: { readonly folder: string } | 'trash' },
  parts: SessionParts,
  signal: AbortSignal,
): Promise<{ readonly kind: 'moved'; readonly place: EmailPlace } | Failure> {
  return withImap(login, parts, signal, async (client) => {
    const target =
      to === 'trash' ? await folderFor(client, '\\Trash') : { kind: 'folder' as const, path: to.folder }
    if (target.kind === 'failed') return target
    if (target.path === place.folder)
      return { kind: 'failed', reason: `The e-mail is in ${target.path} already.` }
    const changed = await openAt(client, place, false)
    if (changed) return changed
    const known = await client.fetchOne(
      String(place.uid),
      { uid: true, headers: ['message-id'] },
      { uid: true },
    )
    if (!known) return gone
    const moved = await client.messageMove(String(place.uid), target.path, { uid: true })
    if (!moved) return { kind: 'failed', reason: `The server did not move the e-mail to ${target.path}.` }
    const uid = moved.uidMap?.get(place.uid)
    if (uid !== undefined && moved.uidValidity !== undefined)
      return {
        kind: 'moved',
        place: { folder: target.path, uidValidity: String(moved.uidValidity), uid },
      }
    // A server that does not say is asked by the id that the e-mail has.
    const id = /<[^<>\s]{1,900}>/.exec(known.headers?.toString('latin1') ?? '')?.[0]
    const found = id === undefined ? undefined : (await withMessageId(client, target.path, id)).at(-1)
    return found
      ? { kind: 'moved', place: found }
      : {
          kind: 'failed',
          reason: `It was moved to ${target.path}, but the server does not say which it is there.`,
        }
  })
}
