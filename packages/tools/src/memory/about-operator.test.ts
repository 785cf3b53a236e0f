import { type Label, Profile } from '@countersign/contract'
import { expect, it } from 'vitest'
import { createRecordToolRunner } from '../testing/record-tool-runner.ts'
import { aboutOperator } from './about-operator.ts'

const told = async (profile: object, label: Label | null = null) => {
  const test = createRecordToolRunner()
  test.assistant.profile = () =>
    Promise.resolve({ profile: Profile.parse(profile), label, updatedAt: '2026-11-01T00:00:00Z' })
  return (await test.use(aboutOperator, {})).result
}

it('tells the name, the facts, the preferences and the interests, which are private', async () => {
  const result = await told({
    name: 'Ana',
    facts: ['Lives in Graz'],
    preferences: ['No meat'],
    interests: ['Boats'],
  })
  expect(result.text).toBe('Name: Ana\nFact: Lives in Graz\nPreference: No meat\nInterest: Boats')
  expect(aboutOperator.output.confidentiality).toBe('private')
})

it('is worth no more than what led to it', async () => {
  const label: Label = { integrity: 'untrusted', confidentiality: 'private', sources: ['a page'] }
  expect((await told({ name: 'Ana' }, label)).label).toEqual(label)
})

it('says where else to look where nothing was said', async () => {
  expect((await told({})).text).toContain('recall')
})
