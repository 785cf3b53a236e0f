/**
 * Owns what a look for new e-mails leads to: each new e-mail sets its automation off once, in the transaction that
 * remembers up to where the folder was looked at. What an e-mail says goes along as a stranger's words.
 */
import { type Label, shortened, unprovenMail } from '@countersign/contract'
import {
  type ArrivedMail,
  emailId,
  MailArrivals,
  mailLabel,
  personText,
  type SeenUpTo,
} from '@countersign/tools'
import type { AssistantTransaction } from '../../assistant-context.ts'
import { type CallEnd, readOrProblem } from '../../server-calls.ts'
import type { ScheduleImpulse, Scheduler } from '../scheduler.ts'
import { holdWatch, type MailWatch, moveWatch } from './watches.ts'

export interface TakenLook {
  readonly run: NonNullable<MailWatch['run']>
  readonly end: CallEnd
}

/** How many runs it began. */
export async function takeLook(
  tx: AssistantTransaction,
  id: string,
  { run, end }: TakenLook,
  fire: Scheduler['fire'],
): Promise<number> {
  const watch = await holdWatch(tx, id)
  // Somebody else took it in, or it was a look for another version.
  if (!watch || watch.run !== run) return 0
  const arrivals = readOrProblem(end, MailArrivals)
  if (typeof arrivals === 'string') {
    const { seen, waiting } = watch
    await moveWatch(tx, watch, { seen, waiting, problem: arrivals, run: end.kind === 'waiting' ? run : null })
    if (watch.problem === null) tell(tx, watch, `cannot look for new e-mails: ${arrivals}`)
    return 0
  }
  const { seen, waiting } = arrivals
  let started = 0
  for (const impulse of impulsesOf(watch, arrivals)) {
    const fired = await fire(tx, id, impulse)
    if (fired?.state === 'due' && !fired.repeated) started += 1
  }
  await moveWatch(tx, watch, { seen, waiting, problem: null, run: null })
  if (waiting > 0 && watch.waiting === 0)
    tell(tx, watch, `has more new e-mails than one look takes. ${waiting} wait for the next look.`)
  return started
}

function impulsesOf(watch: MailWatch, { seen, mails }: MailArrivals): ScheduleImpulse[] {
  const { seen: before, trigger } = watch
  if (before === null) return []
  const place = `${seen.mailbox}/${encodeURIComponent(trigger.folder)}/${seen.uidValidity}`
  if (before.mailbox !== seen.mailbox || before.uidValidity !== seen.uidValidity)
    return [{ key: `mail/${place}`, cause: 'mail', refused: 'renewed' }]
  return mails.map((mail) => {
    const key = `mail/${place}/${mail.uid}`
    if (trigger.from !== undefined && mail.proven !== true) return { key, cause: 'mail', refused: 'unproven' }
    return { key, cause: 'mail', words: wordsOf(watch, seen, mail), label: labelOf(mail) }
  })
}

/** As what read_email brings in. A sender whom nobody asked about is not proven. */
function labelOf({ proven }: ArrivedMail): Label {
  return proven === true ? mailLabel : { ...mailLabel, sources: [...mailLabel.sources, unprovenMail] }
}

const longestLine = 300

function wordsOf(
  { trigger: { account, folder } }: MailWatch,
  { uidValidity }: SeenUpTo,
  mail: ArrivedMail,
): string {
  const line = (text: string) => shortened(text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' '), longestLine)
  return [
    'A new e-mail arrived. Read it with read_email.',
    `Id: ${emailId(account, { folder, uidValidity, uid: mail.uid })}`,
    `From: ${line(mail.from.slice(0, 3).map(personText).join(', '))} (${mail.proven === true ? 'proven' : 'not checked'})`,
    `Subject: ${line(mail.subject)}`,
    `Received: ${mail.received}`,
  ].join('\n')
}

function tell(tx: AssistantTransaction, { id, schedule }: MailWatch, words: string): void {
  tx.emit({ type: 'notice', about: id, text: `The automation “${schedule.name}” ${words}` })
}
