/** The sentence of a notice, in the language of the page. A text that a tool or the gateway wrote stays as it is. */
import type { NoticeFacts } from '@countersign/contract'
import { dayTimeWords, moneyWords } from '../../language/format.ts'
import { words } from '../../words/today.tsx'

export function noticeWords(facts: NoticeFacts): string {
  switch (facts.kind) {
    case 'text':
      return facts.text
    case 'budget': {
      const { budget, percent, spentUsd, limitUsd } = facts
      return words.notices.budget(budget, percent, moneyWords(spentUsd), moneyWords(limitUsd))
    }
    case 'held':
      return words.notices.held(facts.reason)
    case 'reminder': {
      const at = new Date(facts.startsAt)
      // A day is that day wherever one reads it.
      const when = facts.start.length === 10 ? facts.start : dayTimeWords(at)
      return words.notices.reminder({ ...facts, when })
    }
    case 'released':
      return words.notices.released(facts.by)
  }
}
