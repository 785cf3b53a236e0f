/** The sentence of a notice, in the language of the page. A text that a tool or the gateway wrote stays as it is. */
import type { NoticeFacts } from '@countersign/contract'
import { moneyWords } from '../../language/format.ts'
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
    case 'released':
      return words.notices.released(facts.by)
  }
}
