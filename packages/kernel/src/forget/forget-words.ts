/**
 * Takes the words of a memory out of the log of calls: arguments, results, cards and events. Only where they stand as
 * the text of a memory, whole and in quotes, so that nothing else is touched.
 */
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../store/store.ts'

/** Forgetting within one transaction. */
export interface Forgetting {
  /**
   * Replaces the words in calls that have ended, in requests that no longer wait, in the replies that record tools
   * gave, and in events. Returns the number of rows that held them.
   *
   * Calls under way and pending requests stay as they are: what a person decides on must not change. The digest of a
   * decided request stays too, so it no longer fits a subject that lost words; the ledger keeps the digest.
   */
  forgetWords(content: string): Promise<number>
}

export const forgottenWords = '[forgotten]'

/** What cards show of a long memory. */
const longestShown = 80

export function forgettingIn(db: Db): Forgetting {
  return {
    async forgetWords(content) {
      const forms = { all: formsOf(content), core: coreOf(content) }
      return (
        (await clean(db, 'calls', callTexts, callJsons, forms, sql`state = 'ended'`)) +
        (await clean(db, 'approvals', approvalTexts, approvalJsons, forms, sql`state <> 'pending'`)) +
        (await clean(db, 'record_permit_uses', [], ['reply'], forms, sql`true`)) +
        (await clean(db, 'events', [], ['body'], forms, sql`true`)) +
        (await dropReasoning(db, forms.core))
      )
    },
  }
}

/** What a model thought is kept for eyes only: where it may tell it, all of it goes. */
async function dropReasoning(db: Db, core: string): Promise<number> {
  if (core === '') return 0
  const gone = await sql`
    update messages set reasoning = null where reasoning is not null and strpos(reasoning, ${core}) > 0`.execute(
    db,
  )
  return Number(gone.numAffectedRows ?? 0n)
}

const callTexts = ['raw_args', 'args', 'result_text'] as const
const callJsons = ['undo', 'permit'] as const
const approvalTexts = ['subject'] as const
const approvalJsons = ['card'] as const

interface Form {
  readonly words: string
  readonly instead: string
}

/** A JSON text, also inside one or two others, and the words in the quotes that cards put around them. */
export function formsOf(content: string): readonly Form[] {
  const shown =
    content.length > longestShown ? `${content.slice(0, longestShown - 1).toWellFormed()}…` : content
  const nested = (text: string) => JSON.stringify(text).slice(1, -1)
  const levels = (text: string) => [text, nested(text), nested(nested(text)), nested(nested(nested(text)))]
  const pair = (words: string, instead: string) =>
    levels(words).map((each, depth) => ({ words: each, instead: levels(instead)[depth] ?? instead }))
  const forms = [
    ...pair(JSON.stringify(content), JSON.stringify(forgottenWords)),
    ...pair(`“${shown}”`, `“${forgottenWords}”`),
  ]
  return forms.filter(({ words }, place) => forms.findIndex((form) => form.words === words) === place)
}

/** A piece that is the same in every form: most rows are passed over after one look. */
export function coreOf(content: string): string {
  const pieces = content.slice(0, longestShown - 1).match(/[^"\\\p{Cc}\p{Cs}]+/gu) ?? []
  return pieces.reduce((longest, piece) => (piece.length > longest.length ? piece : longest), '')
}

async function clean(
  db: Db,
  table: 'calls' | 'approvals' | 'record_permit_uses' | 'events',
  texts: readonly string[],
  jsons: readonly string[],
  { all, core }: { readonly all: readonly Form[]; readonly core: string },
  where: RawBuilder<unknown>,
): Promise<number> {
  const cleaned = (value: RawBuilder<unknown>) =>
    all.reduce((so, { words, instead }) => sql`replace(${so}, ${words}, ${instead})`, value)
  const holds = (value: RawBuilder<unknown>) => {
    const forms = all.map(({ words }) => sql`strpos(${value}, ${words}) > 0`)
    return sql`(strpos(${value}, ${core}) > 0 and (${sql.join(forms, sql` or `)}))`
  }
  const textOf = (column: string) => sql`${sql.ref(column)}::text`
  const columns = [...texts, ...jsons]
  const set = sql.join([
    ...texts.map((column) => sql`${sql.ref(column)} = ${cleaned(sql.ref(column))}`),
    ...jsons.map((column) => sql`${sql.ref(column)} = ${cleaned(textOf(column))}::json`),
  ])
  const found = sql.join(
    columns.map((column) => holds(textOf(column))),
    sql` or `,
  )
  const done = await sql`update ${sql.table(table)} set ${set} where ${where} and (${found})`.execute(db)
  return Number(done.numAffectedRows ?? 0n)
}
