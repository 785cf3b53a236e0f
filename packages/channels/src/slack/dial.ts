/** Owns how an address to listen at is asked for, once it is known who we are. */
import { askWhoWeAre, type SlackSelf } from './identity.ts'
import type { Dialed } from './socket-mode.ts'
import type { SlackAnswer, SlackApi } from './web-api.ts'

export type SlackDialed = Dialed & {
  /** A person has to change a token. */
  readonly rejected?: string
}

export interface Dial {
  /** Undefined until it was dialled once. */
  self(): SlackSelf | undefined
  dial(): Promise<SlackDialed>
  /** It is asked anew whether the tokens are accepted. */
  doubt(): void
}

/** What a person has to repair is looked at again now and then. */
const rejectedPauseMs = 60_000

export function createDial(parts: SlackApi & { readonly isTheirs: (url: string) => boolean }): Dial {
  let self: SlackSelf | undefined
  let isKnown = false
  return {
    self: () => self,
    doubt() {
      isKnown = false
    },
    async dial() {
      if (!isKnown) {
        const known = await askWhoWeAre(parts.asBot)
        if ('kind' in known) return undialed(known, 'bot token')
        self = known
        isKnown = true
      }
      const opened = await parts.asApp('apps.connections.open', {})
      if (opened.kind !== 'ok') return undialed(opened, 'app-level token')
      const { url } = opened.data
      if (typeof url === 'string' && parts.isTheirs(url.replace(/^ws/, 'http'))) return { url }
      return { problem: 'Slack named no address of its own to listen at.', afterMs: null }
    },
  }
}

function undialed(answer: Exclude<SlackAnswer, { kind: 'ok' }>, token: string): SlackDialed {
  if (answer.kind === 'refused' || answer.kind === 'unaccepted') {
    const problem = `Slack does not accept the ${token}: ${answer.error}.`
    return { problem, afterMs: rejectedPauseMs, rejected: problem }
  }
  return { problem: answer.problem, afterMs: answer.kind === 'later' ? answer.afterMs : null }
}
