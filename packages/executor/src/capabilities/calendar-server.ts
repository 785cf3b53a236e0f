/**
 * The capabilities on calendar servers: the one server that the permit names, with the password that it names. Refuses to
 * sign in where the password is not kept for exactly that server.
 */
import { type ApprovalSubject, type CalendarAccount, calendarDestination } from '@countersign/contract'
import { calendarMethod, type Failure, type PushedEntry, type ToolCapabilities } from '@countersign/tools'
import { fetchEntries } from '../calendar-server/fetch-entries.ts'
import { listEntries } from '../calendar-server/list-entries.ts'
import { pushEntry } from '../calendar-server/push-entry.ts'
import { openSession, type ServerSession } from '../calendar-server/server-session.ts'
import type { DocumentPrograms } from '../documents/document-programs.ts'
import type { Egress } from '../egress/egress.ts'
import { noSecrets, type SecretSource } from '../egress/secret-source.ts'
import { failure } from './failure.ts'

export interface CalendarServerParts {
  readonly egress: Egress
  readonly secrets?: SecretSource
  readonly documents?: DocumentPrograms | undefined
}

export function calendarServerCapabilities(
  subject: Pick<ApprovalSubject, 'resources' | 'sandbox' | 'secrets'>,
  { egress, secrets = noSecrets, documents }: CalendarServerParts,
): ToolCapabilities['calendarServer'] {
  const open = (account: CalendarAccount, signal: AbortSignal): ServerSession | Failure => {
    const place = calendarDestination(account.url)
    const isNamed =
      place !== undefined &&
      subject.resources.some(
        (resource) =>
          resource.type === 'url' &&
          resource.method === calendarMethod &&
          resource.scheme === place.scheme &&
          resource.host === place.host &&
          resource.port === place.port,
      )
    if (!isNamed) return failure('The permit names another server.')
    if (!documents || !subject.sandbox.startsWith('documents:'))
      return failure('There is no sandbox, and what calendar servers say is read nowhere else.')
    const password = subject.secrets.includes(account.secret)
      ? secrets.value(account.secret, place)
      : undefined
    if (password === undefined)
      return failure(
        `There is no password for ${account.name}. Set it with \`countersign calendar-account add ${account.name}\`.`,
      )
    return openSession({ account, password, egress, documents, signal })
  }
  return {
    async list(account, known, signal) {
      const session = open(account, signal)
      return 'kind' in session ? session : listEntries(session, known)
    },
    async fetch(account, wanted, signal) {
      const session = open(account, signal)
      return 'kind' in session ? session : fetchEntries(session, wanted)
    },
    async push(account, changes, signal) {
      const session = open(account, signal)
      if ('kind' in session) return session
      const pushed: PushedEntry[] = []
      for (const change of changes)
        pushed.push(
          signal.aborted ? failure('Cancelled.') : await pushEntry(session, change, () => new Date()),
        )
      return { kind: 'pushed', changes: pushed }
    },
  }
}
