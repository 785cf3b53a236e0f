import { describe, expect, it } from 'vitest'
import { createReader } from './inbound.ts'
import type { XmlElement } from './xml.ts'

const room = 'garden@rooms.example.org'
const reader = createReader('helper@example.org', (jid) => jid === room)

const element = (
  name: string,
  attrs: Readonly<Record<string, string>>,
  children: XmlElement['children'] = [],
): XmlElement => ({ name, space: 'jabber:client', attrs: new Map(Object.entries(attrs)), children })

const heardFrom = (from: string) =>
  reader.read({
    message: element('message', { from, type: 'chat' }, [element('body', {}, ['approve K7Q2'])]),
    id: 'a1',
    at: '2026-03-05T06:00:00.000Z',
    room: null,
  })

describe('what comes to us alone', () => {
  it('is of whoever our server shows', () => {
    expect(heardFrom('ana@example.org/phone')).toMatchObject({
      sender: { id: 'ana@example.org', proven: true },
    })
  })

  it('is of nobody where a name in a room speaks, also where nothing marks that', () => {
    expect(heardFrom(`${room}/ana`)).toBeUndefined()
    expect(heardFrom(room)).toBeUndefined()
  })
})
