/** Owns the forms of what is read by the short way. A value that does not fit is left to the contract's own shapes. */

/** An example whose kinds count; `orNull` allows null as well. */
export type ReplyShape =
  | string
  | number
  | boolean
  | { readonly orNull: ReplyShape }
  | { readonly fields: Fields }
type Fields = Readonly<Record<string, ReplyShape>>

const orNull = (form: ReplyShape): ReplyShape => ({ orNull: form })
const fields = (given: Fields): ReplyShape => ({ fields: given })

const askedOf = fields({ week: 0, heldOut: 0 })

export const statusShape: { readonly fields: Fields } = {
  fields: {
    version: '',
    gateway: '',
    operator: '',
    pid: 0,
    url: '',
    startedAt: '',
    slot: 0,
    autonomy: '',
    policy: '',
    asked: fields({ technical: askedOf, office: askedOf, household: askedOf }),
    paused: orNull(fields({ at: '', by: '' })),
    held: orNull(fields({ at: '', because: '' })),
    database: fields({ mode: '', ok: true, problem: orNull('') }),
    executor: fields({ ok: true, pid: orNull(0), sandbox: '' }),
    model: fields({
      provider: '',
      model: '',
      ok: true,
      state: '',
      since: orNull(''),
      problem: orNull(''),
    }),
    ledger: fields({ size: 0, signed: 0, writable: true, alarm: true }),
    runs: fields({ running: 0, parked: 0, queued: 0 }),
    pending: fields({ approvals: 0, questions: 0 }),
    seq: 0,
    clients: 0,
    push: 0,
    disk: fields({
      free: 0,
      database: 0,
      events: 0,
      details: 0,
      ledger: 0,
      workspace: 0,
      executor: 0,
      logs: 0,
    }),
  },
}

export const healthShape: { readonly fields: Fields } = {
  fields: { ok: true, gateway: '', version: '' },
}

/** Neither more nor fewer fields, and each of its kind. */
export function fitsShape(value: unknown, form: ReplyShape): boolean {
  if (typeof form !== 'object') return typeof value === typeof form
  if ('orNull' in form) return value === null || fitsShape(value, form.orNull)
  if (typeof value !== 'object' || value === null) return false
  const given = value as Readonly<Record<string, unknown>>
  const names = Object.keys(form.fields)
  return (
    Object.keys(given).length === names.length &&
    names.every((name) => name in given && fitsShape(given[name], form.fields[name] ?? ''))
  )
}
