import type { DeviceReach } from '@countersign/contract'
import { expect, test } from 'vitest'
import { chosenModel } from './chosen-model.ts'
import type { RequestSender } from './request-sender.ts'

const speaker = (reach: DeviceReach) => ({ reach, actor: { kind: 'operator', id: 'phone' } }) as RequestSender

test('a device that seals chooses the model, and also takes the choice back', () => {
  expect(chosenModel(speaker(3), { model: 'here/big' })).toEqual({ model: 'here/big' })
  expect(chosenModel(speaker(3), { model: null })).toEqual({ model: null })
})

test('one that does not may send without a model, and not send the words to another provider', () => {
  expect(chosenModel(speaker(2), {})).toEqual({})
  expect(() => chosenModel(speaker(2), { model: 'here/big' })).toThrow('may not choose the model')
  expect(() => chosenModel(speaker(2), { model: null })).toThrow('may not choose the model')
})
