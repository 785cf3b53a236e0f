import { expect, test } from 'vitest'
import { fingerprintOf } from '../../data/digest.ts'
import { isExpectedGateway } from './expected-gateway.ts'

const key = btoa('k'.repeat(32))
const other = btoa('o'.repeat(32))
const link = async (named: string) => ({ secret: 's', gateway: await fingerprintOf(named) })
const nobody = { link: null, known: undefined, wasLetIn: false }

test('a page that knows nobody takes the gateway that is there, and compares words', async () => {
  expect(await isExpectedGateway({ key }, nobody)).toBe(true)
})

test('a link means one gateway, also where another one was before', async () => {
  expect(await isExpectedGateway({ key }, { ...nobody, link: await link(key) })).toBe(true)
  expect(await isExpectedGateway({ key }, { ...nobody, link: await link(other) })).toBe(false)
  expect(await isExpectedGateway({ key }, { ...nobody, link: await link(key), wasLetIn: true })).toBe(true)
})

test('a browser that was let in refuses another gateway, and another key of the same one', async () => {
  expect(await isExpectedGateway({ key }, { ...nobody, wasLetIn: true })).toBe(false)
  expect(await isExpectedGateway({ key }, { link: null, known: { gatewayKey: key }, wasLetIn: true })).toBe(
    true,
  )
  expect(await isExpectedGateway({ key }, { link: null, known: { gatewayKey: other }, wasLetIn: true })).toBe(
    false,
  )
  const withLink = { link: await link(key), known: { gatewayKey: other }, wasLetIn: true }
  expect(await isExpectedGateway({ key }, withLink)).toBe(false)
})
