import type { JsonObject } from '@countersign/contract'
import { describe, expect, it } from 'vitest'
import { parseArgs } from '../definition.ts'
import { createRecordToolRunner } from '../testing/record-tool-runner.ts'
import { addContact } from './add-contact.ts'
import { batchAddContacts } from './batch-add-contacts.ts'
import { listContacts } from './list-contacts.ts'

describe('contacts', () => {
  it('are checked lightly: what could be an address or a number is taken', () => {
    const kind = (args: JsonObject) => parseArgs(addContact, { name: 'A', ...args }).kind
    for (const email of ['a@b', 'first.last+tag@example.co.uk', 'ünï@exämple.de'])
      expect(kind({ email })).toBe('args')
    for (const email of ['a', 'a@', '@b', 'a b@c', 'A <a@b.c>', 'a@b@c', 'a@b\n'])
      expect(kind({ email })).toBe('invalid')
    for (const phone of ['+49 (30) 123-456', '112', '030/1234.56']) expect(kind({ phone })).toBe('args')
    for (const phone of ['call me', '12', '1'.repeat(21), '+', '123x'])
      expect(kind({ phone })).toBe('invalid')
    expect(kind({ birthday: '1990-02-28' })).toBe('args')
    for (const birthday of ['1990-02-29', '28.2.1990', '1990-02-28T00:00:00'])
      expect(kind({ birthday })).toBe('invalid')
  })

  it('are listed by name whatever its case, and found by what is known of them', async () => {
    const test = createRecordToolRunner()
    await test.use(batchAddContacts, {
      contacts: [
        { name: 'carla', company: 'Example', relationship: 'friend' },
        { name: 'Ben', email: 'ben@example.org', isFavorite: true },
        { name: 'Änne', phone: '+49 30 99' },
      ],
    })
    const names = async (args: JsonObject) =>
      [...(await test.use(listContacts, args)).result.text.matchAll(/"name":"([^"]+)"/g)].map(
        ([, name]) => name,
      )
    expect(await names({})).toEqual(['Ben', 'carla', 'Änne'])
    expect(await names({ search: 'änne' })).toEqual(['Änne'])
    expect(await names({ search: '@example' })).toEqual(['Ben'])
    expect(await names({ company: 'Example' })).toEqual(['carla'])
    expect(await names({ relationship: 'friend' })).toEqual(['carla'])
    expect(await names({ isFavorite: true })).toEqual(['Ben'])
  })
})
