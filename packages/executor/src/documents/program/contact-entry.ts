/** Reads and changes one contact of a server: a vCard, of which our records know the first of each kind. */
import ICAL from 'ical.js'
import { type Component, textOf } from './component.ts'
import {
  type ChangedEntry,
  type EntryFields,
  type EntryWish,
  isAsWished,
  type ReadEntries,
  written,
} from './entry.ts'
import { Refusal } from './serve.ts'
import { lineOf, shown } from './shown-text.ts'

export function readContact(text: string): ReadEntries {
  const card = cardOf(text)
  const uid = textOf(card, 'uid')
  const none = { uid, shared: false, repeats: false, common: {} }
  // A list of people is not one of them.
  if (/^group$/i.test(textOf(card, 'kind') || textOf(card, 'x-addressbookserver-kind')))
    return { ...none, problem: 'It is a group of contacts.', entries: [] }
  return { ...none, problem: null, entries: [{ recurrence: '', alike: false, fields: fieldsOf(card) }] }
}

export function changeContact(text: string, wish: EntryWish): ChangedEntry {
  const card = text.trim() === '' ? newCard(wish) : cardOf(text)
  const same = text.trim() !== '' && isAsWished(fieldsOf(card), wish)
  if (!wish.remove) apply(card, wish)
  return { made: card.toString(), same, shared: false }
}

function cardOf(text: string): Component {
  const parsed: unknown = ICAL.parse(text)
  const one = Array.isArray(parsed) && Array.isArray(parsed[0]) ? parsed[0] : parsed
  const card = new ICAL.Component(one as never)
  if (card.name !== 'vcard') throw new Refusal('It is not a contact.')
  return card
}

function newCard({ uid }: EntryWish): Component {
  const card = new ICAL.Component(['vcard', [], []] as never)
  card.addPropertyWithValue('version', '3.0')
  card.addPropertyWithValue('uid', written(uid).replaceAll('\n', ''))
  return card
}

function partsOf(card: Component, name: string): string[] {
  const value: unknown = card.getFirstPropertyValue(name)
  const parts = Array.isArray(value) ? value : value === null || value === undefined ? [] : [value]
  return parts.map((part) => (Array.isArray(part) ? part.map(String).join(' ') : String(part)))
}

const address = /^[^\s@<>]{1,64}@[^\s@<>]{1,253}$/
const phone = /^[+0-9 ()./-]{3,40}$/

/** What our records would not take is left out here and stays on the server. */
function fieldsOf(card: Component): EntryFields {
  const fields: EntryFields = {}
  const put = (name: string, value: string) => {
    if (value !== '') fields[name] = value
  }
  const [family = '', given = ''] = partsOf(card, 'n')
  const email = lineOf(textOf(card, 'email'), 320)
  const number = lineOf(textOf(card, 'tel').replace(/^tel:/i, ''), 60)
  const digits = number.replaceAll(/\D/g, '').length
  put(
    'name',
    lineOf(textOf(card, 'fn'), 200) ||
      lineOf(`${given} ${family}`, 200) ||
      lineOf(partsOf(card, 'org')[0], 200) ||
      email ||
      '(no name)',
  )
  if (address.test(email)) put('email', email)
  if (phone.test(number) && digits >= 3 && digits <= 20) put('phone', number)
  put('company', lineOf(partsOf(card, 'org')[0], 200))
  put('jobTitle', lineOf(textOf(card, 'title'), 200))
  put('birthday', dayIn(textOf(card, 'bday')))
  put('address', prose(addressOf(card), 1_000))
  put('notes', prose(textOf(card, 'note'), 10_000))
  return fields
}

function prose(text: string, longest: number): string {
  return shown(text.replaceAll('\r\n', '\n')).trim().slice(0, longest).toWellFormed()
}

function dayIn(text: string): string {
  const [, year, month, day] = /^(\d{4})-?(\d{2})-?(\d{2})/.exec(text) ?? []
  const at = `${year}-${month}-${day}`
  const time = Date.parse(`${at}T00:00:00Z`)
  return year !== undefined && !Number.isNaN(time) && new Date(time).toISOString().startsWith(at) ? at : ''
}

/** Post box, more, street, town, region, code, country. */
function addressOf(card: Component): string {
  const [box = '', more = '', street = '', town = '', region = '', code = '', country = ''] = partsOf(
    card,
    'adr',
  )
  return [box, more, street, `${code} ${town}`.trim(), region, country]
    .filter((part) => part !== '')
    .join('\n')
}

const plain = { name: 'fn', email: 'email', phone: 'tel', jobTitle: 'title', notes: 'note' } as const

function apply(card: Component, { set, unset, at }: EntryWish): void {
  for (const [field, name] of Object.entries(plain)) {
    const value = set[field]
    if (value !== undefined) first(card, name, written(value))
    else if (unset.includes(field)) card.removeProperty(name)
  }
  if (set['company'] !== undefined)
    first(card, 'org', [written(set['company']), ...partsOf(card, 'org').slice(1)])
  else if (unset.includes('company')) card.removeProperty('org')
  if (set['address'] !== undefined) first(card, 'adr', ['', '', written(set['address']), '', '', '', ''])
  else if (unset.includes('address')) card.removeProperty('adr')
  if (set['birthday'] !== undefined || unset.includes('birthday')) card.removeProperty('bday')
  if (set['birthday'] !== undefined) {
    const property = new ICAL.Property('bday', card)
    property.resetType('date')
    property.setValue(dayIn(written(set['birthday'])))
    card.addProperty(property)
  }
  // The third version demands it.
  if (!card.hasProperty('n')) first(card, 'n', ['', written(textOf(card, 'fn')), '', '', ''])
  card.updatePropertyWithValue('rev', at.slice(0, 19).concat('Z'))
}

/** The first of its kind, with its parameters; there may be more. */
function first(card: Component, name: string, value: string | string[]): void {
  const known = card.getFirstProperty(name)
  if (known) known.setValue(value as never)
  else card.addPropertyWithValue(name, value as never)
}
