/** Owns how what sets an automation off is written into a form and read from it, in the time zone that the form says. */
import { isZone, type MailTrigger, readTrigger, Trigger } from '@countersign/contract'

export const triggerKinds = ['words', 'cron', 'watch', 'message', 'ledger', 'webhook', 'mail'] as const
export type TriggerKind = (typeof triggerKinds)[number]

export interface TriggerValues {
  readonly kind: TriggerKind
  readonly value: string
  readonly zone: string
}

/** Where the browser is. */
export const ownZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone

export function valuesOf(trigger: Trigger): TriggerValues {
  const zone = ownZone()
  switch (trigger.kind) {
    case 'cron':
      return { kind: 'cron', value: trigger.expression, zone: trigger.zone }
    case 'every':
      return { kind: 'words', value: everyWords(trigger.seconds), zone }
    case 'once':
      return { kind: 'words', value: trigger.at, zone }
    case 'watch':
      return { kind: 'watch', value: trigger.path, zone }
    case 'webhook':
      return { kind: 'webhook', value: trigger.secret, zone }
    case 'mail':
      return { kind: 'mail', value: mailWords(trigger), zone }
    case 'event':
      return trigger.on === 'message'
        ? { kind: 'message', value: trigger.contains ?? '', zone }
        : { kind: 'ledger', value: trigger.type ?? '', zone }
  }
}

/** Undefined where it is not understood. */
export function triggerOf({ kind, value, zone }: TriggerValues, now: Date): Trigger | undefined {
  const given = value.trim()
  if (!isZone(zone)) return undefined
  if (kind === 'mail') {
    const read = readTrigger(`when an e-mail arrives in ${given}`, { now, zone })
    return read.kind === 'trigger' && read.trigger.kind === 'mail' && read.rest === ''
      ? read.trigger
      : undefined
  }
  if (kind === 'words') {
    const moment = Trigger.safeParse({ kind: 'once', at: given })
    if (moment.success) return moment.data
    const read = readTrigger(given, { now, zone })
    return read.kind === 'trigger' && read.rest === '' ? read.trigger : undefined
  }
  const read = Trigger.safeParse(partsOf(kind, given, zone))
  return read.success ? read.data : undefined
}

function partsOf(kind: Exclude<TriggerKind, 'words' | 'mail'>, value: string, zone: string): unknown {
  switch (kind) {
    case 'cron':
      return { kind, expression: value, zone }
    case 'watch':
      return { kind, path: value }
    case 'webhook':
      return { kind, secret: value }
    case 'message':
      return { kind: 'event', on: 'message', ...(value === '' ? {} : { contains: value }) }
    case 'ledger':
      return { kind: 'event', on: 'ledger', type: value }
  }
}

/** As a sentence says it after “when an e-mail arrives in”. */
function mailWords({ account, folder, from, subject, everyMinutes }: MailTrigger): string {
  const quoted = (text: string) => (/[\s,;]/.test(text) ? `"${text}"` : text)
  return [
    quoted(folder === 'INBOX' ? account : `${account}/${folder}`),
    ...(from === undefined ? [] : ['from', from]),
    ...(subject === undefined ? [] : ['about', `"${subject}"`]),
    ...(everyMinutes === 5 ? [] : [`checked every ${everyMinutes} minutes`]),
  ].join(' ')
}

function everyWords(seconds: number): string {
  if (seconds % 3_600 === 0) return `every ${seconds / 3_600} hours`
  return seconds % 60 === 0 ? `every ${seconds / 60} minutes` : `every ${seconds} seconds`
}

const address = /https?:\/\/[^\s<>"')\]]+/g

/** The page that a task watches, if it names exactly one. */
export function pageIn(prompt: string): string | undefined {
  const found = [...new Set(prompt.match(address) ?? [])]
  return found.length === 1 ? found[0] : undefined
}

export function withPage(prompt: string, page: string): string {
  const before = pageIn(prompt)
  return before === undefined ? prompt : prompt.replaceAll(before, () => page)
}
